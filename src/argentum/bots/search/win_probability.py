# mypyc: compile
"""Estimate the probability of winning the game after a scored round."""

from math import exp, fsum, sqrt
from typing import Final

from argentum.rules.scoring import ROUNDS_PER_GAME, winner_seat
from argentum.rules.table import TOKEN_ACTIVE, Table

# Points of a lead that makes winning e times as likely, with one round to play; multiplied by sqrt(rounds).
WIN_SHARE_SCALE: Final = 11.0
TOKEN_VALUE: Final = 3.5  # points in the next round
POINT_BONUS: Final = 0.0005  # per point, so that hopeless positions still prefer better scores


def win_probability(table: Table, me: int) -> float:
    """Return a seat's win probability (G19) after a scored round, plus `POINT_BONUS` for each point ahead."""
    rounds = ROUNDS_PER_GAME - table.round
    totals = [float(total) for total in table.totals]
    best = min([total for seat, total in enumerate(totals) if seat != me])
    margin = POINT_BONUS * (best - totals[me])
    if rounds <= 0:
        return (1.0 if winner_seat(table) == me else 0.0) + margin
    if table.token_state == TOKEN_ACTIVE:
        totals[table.token_seat] -= TOKEN_VALUE
    return win_share(totals, rounds, me) + margin


def win_share(totals: list[float], rounds: int, me: int) -> float:
    """Return the probability that seat `me` wins the game with these totals and `rounds` (1 or more) still to play."""
    scale = WIN_SHARE_SCALE * sqrt(rounds)
    lowest = min(totals)
    shares = [exp((lowest - total) / scale) for total in totals]
    return shares[me] / fsum(shares)
