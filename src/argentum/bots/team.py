"""Several thinkers at one thought: each makes the same deals in the same order, and plays its share of them out.

With a number of deals the answer is that of one thinker, however many there are, since which deals are made and when
candidates are dropped does not depend on it.
"""

import json
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol

from argentum.bots.search import Deals, run, search
from argentum.rules.game import Game

ENDLESS: Final = 1_000_000  # deals
AT_ONCE: Final = 32  # deals that each plays out before it is heard: a few milliseconds, compiled
BEGIN: Final = "begin"  # what a thinker is told: to think about an order with others
SHARE: Final = "share"  # and to play its share of some deals out


class Order(NamedTuple):
    """What is to be thought about: the text of an imagined game, whose choice, between what, and for how long."""

    game: str
    seat: str
    candidates: list[int]
    seed: int
    seconds: float
    deals: int  # 0 for as many as there is time for

    def best(self, stop: Callable[[], bool]) -> int:
        """The best of the candidates, as one process finds it."""
        until = perf_counter() + self.seconds
        deals, time_is_up = (self.deals, stop) if self.deals else (ENDLESS, lambda: perf_counter() > until or stop())
        return search(Game.resume(self.game), self.seat, self.candidates, Random(self.seed), deals, time_is_up)[0]

    def imagine(self) -> Deals:
        """The deals to think about."""
        return Deals(Game.resume(self.game), self.seat, Random(self.seed))


class Share(NamedTuple):
    """The part of one thinker: to go on to the `last` deal, and play every so many-th of them out."""

    candidates: list[int]
    last: int
    share: int
    shares: int
    seconds: float  # that are left; below 0, there is no limit

    def play(self, deals: Deals, stop: Callable[[], bool]) -> list[list[float]]:
        """Play it."""
        until = perf_counter() + self.seconds
        limited = self.seconds >= 0

        def time_is_up() -> bool:
            return (limited and perf_counter() > until) or stop()

        return deals.play(self.candidates, self.last, time_is_up, self.share, self.shares)


class Mate(Protocol):
    """A thinker, as its team knows it."""

    def tell(self, line: str) -> None:
        """Send a line; an error if nobody is there."""

    def hear(self, patience: float | None) -> Any:
        """What it answers; an error if no answer comes in time."""


class Team:
    """Thinkers at one thought. Those that are needed elsewhere can leave between two shares."""

    def __init__(self, mates: list[Mate], order: Order, late: float, leave: Callable[[], int]) -> None:
        self.mates: Final = mates
        self.order: Final = order
        self.late: Final = late  # seconds over their time after which they are given up
        self.leave: Final = leave  # how many may go on, asked after each share: the others have left
        self.until: Final = perf_counter() + order.seconds
        self.dealt = 0
        for mate in mates:
            mate.tell(json.dumps([BEGIN, order]))

    def best(self) -> int:
        """The best of the candidates; an error if a thinker fails."""
        return run(self.order.candidates, self.order.deals or ENDLESS, self.play)[0]

    def play(self, candidates: list[int], last: int) -> list[list[float]]:
        """Go on to the `last` deal, together: a row for each, fewer when time is up or the thought is stopped."""
        rows: list[list[float]] = []
        while self.dealt < last and self.mates:
            upto = min(last, self.dealt + AT_ONCE * len(self.mates))
            found = self._share_out(candidates, upto)
            rows += found
            if len(found) < upto - self.dealt:
                break
            self.dealt = upto
            del self.mates[self.leave() :]
        return rows

    def _share_out(self, candidates: list[int], last: int) -> list[list[float]]:
        """Let each play its share of the next deals; all their rows, in the order of the deals."""
        shares, timed = len(self.mates), not self.order.deals
        left = max(self.until - perf_counter(), 0.0) if timed else -1.0
        for nth, mate in enumerate(self.mates):
            mate.tell(json.dumps([SHARE, Share(candidates, last, nth, shares, left)]))
        numbered: list[tuple[int, list[float]]] = []
        for nth, mate in enumerate(self.mates):
            first = self.dealt + (nth - self.dealt) % shares
            rows = mate.hear(left + self.late if timed else None)
            numbered += [(first + place * shares, row) for place, row in enumerate(rows)]
        return [row for _, row in sorted(numbered)]
