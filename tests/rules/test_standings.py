"""Ranks, margins and probabilities of winning."""

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argentum import Game
from argentum.rules.deal import deal_next_round
from argentum.rules.engine import Engine
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.standings import (
    distinct_ranks,
    finishing_order,
    lead_over_best,
    lead_over_mean,
    normal_win_probability,
    point_differences,
    shared_ranks,
    win_probability,
    win_share,
    winner_seat,
)

totals_of_seats = st.lists(st.integers(0, 5), min_size=2, max_size=4)


def test_ties_go_to_the_seat_that_comes_first_clockwise_from_the_token() -> None:
    assert finishing_order([7, 7, 7, 3], token_seat=2) == [3, 2, 0, 1]
    assert distinct_ranks([7, 7, 7, 3], token_seat=2) == [3, 4, 2, 1]


def test_tied_seats_share_a_rank_except_the_first() -> None:
    assert shared_ranks([9, 4, 9, 4], winner=1) == [3, 1, 3, 2]
    assert shared_ranks([5, 5, 5], winner=2) == [2, 2, 1]


@given(totals_of_seats, st.integers(0, 3))
def test_ranks_agree_with_the_order(totals: list[int], token_seat: int) -> None:
    order = finishing_order(totals, token_seat % len(totals))
    assert sorted(order) == list(range(len(totals)))
    assert [totals[seat] for seat in order] == sorted(totals)
    distinct, shared = distinct_ranks(totals, token_seat % len(totals)), shared_ranks(totals, order[0])
    assert [distinct[seat] for seat in order] == list(range(1, len(totals) + 1))
    assert [rank for rank in shared if rank == 1] == [1]
    assert all(shared[seat] <= distinct[seat] for seat in order)


@given(totals_of_seats)
def test_leads_over_the_mean_sum_to_zero(totals: list[int]) -> None:
    differences = point_differences(totals)
    assert sum(differences) == pytest.approx(0)
    assert differences[0] == pytest.approx(fmean(totals[1:]) - totals[0])
    assert max(differences) == differences[totals.index(min(totals))]


def test_leads_are_over_the_mean_or_the_best_of_the_others() -> None:
    assert lead_over_mean(10, 60, 3) == 15
    assert lead_over_mean(20, 60, 4, seats=2) == 10, "two seats with a mean of 10, against two with a mean of 20"
    assert lead_over_best([10, 12, 30], 0) == 2
    assert lead_over_best([10, 12, 30], 2) == -20


def test_a_lead_is_worth_more_in_later_rounds() -> None:
    assert normal_win_probability(0, 2) == 0.5
    assert 0.5 < normal_win_probability(10, 3) < normal_win_probability(10, 1) < normal_win_probability(10, 0) <= 1
    assert win_share([10, 20, 20], 3, 0) < win_share([10, 20, 20], 1, 0)
    assert sum(win_share([10, 20, 25], 2, seat) for seat in range(3)) == pytest.approx(1)


def test_win_probabilities_sum_to_about_one_and_the_winner_ends_with_the_highest() -> None:
    engine = Game.new("dagger", 3, 2).position().engine()
    for number in range(1, ROUNDS_PER_GAME + 1):
        engine = Engine(engine.table if number == 1 else deal_next_round(engine.table, None), number)
        engine.rollout(Random(2))
        table = engine.table
        probabilities = [win_probability(table, seat, ROUNDS_PER_GAME - number) for seat in range(3)]
        assert sum(probabilities) == pytest.approx(1.0, abs=0.3)
        best = max(range(3), key=lambda seat: probabilities[seat])
        assert table.totals[best] <= min(table.totals) + 3  # The token may be worth that.
        if table.round == ROUNDS_PER_GAME:
            assert best == winner_seat(table)
