"""Win probabilities after a scored round."""

from math import exp, fsum, sqrt
from typing import Final

from argentum.rules.scoring import ROUNDS_PER_GAME, winner_seat
from argentum.rules.table import TOKEN_ACTIVE, Table

WIN_SHARE_SCALE: Final = (
    11.0  # points, for each root of a round to come, by which somebody's chances are e times another's
)
TOKEN_VALUE: Final = 3.5  # points in the next round
POINT_BONUS: Final = 0.0005  # per point, so that hopeless positions still prefer better scores


def win_probability(table: Table, me: int) -> float:
    """Return the probability that a seat wins the game after this round (G19), plus a little per point."""
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
    """Return the probability of winning with these points and at least one round to play."""
    spread = WIN_SHARE_SCALE * sqrt(rounds)
    least = min(totals)
    shares = [exp((least - total) / spread) for total in totals]
    return shares[me] / fsum(shares)
