"""A bot that searches over the best moves of `steady`."""

from typing import ClassVar, Final, Self

from argentum.bots.search.search_bot import SearchBot, parse_budget
from argentum.bots.steady import gain_of_rating, rate_moves
from argentum.rules.move import Move
from argentum.rules.views import View

MAX_CANDIDATES: Final = 6
CANDIDATE_MARGIN: Final = 4.0  # points below the best rating


class SeerBot(SearchBot):
    """Play out the best moves of `steady` on sampled deals and choose the best result."""

    name: ClassVar[str] = "seer"
    summary: ClassVar[str] = "plays the round on in its head, hundreds of times, before it moves"
    needs_subprocess: ClassVar[bool] = True

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None) -> Self:
        """Return a bot with a budget of `200` deals, `0.5s`, `200@4` or `0.5s@4` (on four cores) per move."""
        return cls(seed, *parse_budget(budget))

    def candidates(self, view: View) -> list[Move]:
        return select_candidates(rate_moves(view))


def select_candidates(ratings: list[tuple[float, Move]]) -> list[Move]:
    """Return the move with the best rating, then a legal call, then the moves that are nearly as good."""
    ranked = sorted(ratings, key=lambda rating: -rating[0])
    first = ranked[0][1]
    threshold = max([gain_of_rating(rating) for rating, _ in ranked]) - CANDIDATE_MARGIN
    near = [move for rating, move in ranked[1:] if move.verb == "call" or gain_of_rating(rating) > threshold]
    near.sort(key=lambda move: move.verb != "call")
    return [first, *near[: MAX_CANDIDATES - 1]]
