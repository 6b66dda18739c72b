"""The base class of bots that search, and the parser of their budgets."""

import os
import warnings
from abc import abstractmethod
from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.search import worker_pool
from argentum.bots.search.worker_pool import SearchRequest, SearchTask
from argentum.rules.move import Move
from argentum.rules.position import Position
from argentum.rules.views import View

DEFAULT_SECONDS: Final = 1.0  # per move
PROCESSES_VARIABLE: Final = "ARGENTUM_SEARCH_PROCESSES"  # environment variable: processes per move
OLD_PROCESSES_VARIABLE: Final = "ARGENTUM_SEER_PROCESSES"  # read with a warning until version 2.0
MAX_PROCESSES: Final = 256


class SearchBot(Bot):
    """Race candidate moves on sampled deals, on which the playout policy finishes the round, and play the best one.

    The budget is a number of deals, with which the same seed always gives the same move, or a time limit. A search with
    a number of deals and `processes=1` runs in the calling process; every other search runs in up to `processes` idle
    worker processes. If these are busy or fail, the bot plays the first candidate, or, with a number of deals, may
    search in the calling process.
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
        """Return the moves to race, starting with the one to play if there is no search."""

    @property
    def is_time_limited(self) -> bool:
        return not self.deals

    def choose(self, view: View) -> Move:
        """Return the first candidate, because there is no game to search."""
        return self.candidates(view)[0]

    def choose_with_search(self, view: View, position: Position) -> Move:
        moves = self.candidates(view)
        best = int(moves[0])
        if len(moves) > 1:
            seed = self.random.getrandbits(62)
            numbers = [int(move) for move in moves]
            request = SearchRequest(position, view.seat, numbers, seed, self.seconds, self.deals)
            best = self.search_task.search(request, self.processes)
        return next((move for move in moves if move == best), moves[0])

    def close(self) -> None:
        self.search_task.stop()


def parse_budget(budget: str) -> tuple[float, int, int]:
    """Parse a budget: `200` (deals), `0.5s` (seconds) or `0.5s@4` (on four processes); raise ValueError otherwise.

    Return the seconds (DEFAULT_SECONDS for a budget in deals), the deals (0 for one in seconds) and the processes.
    The worker pool grows to at least that number of processes.
    """
    amount_text, separator, cores = budget.partition("@")
    amount, is_seconds = parse_amount(amount_text)
    processes = parse_processes(cores) if separator else default_processes()
    worker_pool.POOL.grow(processes)
    return (amount, 0, processes) if is_seconds else (DEFAULT_SECONDS, int(amount), processes)


def parse_amount(budget: str) -> tuple[float, bool]:
    """Return the amount of a budget such as `200` or `0.5s`, and whether it is in seconds.

    Raise ValueError for invalid budgets.
    """
    is_seconds = budget.endswith("s")
    try:
        amount = float(budget[:-1]) if is_seconds else int(budget)
    except ValueError:
        amount = 0
    if not 0 < amount < float("inf"):
        raise ValueError(f"{budget!r} is not a budget: write 200 (deals) or 0.5s (seconds), for example")
    return amount, is_seconds


def parse_processes(cores: str) -> int:
    if not (cores.isdecimal() and 0 < int(cores) <= MAX_PROCESSES):
        raise ValueError(f"{cores!r} is not a number of cores: write 200@4 or 0.5s@4, for example")
    return int(cores)


def default_processes() -> int:
    """Return the number of processes from ARGENTUM_SEARCH_PROCESSES, at most MAX_PROCESSES; 1 if it is not set."""
    value = os.environ.get(PROCESSES_VARIABLE, "")
    if not value and OLD_PROCESSES_VARIABLE in os.environ:
        warnings.warn(
            f"{OLD_PROCESSES_VARIABLE} is now called {PROCESSES_VARIABLE}; the old name works until version 2.0",
            FutureWarning,
            stacklevel=2,
        )
        value = os.environ[OLD_PROCESSES_VARIABLE]
    return min(max(int(value), 1), MAX_PROCESSES) if value.isdecimal() else 1
