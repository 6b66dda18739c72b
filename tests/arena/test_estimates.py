"""Means and intervals."""

from random import Random

import pytest

from argentum.arena.estimates import mean_estimate, share_estimate, t_quantile


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042)]
)
def test_quantiles_of_student_are_those_of_the_books(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=0.001)


def test_a_mean_has_students_interval() -> None:
    assert mean_estimate([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 1.037, 4.963), abs=0.01)
    assert mean_estimate([7.0]) == (7.0, float("-inf"), float("inf"))


def test_a_share_stays_within_0_and_1_and_is_never_sure() -> None:
    assert share_estimate([0.0] * 10).low == 0.0
    assert 0.05 < share_estimate([0.0] * 10).high < 0.4
    assert share_estimate([1.0] * 10) == pytest.approx([1.0, 1 - share_estimate([0.0] * 10).high, 1.0])
    even = share_estimate([0.5] * 200)
    assert even.mean == 0.5
    assert 0.48 < even.low < 0.5 < even.high < 0.52


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    random = Random(1)
    held = 0
    for _ in range(400):  # deals that are won twice, once or never, and not independently
        deals = [random.choice([0.0, 0.5, 0.5, 1.0, 1.0]) for _ in range(30)]
        _, low, high = share_estimate(deals)
        held += low <= 0.6 <= high
    assert 0.92 < held / 400 < 0.985
