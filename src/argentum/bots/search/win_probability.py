"""How likely each seat is to win the game, once a round is scored."""

from math import exp, fsum, sqrt
from typing import Final

from argentum.rules.scoring import ROUNDS_PER_GAME, winner_seat
from argentum.rules.table import TOKEN_ACTIVE, Table

WIN_SHARE_SCALE: Final = (
    11.0  # points, for each root of a round to come, by which somebody's chances are e times another's
)
TOKEN_VALUE: Final = 3.5  # points that an active token is worth in the next round
POINT_BONUS: Final = 0.0005  # what a point is worth besides, so that nobody who is lost gives up


def win_probability(table: Table, me: int) -> float:
    """How likely a seat is to win the game, when this round is over (G19); a little more for each point."""
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
    """How likely a seat is to win with these points and so many rounds to come, one at least."""
    spread = WIN_SHARE_SCALE * sqrt(rounds)
    least = min(totals)
    shares = [exp((least - total) / spread) for total in totals]
    return shares[me] / fsum(shares)
