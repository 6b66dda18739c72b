"""A bot that looks ahead: it plays the round on in its head, many times, for each of steady's best moves."""

from typing import ClassVar, Final, Self

from argentum.bots.bot import Bot
from argentum.bots.steady import points, rated
from argentum.bots.thinking import Order, Thought
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View

SECONDS: Final = 1.0  # for a move
MOST: Final = 6  # candidates
NEAR: Final = 4.0  # points by which a candidate may look worse than the best


class SeerBot(Bot):
    """Steady's moves, and others where the rounds that it imagines end better with them.

    With a number of deals it thinks here and now, and the same seed gives the same move. Otherwise it thinks in another
    process, for so many seconds a move. If anything fails, steady's move is made.
    """

    name: ClassVar[str] = "seer"
    summary: ClassVar[str] = "plays the round on in its head, hundreds of times, before it moves"
    elsewhere: ClassVar[bool] = True
    looks_ahead: ClassVar[bool] = True

    def __init__(self, seed: int | None = None, seconds: float = SECONDS, deals: int = 0) -> None:
        super().__init__(seed)
        self.seconds: Final = seconds
        self.deals: Final = deals
        self.thought = Thought()

    @classmethod
    def within(cls, budget: str, seed: int | None = None) -> Self:
        """One with a budget for each move: `200`, so many deals, or `0.5s`, so many seconds."""
        amount, seconds = amount_of(budget)
        return cls(seed, seconds=amount) if seconds else cls(seed, deals=int(amount))

    @property
    def by_clock(self) -> bool:
        """Without a number of deals it takes all the time it has."""
        return not self.deals

    def choose(self, view: View) -> Move:
        """Without a game to look ahead on: what steady plays."""
        return candidates(rated(view))[0]

    def look_ahead(self, view: View, imagined: Game) -> Move:
        """The best of a few good moves, as the rounds go that are played on from here."""
        moves = candidates(rated(view))
        best = int(moves[0])
        if len(moves) > 1:
            seed = self.random.getrandbits(62)
            numbers = [int(move) for move in moves]
            order = Order(imagined.text(), view.seat, numbers, seed, self.seconds, self.deals)
            best = order.best(lambda: False) if self.deals else self.thought.think(order)
        return next((move for move in moves if move == best), moves[0])

    def close(self) -> None:
        """Stop thinking."""
        self.thought.stop()


def amount_of(budget: str) -> tuple[float, bool]:
    """How much a budget is, and whether that is in seconds, not deals."""
    seconds = budget.endswith("s")
    try:
        amount = float(budget[:-1]) if seconds else int(budget)
    except ValueError:
        amount = 0
    if not 0 < amount < float("inf"):
        raise ValueError(f"{budget!r} is not a budget: write 200 (deals) or 0.5s (seconds), for example")
    return amount, seconds


def candidates(rated: list[tuple[float, Move]]) -> list[Move]:
    """The moves to look into, steady's own first: those that are nearly as good, and a call in any case."""
    ranked = sorted(rated, key=lambda one: -one[0])
    first = ranked[0][1]
    top = max([points(rating) for rating, _ in ranked])
    near = [move for rating, move in ranked[1:] if move.verb == "call" or points(rating) > top - NEAR]
    near.sort(key=lambda move: move.verb != "call")
    return [first, *near[: MOST - 1]]
