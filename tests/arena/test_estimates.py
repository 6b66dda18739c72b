"""Means with confidence intervals."""

from random import Random

import pytest

from argentum.arena.estimates import mean_estimate, share_estimate, t_quantile


@pytest.mark.parametrize(
    ("degrees_of_freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042)],
)
def test_t_quantiles_equal_published_values(degrees_of_freedom: int, quantile: float) -> None:
    assert t_quantile(degrees_of_freedom) == pytest.approx(quantile, abs=0.001)


def test_the_interval_of_a_mean_uses_students_t_distribution() -> None:
    assert mean_estimate([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 1.037, 4.963), abs=0.01)
    assert mean_estimate([7.0]) == (7.0, float("-inf"), float("inf"))


def test_the_interval_of_a_share_stays_within_0_and_1_and_has_a_positive_width() -> None:
    assert share_estimate([0.0] * 10).low == 0.0
    assert 0.05 < share_estimate([0.0] * 10).high < 0.4
    assert share_estimate([1.0] * 10) == pytest.approx([1.0, 1 - share_estimate([0.0] * 10).high, 1.0])
    even = share_estimate([0.5] * 200)
    assert even.mean == 0.5
    assert 0.48 < even.low < 0.5 < even.high < 0.52


def test_95_percent_of_the_intervals_contain_the_true_share() -> None:
    random = Random(1)
    covered = 0
    for _ in range(400):  # deals of two games that are not independent
        deals = [random.choice([0.0, 0.5, 0.5, 1.0, 1.0]) for _ in range(30)]
        _, low, high = share_estimate(deals)
        covered += low <= 0.6 <= high
    assert 0.92 < covered / 400 < 0.985
