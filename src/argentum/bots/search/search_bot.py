"""Bots that look ahead: a few good moves race on many deals, within a budget for each move."""

import os
from abc import abstractmethod
from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.search import worker_pool
from argentum.bots.search.worker_pool import SearchRequest, SearchTask
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View

DEFAULT_SECONDS: Final = 1.0  # for a move
PROCESSES_VARIABLE: Final = "ARGENTUM_SEER_PROCESSES"  # in the environment: how many think about one move
MAX_PROCESSES: Final = 256


class SearchBot(Bot):
    """Plays the best of a few moves, as the rounds end that it imagines.

    They are played to the end of the round on many deals of what the seat cannot know, by quick players. With a number
    of deals it thinks here and now, and the same seed gives the same move. Otherwise it thinks in another process, for
    so many seconds a move. If anything fails, the first of the moves is made. With several `processes` it thinks in as
    many others, as far as they are free; with a number of deals, that does not change the move.
    """

    uses_search: ClassVar[bool] = True

    def __init__(
        self, seed: int | None = None, seconds: float = DEFAULT_SECONDS, deals: int = 0, processes: int | None = None
    ) -> None:
        super().__init__(seed)
        self.seconds: Final = seconds
        self.deals: Final = deals
        self.processes: Final = default_processes() if processes is None else processes
        self.search_task: Final = SearchTask()

    @abstractmethod
    def candidates(self, view: View) -> list[Move]:
        """The moves to look into; the first is made where it does not look ahead."""

    @property
    def is_time_limited(self) -> bool:
        """Without a number of deals it takes all the time it has."""
        return not self.deals

    def choose(self, view: View) -> Move:
        """Without a game to look ahead on: the first of the moves that it would look into."""
        return self.candidates(view)[0]

    def choose_with_search(self, view: View, imagined: Game) -> Move:
        """The best of a few moves, as the rounds go that are played on from here."""
        moves = self.candidates(view)
        best = int(moves[0])
        if len(moves) > 1:
            seed = self.random.getrandbits(62)
            numbers = [int(move) for move in moves]
            order = SearchRequest(imagined.text(), view.seat, numbers, seed, self.seconds, self.deals)
            best = self.search_task.best(order, self.processes)
        return next((move for move in moves if move == best), moves[0])

    def close(self) -> None:
        """Stop thinking."""
        self.search_task.stop()


def parse_budget(budget: str) -> tuple[float, int, int]:
    """The seconds for a move, the deals (0 for as many as there is time for), and the processes: `200`, `0.5s@4`."""
    each, at, cores = budget.partition("@")
    amount, seconds = parse_amount(each)
    processes = parse_processes(cores) if at else default_processes()
    worker_pool.POOL.grow(processes)
    return (amount, 0, processes) if seconds else (DEFAULT_SECONDS, int(amount), processes)


def parse_amount(budget: str) -> tuple[float, bool]:
    """How much a budget is, and whether that is in seconds, not deals."""
    seconds = budget.endswith("s")
    try:
        amount = float(budget[:-1]) if seconds else int(budget)
    except ValueError:
        amount = 0
    if not 0 < amount < float("inf"):
        raise ValueError(f"{budget!r} is not a budget: write 200 (deals) or 0.5s (seconds), for example")
    return amount, seconds


def parse_processes(cores: str) -> int:
    """How many processes think about one move."""
    if not (cores.isdecimal() and 0 < int(cores) <= MAX_PROCESSES):
        raise ValueError(f"{cores!r} is not a number of cores: write 200@4 or 0.5s@4, for example")
    return int(cores)


def default_processes() -> int:
    """The same where nothing is said: one, unless the environment has another number."""
    wanted = os.environ.get(PROCESSES_VARIABLE, "")
    return min(max(int(wanted), 1), MAX_PROCESSES) if wanted.isdecimal() else 1
