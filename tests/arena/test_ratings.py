"""Ratings of bots, fitted to games with a Plackett-Luce model."""

from math import log

import pytest

from argentum.arena.jobs import ArenaDeal, SeatResult
from argentum.arena.match import Match
from argentum.arena.ratings import RATING_SCALE, rate_bots
from tests.arena.fake_results import STRENGTHS, fake_results

NAMES = ["random", "novice", "steady"]


def fake_results_by_deal(match: Match) -> list[list[tuple[SeatResult, ...]]]:
    by_deal: dict[ArenaDeal, list[tuple[SeatResult, ...]]] = {}
    for job, seats in fake_results(match.jobs).items():
        by_deal.setdefault(job.deal, []).append(seats)
    return list(by_deal.values())


def test_strengths_are_estimated_from_games_of_two_three_and_four_players() -> None:
    by_deal = fake_results_by_deal(Match(NAMES, ["dagger"], [2, 3, 4], 60, 1))
    ratings = rate_bots(NAMES, by_deal)
    assert [rating.bot for rating in ratings] == ["steady", "novice", "random"]
    mean_log_strength = sum(log(STRENGTHS[name]) for name in NAMES) / 3
    for bot, rating, _ in ratings:
        expected = 1500 + RATING_SCALE * (log(STRENGTHS[bot]) - mean_log_strength)
        assert rating.mean == pytest.approx(expected, abs=50)
        assert rating.low < rating.mean < rating.high
        assert rating.high - rating.low < 150
    assert ratings[0].games == sum(
        [any([seat.bot == "steady" for seat in seats]) for deal in by_deal for seats in deal]
    )


def test_ratings_do_not_depend_on_the_order_of_games() -> None:
    by_deal = fake_results_by_deal(Match(NAMES, ["dagger"], [2], 20, 1))
    reversed_deals = [deal[::-1] for deal in by_deal[::-1]]
    first, second = [[rated.rating.mean for rated in rate_bots(NAMES, deals)] for deals in (by_deal, reversed_deals)]
    assert first == pytest.approx(second)


def test_a_bot_that_wins_every_game_has_a_finite_rating() -> None:
    games = [[(SeatResult("steady", 0, 1, 0, 0, 1, 0.0, {}), SeatResult("novice", 9, 2, 0, 0, 1, 0.0, {}))]] * 50
    best, worst = rate_bots(["novice", "steady"], games)
    assert (best.bot, worst.bot) == ("steady", "novice")
    assert 400 < best.rating.mean - worst.rating.mean < 1600
