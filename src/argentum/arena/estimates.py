"""Means with 95 % confidence intervals over deals, because the games of a deal are not independent."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, variance
from typing import Final, NamedTuple

NORMAL_QUANTILE: Final = NormalDist().inv_cdf(0.975)
# 97.5 % quantiles of Student's t distribution with 1, 2, ... degrees of freedom.
T_QUANTILES: Final = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157)


class Estimate(NamedTuple):
    """A mean and the ends of its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def scaled(self, factor: float) -> "Estimate":
        return Estimate(*[factor * value for value in self])


def t_quantile(degrees_of_freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t distribution.

    From 10 degrees of freedom on, an expansion about the normal quantile is correct to four digits.

    >>> [round(t_quantile(freedom), 3) for freedom in (1, 2, 3, 5, 30)]
    [12.706, 4.303, 3.182, 2.571, 2.042]
    """
    if degrees_of_freedom <= len(T_QUANTILES):
        return T_QUANTILES[degrees_of_freedom - 1]
    z, n = NORMAL_QUANTILE, degrees_of_freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def mean_estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of one value per deal, with Student's interval, which is infinite for a single deal."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, float("-inf"), float("inf"))
    half_width = t_quantile(len(values) - 1) * sqrt(variance(values) / len(values))
    return Estimate(mean, mean - half_width, mean + half_width)


def share_estimate(shares: Sequence[float]) -> Estimate:
    """Return the mean of one share per deal, with the interval that two more deals, one won and one lost, would give.

    As with the interval of Agresti and Coull for single trials, the width is positive even if all games were won.

    >>> [round(value, 3) for value in share_estimate([1.0] * 100)]
    [1.0, 0.971, 1.0]
    """
    _, low, high = mean_estimate([*shares, 0.0, 1.0])
    return Estimate(fmean(shares), max(low, 0.0), min(high, 1.0))
