"""Ratings of a pool of bots: a Plackett-Luce model of rankings, fitted to all games by maximum likelihood.

Each bot has a strength; among the remaining seats, the next rank goes to each with a probability proportional to its
strength. The model allows any number of seats and several seats of one bot. Unlike ratings that are updated after
each game, the fit does not depend on the order of the games. The intervals are bootstrapped over deals, because the
games of a deal are not independent.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, fsum, log
from random import Random
from typing import Final, NamedTuple, TypeAlias

from argentum.arena.estimates import Estimate
from argentum.arena.jobs import SeatResult

BOOTSTRAP_SAMPLES: Final = 200
MEAN_RATING: Final = 1500.0  # of the pool
RATING_SCALE: Final = 400 / log(10)  # as in chess: 400 points are a factor of ten in strength
PRIOR_GAMES: Final = 1.0  # won and lost against a bot of mean strength, so that a bot that wins everything has a rating
TOLERANCE: Final = 1e-8  # largest Newton step at which the fit has converged
MAX_ITERATIONS: Final = 100

# The index of the bot that took a rank, and the number of seats of each bot that could have taken it.
Placement: TypeAlias = tuple[int, tuple[int, ...]]


class BotRating(NamedTuple):
    bot: str
    rating: Estimate
    games: int


def rate_bots(
    names: Sequence[str], by_deal: Sequence[Sequence[Sequence[SeatResult]]], seed: int = 1
) -> list[BotRating]:
    """Return the rating of each bot from games grouped by deal, the best bot first."""
    counts = [count_placements(names, games) for games in by_deal]
    fitted = fit_plackett_luce(len(names), sum_counts(counts))
    random = Random(f"ladder {seed}")
    samples = [
        to_rating_scale(fit_plackett_luce(len(names), sum_counts(random.choices(counts, k=len(counts))), fitted))
        for _ in range(BOOTSTRAP_SAMPLES)
    ]
    ratings = [
        BotRating(name, bootstrap_interval(rating, [sample[index] for sample in samples]), count_games(name, by_deal))
        for index, (name, rating) in enumerate(zip(names, to_rating_scale(fitted), strict=True))
    ]
    return sorted(ratings, key=lambda rated: -rated.rating.mean)


def bootstrap_interval(value: float, samples: Sequence[float]) -> Estimate:
    """Return a value with the interval that contains the middle 95 % of its bootstrap samples."""
    ordered = sorted(samples)
    cut = int(0.025 * len(ordered))
    return Estimate(value, ordered[cut], ordered[-1 - cut])


def count_games(name: str, by_deal: Sequence[Sequence[Sequence[SeatResult]]]) -> int:
    return sum([any([seat.bot == name for seat in seats]) for games in by_deal for seats in games])


def count_placements(names: Sequence[str], games: Sequence[Sequence[SeatResult]]) -> Counter[Placement]:
    """Count the placements in games, without the last rank of each game, for which only one seat is left."""
    counts: Counter[Placement] = Counter()
    for seats in games:
        order = [names.index(seat.bot) for seat in sorted(seats, key=lambda seat: seat.rank)]
        for index in range(len(order) - 1):
            seats_left = order[index:]
            counts[order[index], tuple([seats_left.count(bot) for bot in range(len(names))])] += 1
    return counts


def sum_counts(counts: Sequence[Mapping[Placement, int]]) -> Counter[Placement]:
    total: Counter[Placement] = Counter()
    for counter in counts:
        total.update(counter)
    return total


def fit_plackett_luce(bots: int, places: Mapping[Placement, int], start: Sequence[float] = ()) -> list[float]:
    """Fit the logarithms of the strengths by Newton's method, from `start` or from equal strengths."""
    log_strengths = list(start) or [0.0] * bots
    wins = [sum([count for (winner, _), count in places.items() if winner == bot]) for bot in range(bots)]
    contests: Counter[tuple[int, ...]] = Counter()
    for (_, seats_left), count in places.items():
        contests[seats_left] += count
    for _ in range(MAX_ITERATIONS):
        strengths = [exp(log_strength) for log_strength in log_strengths]
        prior = [strength / (1 + strength) for strength in strengths]
        gradient = [
            win_count + PRIOR_GAMES * (1 - 2 * probability) for win_count, probability in zip(wins, prior, strict=True)
        ]
        hessian = [[0.0] * bots for _ in log_strengths]
        for bot, probability in enumerate(prior):
            hessian[bot][bot] = 2 * PRIOR_GAMES * probability * (1 - probability)
        for seats_left, count in contests.items():
            weights = [seats * strength for seats, strength in zip(seats_left, strengths, strict=True)]
            probabilities = [weight / sum(weights) for weight in weights]
            for bot, probability in enumerate(probabilities):
                gradient[bot] -= count * probability
                hessian[bot][bot] += count * probability
                for other in range(bots):
                    hessian[bot][other] -= count * probability * probabilities[other]
        steps = solve_linear(hessian, gradient)
        longest = max([abs(step) for step in steps])
        log_strengths = [value + step / max(longest, 1.0) for value, step in zip(log_strengths, steps, strict=True)]
        if longest < TOLERANCE:
            break
    return log_strengths


def solve_linear(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Solve a linear system with a positive definite matrix, by Gauss-Jordan elimination.

    >>> solve_linear([[2.0, 1.0], [1.0, 3.0]], [4.0, 7.0])
    [1.0, 2.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for index, row in enumerate(rows):
        for other in rows:
            if other is not row:
                factor = other[index] / row[index]
                other[:] = [value - factor * pivot_value for value, pivot_value in zip(other, row, strict=True)]
    return [row[-1] / row[index] for index, row in enumerate(rows)]


def to_rating_scale(log_strengths: Sequence[float]) -> list[float]:
    """Convert logarithms of strengths to the scale of chess ratings.

    >>> [round(rating) for rating in to_rating_scale([log(10), log(1)])]
    [1700, 1300]
    """
    return [
        MEAN_RATING + RATING_SCALE * (strength - fsum(log_strengths) / len(log_strengths)) for strength in log_strengths
    ]
