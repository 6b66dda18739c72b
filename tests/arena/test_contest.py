"""Standings and oracle gaps of contests between bots."""

import pytest

from argentum.arena.contest import Cell, alone_win_rate, bot_standing, cell_result, contest_jobs, make_jobs
from argentum.arena.jobs import SeatResult, make_deals
from argentum.arena.match import Match
from argentum.arena.strength import oracle_gap
from tests.arena.fake_results import fake_results


def seat_result(bot: str, points: int, rank: int, calls: int = 0, won: int = 0) -> SeatResult:
    return SeatResult(bot, points, rank, calls, won, 10, 0.5, {})


def test_a_standing_is_the_mean_per_seat_with_an_interval_over_deals() -> None:
    games = [
        [
            (seat_result("a", 10, 1, 2, 1), seat_result("a", 30, 3), seat_result("b", 20, 2, 1, 1)),
            (seat_result("a", 10, 1), seat_result("b", 50, 3), seat_result("b", 30, 2)),
        ],
        [
            (seat_result("a", 40, 3), seat_result("a", 20, 2), seat_result("b", 10, 1)),
            (seat_result("a", 20, 1, 1, 1), seat_result("b", 21, 2), seat_result("b", 23, 3)),
        ],
    ]
    standing = bot_standing("a", games)
    assert standing.wins.mean == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert standing.points_ahead.mean == pytest.approx((0 + 30 - 20 + 2) / 4)
    assert standing.points_ahead.high - standing.points_ahead.mean == pytest.approx(
        12.706205 * 12
    )  # of the two means 15 and -9
    assert standing.rank.mean == pytest.approx((5 / 3 + 2) / 2)
    assert [standing.calls_per_game, standing.calls_won, standing.seconds_per_decision] == pytest.approx(
        [3 / 6, 2 / 3, 0.05]
    )


def test_only_deals_played_in_every_seating_are_counted() -> None:
    cell = Cell(("novice", "steady"), "coin", 3)
    jobs = make_jobs(cell, make_deals("coin", 3, 4, 1))
    results = fake_results(jobs)
    assert cell_result(cell, jobs, results)[1:3] == (4, 24)
    del results[jobs[7]]
    assert cell_result(cell, jobs, results)[1:3] == (3, 18)
    assert cell_result(cell, jobs, {}).standings == []


def test_the_games_of_two_bots_are_among_those_of_a_larger_pool() -> None:
    pair = contest_jobs(["novice", "steady"], ["random"], [2], 10, 3)
    pool = contest_jobs(["random", "novice", "steady"], ["random"], [2], 10, 3)
    assert set(*pair.values()) < set(*pool.values())


def test_the_closed_gap_of_a_bot_like_the_oracle_is_1_and_of_one_like_steady_0() -> None:
    match = Match(["peer", "steady", "other"], ["dagger"], [2, 3], 300, 1)
    oracle_match = Match(["steady", "oracle"], ["dagger"], [2], 300, 1)
    jobs = [*match.jobs, *oracle_match.jobs]
    results = fake_results(jobs, {"peer": 1.0, "steady": 1.0, "other": 9.0, "oracle": 9.0})
    peer, other = oracle_gap("peer", "dagger", jobs, results), oracle_gap("other", "dagger", jobs, results)
    assert peer is not None
    assert other is not None
    assert peer.closed.low < 0.0 < peer.closed.high
    assert other.closed.low < 1.0 < other.closed.high
    assert other.closed.high - other.closed.low < 0.5
    assert other.bot_wins.mean == pytest.approx(0.9, abs=0.06)
    assert oracle_gap("nobody", "dagger", jobs, results) is None


def test_the_alone_win_rate_counts_games_with_one_seat_against_one_other_bot() -> None:
    def seats(*ranked: tuple[str, int]) -> tuple[SeatResult, ...]:
        return tuple([SeatResult(bot, 10, rank, 0, 0, 1, 0.1, {}) for bot, rank in ranked])

    lone = seats(("moon", 1), ("steady", 2), ("steady", 3))
    pair = seats(("moon", 1), ("moon", 2), ("steady", 3))
    mixed = seats(("moon", 1), ("steady", 2), ("novice", 3))
    duel = seats(("moon", 1), ("steady", 2))
    lost = seats(("moon", 3), ("steady", 2), ("steady", 1))
    estimate = alone_win_rate("moon", [[lone, pair, mixed, duel, lost], [pair], [lone]])
    assert estimate is not None
    assert estimate.mean == 0.75  # of two deals: one game of two, and the only one
    assert alone_win_rate("moon", [[pair, mixed, duel]]) is None
    assert alone_win_rate("steady", [[pair]]) == alone_win_rate("novice", [[seats(("novice", 3), *[("moon", 1)] * 2)]])
