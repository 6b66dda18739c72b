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
        """Return a bot with a budget per move, such as `200` (deals), `0.5s`, or `0.5s@4` (on four cores)."""
        return cls(seed, *parse_budget(budget))

    def candidates(self, view: View) -> list[Move]:
        return select_candidates(rate_moves(view))


def select_candidates(ratings: list[tuple[float, Move]]) -> list[Move]:
    """Return up to `MAX_CANDIDATES` moves: the best-rated one, then a legal call, then those nearly as good."""
    ranked = sorted(ratings, key=lambda rating: -rating[0])
    best_move = ranked[0][1]
    threshold = max([gain_of_rating(rating) for rating, _ in ranked]) - CANDIDATE_MARGIN
    other_candidates = [
        move for rating, move in ranked[1:] if move.verb == "call" or gain_of_rating(rating) > threshold
    ]
    other_candidates.sort(key=lambda move: move.verb != "call")
    return [best_move, *other_candidates[: MAX_CANDIDATES - 1]]
