"""A rating over a pool of bots: Plackett and Luce's model of rankings, fitted to all games at once.

A bot has a strength, and among those who are left the next place goes to each with a chance in proportion to it. This
copes with chance, with any number of seats, and with several seats of one bot. The fit is the most likely one, so that
it does not depend on the order of the games, as ratings do that are carried on from game to game. Drawing the deals
anew gives intervals which know that the games of one deal belong together.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, fsum, log
from random import Random
from typing import Final, NamedTuple, TypeAlias

from argentum.arena.estimates import Estimate
from argentum.arena.jobs import SeatResult

BOOTSTRAP_SAMPLES: Final = 200
MEAN_RATING: Final = 1500.0  # the mean rating of the pool
RATING_SCALE: Final = 400 / log(10)  # as in chess: 400 points more are ten times the strength
PRIOR_GAMES: Final = 1.0  # games won, and as many lost, against a bot of mean strength: else who wins all has no rating
TOLERANCE: Final = 1e-8  # when the logarithms of strengths have settled
MAX_ITERATIONS: Final = 100

# A place that was given: to which bot, out of how many seats of each that were left.
Placement: TypeAlias = tuple[int, tuple[int, ...]]


class BotRating(NamedTuple):
    """A bot's place on the ladder."""

    bot: str
    rating: Estimate
    games: int


def rate_bots(
    names: Sequence[str], by_deal: Sequence[Sequence[Sequence[SeatResult]]], seed: int = 1
) -> list[BotRating]:
    """The bots with their ratings, the best first, from games that are sorted by deals."""
    places = [placements(names, games) for games in by_deal]
    fitted = fit_plackett_luce(len(names), sum_counts(places))
    random = Random(f"ladder {seed}")
    samples = [
        to_rating_scale(fit_plackett_luce(len(names), sum_counts(random.choices(places, k=len(places))), fitted))
        for _ in range(BOOTSTRAP_SAMPLES)
    ]
    ratings = [
        BotRating(name, bootstrap_interval(rating, [sample[index] for sample in samples]), game_count(name, by_deal))
        for index, (name, rating) in enumerate(zip(names, to_rating_scale(fitted), strict=True))
    ]
    return sorted(ratings, key=lambda strength: -strength.rating.mean)


def bootstrap_interval(value: float, samples: Sequence[float]) -> Estimate:
    """A value with the middle 95 % of what it was in the samples."""
    ordered = sorted(samples)
    cut = int(0.025 * len(ordered))
    return Estimate(value, ordered[cut], ordered[-1 - cut])


def game_count(name: str, by_deal: Sequence[Sequence[Sequence[SeatResult]]]) -> int:
    """In how many games a bot played."""
    return sum([any([seat.bot == name for seat in seats]) for games in by_deal for seats in games])


def placements(names: Sequence[str], games: Sequence[Sequence[SeatResult]]) -> Counter[Placement]:
    """The places that were given in some games; the last seat of a game gets what is left, which says nothing."""
    counts: Counter[Placement] = Counter()
    for seats in games:
        order = [names.index(seat.bot) for seat in sorted(seats, key=lambda seat: seat.rank)]
        for index in range(len(order) - 1):
            left = order[index:]
            counts[order[index], tuple([left.count(bot) for bot in range(len(names))])] += 1
    return counts


def sum_counts(counts: Sequence[Mapping[Placement, int]]) -> Counter[Placement]:
    """All places together."""
    whole: Counter[Placement] = Counter()
    for strength in counts:
        whole.update(strength)
    return whole


def fit_plackett_luce(bots: int, places: Mapping[Placement, int], start: Sequence[float] = ()) -> list[float]:
    """The most likely strengths, as logarithms, by Newton's method; the likelihood has one top only."""
    log_strengths = list(start) or [0.0] * bots
    wins = [sum([count for (bot, _), count in places.items() if bot == one]) for one in range(bots)]
    fields: Counter[tuple[int, ...]] = Counter()
    for (_, left), count in places.items():
        fields[left] += count
    for _ in range(MAX_ITERATIONS):
        strengths = [exp(one) for one in log_strengths]
        prior = [strength / (1 + strength) for strength in strengths]
        gradient = [won + PRIOR_GAMES * (1 - 2 * chance) for won, chance in zip(wins, prior, strict=True)]
        hessian = [[0.0] * bots for _ in log_strengths]
        for bot, chance in enumerate(prior):
            hessian[bot][bot] = 2 * PRIOR_GAMES * chance * (1 - chance)
        for left, count in fields.items():
            weights = [seats * strength for seats, strength in zip(left, strengths, strict=True)]
            chances = [weight / sum(weights) for weight in weights]
            for one, chance in enumerate(chances):
                gradient[one] -= count * chance
                hessian[one][one] += count * chance
                for other in range(bots):
                    hessian[one][other] -= count * chance * chances[other]
        steps = solve_linear(hessian, gradient)
        longest = max([abs(step) for step in steps])
        log_strengths = [one + step / max(longest, 1.0) for one, step in zip(log_strengths, steps, strict=True)]
        if longest < TOLERANCE:
            break
    return log_strengths


def solve_linear(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """What the (positive definite) matrix makes these values of, by elimination.

    >>> solved([[2.0, 1.0], [1.0, 3.0]], [4.0, 7.0])
    [1.0, 2.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for index, row in enumerate(rows):
        for other in rows:
            if other is not row:
                factor = other[index] / row[index]
                other[:] = [strength - factor * by for strength, by in zip(other, row, strict=True)]
    return [row[-1] / row[index] for index, row in enumerate(rows)]


def to_rating_scale(log_strengths: Sequence[float]) -> list[float]:
    """Logarithms of strengths on the scale of chess ratings.

    >>> [round(rating) for rating in rated([log(10), log(1)])]
    [1700, 1300]
    """
    return [
        MEAN_RATING + RATING_SCALE * (strength - fsum(log_strengths) / len(log_strengths)) for strength in log_strengths
    ]
