"""Base class of bots that search, and their budgets."""

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
PROCESSES_VARIABLE: Final = "ARGENTUM_SEER_PROCESSES"  # number of processes per move
MAX_PROCESSES: Final = 256


class SearchBot(Bot):
    """Race candidate moves on sampled deals and play the best.

    The playout policy finishes each round. With a number of deals, the search runs in this process and the same seed
    gives the same move; with a time limit it runs in another process. With several `processes` it uses as
    many workers as are free, which does not change the move for a number of deals. If anything fails, the first
    candidate is played.
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
        """Return the moves to race; the first is played without a search."""

    @property
    def is_time_limited(self) -> bool:
        return not self.deals

    def choose(self, view: View) -> Move:
        """Return the first candidate: there is no game to search."""
        return self.candidates(view)[0]

    def choose_with_search(self, view: View, imagined: Game) -> Move:
        """Return the winner of the race."""
        moves = self.candidates(view)
        best = int(moves[0])
        if len(moves) > 1:
            seed = self.random.getrandbits(62)
            numbers = [int(move) for move in moves]
            order = SearchRequest(imagined.text(), view.seat, numbers, seed, self.seconds, self.deals)
            best = self.search_task.search(order, self.processes)
        return next((move for move in moves if move == best), moves[0])

    def close(self) -> None:
        self.search_task.stop()


def parse_budget(budget: str) -> tuple[float, int, int]:
    """Parse `200`, `0.5s` or `0.5s@4` to seconds, deals (0: no limit) and processes."""
    each, at, cores = budget.partition("@")
    amount, seconds = parse_amount(each)
    processes = parse_processes(cores) if at else default_processes()
    worker_pool.POOL.grow(processes)
    return (amount, 0, processes) if seconds else (DEFAULT_SECONDS, int(amount), processes)


def parse_amount(budget: str) -> tuple[float, bool]:
    """Return the amount of a budget, and whether it is in seconds."""
    seconds = budget.endswith("s")
    try:
        amount = float(budget[:-1]) if seconds else int(budget)
    except ValueError:
        amount = 0
    if not 0 < amount < float("inf"):
        raise ValueError(f"{budget!r} is not a budget: write 200 (deals) or 0.5s (seconds), for example")
    return amount, seconds


def parse_processes(cores: str) -> int:
    if not (cores.isdecimal() and 0 < int(cores) <= MAX_PROCESSES):
        raise ValueError(f"{cores!r} is not a number of cores: write 200@4 or 0.5s@4, for example")
    return int(cores)


def default_processes() -> int:
    """Return the number of processes from the environment variable, else 1."""
    value = os.environ.get(PROCESSES_VARIABLE, "")
    return min(max(int(value), 1), MAX_PROCESSES) if value.isdecimal() else 1
