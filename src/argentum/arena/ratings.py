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
from argentum.arena.jobs import Result

RESAMPLES: Final = 200
MIDDLE: Final = 1500.0  # the mean rating of the pool
SCALE: Final = 400 / log(10)  # as in chess: 400 points more are ten times the strength
PRIOR: Final = 1.0  # games won, and as many lost, against a bot of mean strength: else who wins all has no rating
CLOSE: Final = 1e-8  # when the logarithms of strengths have settled
STEPS: Final = 100

# A place that was given: to which bot, out of how many seats of each that were left.
Place: TypeAlias = tuple[int, tuple[int, ...]]


class Rating(NamedTuple):
    """A bot's place on the ladder."""

    bot: str
    rating: Estimate
    games: int


def ladder(names: Sequence[str], by_deal: Sequence[Sequence[Sequence[Result]]], seed: int = 1) -> list[Rating]:
    """The bots with their ratings, the best first, from games that are sorted by deals."""
    places = [places_of(names, games) for games in by_deal]
    fitted = fit(len(names), total(places))
    random = Random(f"ladder {seed}")
    samples = [rated(fit(len(names), total(random.choices(places, k=len(places))), fitted)) for _ in range(RESAMPLES)]
    ratings = [
        Rating(name, interval(rating, [sample[nth] for sample in samples]), games_of(name, by_deal))
        for nth, (name, rating) in enumerate(zip(names, rated(fitted), strict=True))
    ]
    return sorted(ratings, key=lambda one: -one.rating.mean)


def interval(value: float, samples: Sequence[float]) -> Estimate:
    """A value with the middle 95 % of what it was in the samples."""
    ordered = sorted(samples)
    cut = int(0.025 * len(ordered))
    return Estimate(value, ordered[cut], ordered[-1 - cut])


def games_of(name: str, by_deal: Sequence[Sequence[Sequence[Result]]]) -> int:
    """In how many games a bot played."""
    return sum([any([seat.bot == name for seat in seats]) for games in by_deal for seats in games])


def places_of(names: Sequence[str], games: Sequence[Sequence[Result]]) -> Counter[Place]:
    """The places that were given in some games; the last seat of a game gets what is left, which says nothing."""
    counts: Counter[Place] = Counter()
    for seats in games:
        order = [names.index(seat.bot) for seat in sorted(seats, key=lambda seat: seat.rank)]
        for nth in range(len(order) - 1):
            left = order[nth:]
            counts[order[nth], tuple([left.count(bot) for bot in range(len(names))])] += 1
    return counts


def total(counts: Sequence[Mapping[Place, int]]) -> Counter[Place]:
    """All places together."""
    whole: Counter[Place] = Counter()
    for one in counts:
        whole.update(one)
    return whole


def fit(bots: int, places: Mapping[Place, int], start: Sequence[float] = ()) -> list[float]:
    """The most likely strengths, as logarithms, by Newton's method; the likelihood has one top only."""
    logs = list(start) or [0.0] * bots
    given = [sum([count for (bot, _), count in places.items() if bot == one]) for one in range(bots)]
    fields: Counter[tuple[int, ...]] = Counter()
    for (_, left), count in places.items():
        fields[left] += count
    for _ in range(STEPS):
        strengths = [exp(one) for one in logs]
        prior = [strength / (1 + strength) for strength in strengths]
        slope = [won + PRIOR * (1 - 2 * chance) for won, chance in zip(given, prior, strict=True)]
        bend = [[0.0] * bots for _ in logs]
        for bot, chance in enumerate(prior):
            bend[bot][bot] = 2 * PRIOR * chance * (1 - chance)
        for left, count in fields.items():
            weights = [seats * strength for seats, strength in zip(left, strengths, strict=True)]
            chances = [weight / sum(weights) for weight in weights]
            for one, chance in enumerate(chances):
                slope[one] -= count * chance
                bend[one][one] += count * chance
                for other in range(bots):
                    bend[one][other] -= count * chance * chances[other]
        steps = solved(bend, slope)
        longest = max([abs(step) for step in steps])
        logs = [one + step / max(longest, 1.0) for one, step in zip(logs, steps, strict=True)]
        if longest < CLOSE:
            break
    return logs


def solved(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """What the (positive definite) matrix makes these values of, by elimination.

    >>> solved([[2.0, 1.0], [1.0, 3.0]], [4.0, 7.0])
    [1.0, 2.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for nth, row in enumerate(rows):
        for other in rows:
            if other is not row:
                factor = other[nth] / row[nth]
                other[:] = [one - factor * by for one, by in zip(other, row, strict=True)]
    return [row[-1] / row[nth] for nth, row in enumerate(rows)]


def rated(logs: Sequence[float]) -> list[float]:
    """Logarithms of strengths on the scale of chess ratings.

    >>> [round(rating) for rating in rated([log(10), log(1)])]
    [1700, 1300]
    """
    return [MIDDLE + SCALE * (one - fsum(logs) / len(logs)) for one in logs]
