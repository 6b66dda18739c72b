"""A bot that looks ahead: it plays the round on in its head, many times, for each of steady's best moves."""

from typing import ClassVar, Final, Self

from argentum.bots.search.search_bot import SearchBot, parse_budget
from argentum.bots.steady import gain_of_rating, rate_moves
from argentum.rules.move import Move
from argentum.rules.views import View

MAX_CANDIDATES: Final = 6  # candidates
CANDIDATE_MARGIN: Final = 4.0  # points by which a candidate may look worse than the best


class SeerBot(SearchBot):
    """Steady's moves, and others where the rounds that it imagines end better with them."""

    name: ClassVar[str] = "seer"
    summary: ClassVar[str] = "plays the round on in its head, hundreds of times, before it moves"
    needs_subprocess: ClassVar[bool] = True

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None) -> Self:
        """One with a budget for each move: `200`, so many deals, or `0.5s`, so many seconds.

        `200@4` and `0.5s@4` are the same on four cores.
        """
        return cls(seed, *parse_budget(budget))

    def candidates(self, view: View) -> list[Move]:
        """The moves to look into, steady's own first."""
        return select_candidates(rate_moves(view))


def select_candidates(ratings: list[tuple[float, Move]]) -> list[Move]:
    """The moves to look into, steady's own first: those that are nearly as good, and a call in any case."""
    ranked = sorted(ratings, key=lambda one: -one[0])
    first = ranked[0][1]
    top = max([gain_of_rating(rating) for rating, _ in ranked])
    near = [
        move for rating, move in ranked[1:] if move.verb == "call" or gain_of_rating(rating) > top - CANDIDATE_MARGIN
    ]
    near.sort(key=lambda move: move.verb != "call")
    return [first, *near[: MAX_CANDIDATES - 1]]
