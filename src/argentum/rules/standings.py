# mypyc: compile
"""The standings of a game: ranks, margins in points, and probabilities of winning. The fewest points win (G19).

>>> finishing_order([30, 20, 20], token_seat=0), shared_ranks([30, 20, 20], winner=1)
([1, 2, 0], [3, 1, 2])
>>> point_differences([88, 192])
[104.0, -104.0]
>>> lead_over_best([30, 20, 25], seat=1)
5
"""

from collections.abc import Sequence
from math import erf, exp, fsum, sqrt
from typing import Any, Final

from argentum.rules.table import TOKEN_ACTIVE, Table

ROUND_STD: Final = 14.0  # standard deviation of the points by which a seat gains on another in a round
SQRT_2: Final = 1.4142135623730951
# Points of a lead that makes winning e times as likely, with one round to play; multiplied by sqrt(rounds).
WIN_SHARE_SCALE: Final = 11.0
TOKEN_VALUE: Final = 3.5  # points in the next round
POINT_BONUS: Final = 0.0005  # per point, so that hopeless positions still prefer better scores


# Ranks.


def finishing_order(totals: Sequence[int], token_seat: int) -> list[int]:
    """Return the seats from first to last. Tied seats follow one another clockwise from the token (G19)."""
    players = len(totals)
    clockwise = [(token_seat + offset) % players for offset in range(players)]
    return sorted(clockwise, key=lambda seat: totals[seat])


def winner_seat(table: Table) -> int:
    """Return the seat with the lowest total; at a tie, the first one clockwise from the token (G19)."""
    return finishing_order(table.totals, table.token_seat)[0]


def distinct_ranks(totals: Sequence[int], token_seat: int) -> list[int]:
    """Return the rank of each seat, from 1, with ties broken as for the winner (G19)."""
    order = finishing_order(totals, token_seat)
    return [order.index(seat) + 1 for seat in range(len(totals))]


def shared_ranks(totals: Sequence[int], winner: int) -> list[int]:
    """Return the rank of each seat. Tied seats share the best of their ranks, but only the winner has rank 1 (G19)."""
    ranks: list[int] = []
    for seat, total in enumerate(totals):
        better = len([other for other in totals if other < total])
        tied_with_winner = seat != winner and total == totals[winner]
        ranks.append(1 + better + tied_with_winner)
    return ranks


# Margins.


def lead_over_mean(points: Any, points_of_all: Any, players: int, seats: int = 1) -> Any:
    """Return how many points less a seat has than the mean of the other seats.

    `points` are the points of the seat, or the sum for a group of several `seats`, which is compared with the others.
    All arguments may be numbers or NumPy arrays.
    """
    return (points_of_all - points) / (players - seats) - points / seats


def point_differences(points: Sequence[int]) -> list[float]:
    """Return the lead of each seat over the mean of the others. The leads sum to 0."""
    return [lead_over_mean(own, sum(points), len(points)) for own in points]


def lead_over_best(totals: Sequence[float], seat: int) -> float:
    """Return how many points less a seat has than the best of the others."""
    return min([total for other, total in enumerate(totals) if other != seat]) - totals[seat]


# Probabilities of winning, estimated from the totals.


def normal_cdf(z: float) -> float:
    """Return the cumulative distribution function of the standard normal distribution."""
    return 0.5 * (1 + erf(z / SQRT_2))


def normal_win_probability(lead: float, rounds_left: int) -> float:
    """Return the probability that a lead over the best other seat is still one after the remaining rounds.

    The lead is assumed to change by a normally distributed number of points per round. It need not be the current one,
    so that bots can compare possible leads.
    """
    return normal_cdf(lead / (ROUND_STD * sqrt(rounds_left) + 1.0))


def win_share(totals: Sequence[float], rounds_left: int, seat: int) -> float:
    """Return the probability that a seat wins with these totals and 1 or more rounds still to play."""
    scale = WIN_SHARE_SCALE * sqrt(rounds_left)
    lowest = min(totals)
    shares = [exp((lowest - total) / scale) for total in totals]
    return shares[seat] / fsum(shares)


def win_probability(table: Table, seat: int, rounds_left: int) -> float:
    """Return a seat's win probability after a scored round, plus `POINT_BONUS` for each point of its lead."""
    totals = [float(total) for total in table.totals]
    bonus = POINT_BONUS * lead_over_best(totals, seat)
    if rounds_left <= 0:
        return (1.0 if winner_seat(table) == seat else 0.0) + bonus
    if table.token_state == TOKEN_ACTIVE:
        totals[table.token_seat] -= TOKEN_VALUE
    return win_share(totals, rounds_left, seat) + bonus
