"""The ladder."""

from math import log

import pytest

from argentum.arena.jobs import ArenaDeal, SeatResult
from argentum.arena.match import Match
from argentum.arena.ratings import RATING_SCALE, rate_bots
from tests.arena.fake_results import STRENGTHS, fake_results

NAMES = ["random", "novice", "steady"]


def games(match: Match) -> list[list[tuple[SeatResult, ...]]]:
    """Made-up results of a match, deal by deal."""
    by_deal: dict[ArenaDeal, list[tuple[SeatResult, ...]]] = {}
    for job, seats in fake_results(match.jobs).items():
        by_deal.setdefault(job.deal, []).append(seats)
    return list(by_deal.values())


def test_strengths_are_estimated_from_games_of_two_three_and_four() -> None:
    by_deal = games(Match(NAMES, ["dagger"], [2, 3, 4], 60, 1))
    ratings = rate_bots(NAMES, by_deal)
    assert [rating.bot for rating in ratings] == ["steady", "novice", "random"]
    middle = sum(log(STRENGTHS[name]) for name in NAMES) / 3
    for bot, rating, _ in ratings:
        truth = 1500 + RATING_SCALE * (log(STRENGTHS[bot]) - middle)
        assert rating.mean == pytest.approx(truth, abs=50)
        assert rating.low < rating.mean < rating.high
        assert rating.high - rating.low < 150
    assert ratings[0].games == sum(
        [any([seat.bot == "steady" for seat in seats]) for deal in by_deal for seats in deal]
    )


def test_the_order_of_games_does_not_matter() -> None:
    by_deal = games(Match(NAMES, ["dagger"], [2], 20, 1))
    backwards = [deal[::-1] for deal in by_deal[::-1]]
    forth, back = [[rated.rating.mean for rated in rate_bots(NAMES, deals)] for deals in (by_deal, backwards)]
    assert forth == pytest.approx(back)


def test_who_wins_everything_has_a_rating_all_the_same() -> None:
    always = [[(SeatResult("steady", 0, 1, 0, 0, 1, 0.0, {}), SeatResult("novice", 9, 2, 0, 0, 1, 0.0, {}))]] * 50
    best, worst = rate_bots(["novice", "steady"], always)
    assert (best.bot, worst.bot) == ("steady", "novice")
    assert 400 < best.rating.mean - worst.rating.mean < 1600
