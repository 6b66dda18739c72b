"""A bot that searches over the best moves of `steady`."""

from typing import ClassVar, Final, Self

from argentum.bots.search.search_bot import SearchBot, parse_budget
from argentum.bots.steady import gain_of_rating, rate_moves
from argentum.rules.move import Move
from argentum.rules.views import View

MAX_CANDIDATES: Final = 6
CANDIDATE_MARGIN: Final = 4.0  # points below the best move


class SeerBot(SearchBot):
    """Play out the best moves of `steady` on sampled deals and choose the best result."""

    name: ClassVar[str] = "seer"
    summary: ClassVar[str] = "plays the round on in its head, hundreds of times, before it moves"
    needs_subprocess: ClassVar[bool] = True

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None) -> Self:
        """Return a bot with a budget per move: `200` deals, or `0.5s`; `200@4` and `0.5s@4` use four cores."""
        return cls(seed, *parse_budget(budget))

    def candidates(self, view: View) -> list[Move]:
        """Return the moves to search, steady's own first."""
        return select_candidates(rate_moves(view))


def select_candidates(ratings: list[tuple[float, Move]]) -> list[Move]:
    """Return the moves to search: steady's own first, those nearly as good, and always a call."""
    ranked = sorted(ratings, key=lambda rating: -rating[0])
    first = ranked[0][1]
    top = max([gain_of_rating(rating) for rating, _ in ranked])
    near = [
        move for rating, move in ranked[1:] if move.verb == "call" or gain_of_rating(rating) > top - CANDIDATE_MARGIN
    ]
    near.sort(key=lambda move: move.verb != "call")
    return [first, *near[: MAX_CANDIDATES - 1]]
