"""When to call for a vote."""

from math import fsum, sqrt
from typing import Final

from argentum.bots.heuristics.evaluation import SHRINK, Judgement, normal
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME

ROUND_SPREAD: Final = 14.0  # by how many points a round usually changes the game
TOKEN_WORTH: Final = 1.5  # points that an active token is worth in the next round
LAST_TURN: Final = 4.0  # points that somebody gains on the caller in its last turn
NOISE: Final = 12.0  # the variance of that
LATER: Final = 60.0  # the variance of what happens until somebody else calls
CAUTION: Final = 0.07  # by how much less likely a call is won than it looks


def calling(judgement: Judgement) -> float:
    """How much more likely the game is won by a call now than by leaving it to a later call, by whomever."""
    view, me, end = judgement.view, judgement.me, judgement.ending
    rounds = ROUNDS_PER_GAME - view.round
    token = TOKEN_WORTH if rounds else 0.0
    lead = min([view.totals[seat] for seat in judgement.others]) - view.totals[me]

    def winning(points: float) -> float:
        """How likely the game is won if this round brings so many points more; and more is better in any case."""
        return normal((lead + points) / (ROUND_SPREAD * sqrt(rounds) + 1.0)) + points / 1000

    mine = end.costs[me]
    theirs = fsum([judgement.weights[seat] * end.costs[seat] for seat in judgement.others])
    wins = later = 1.0
    for seat in judgement.others:
        doubt = end.spreads[me] + end.spreads[seat]
        wins *= normal((end.costs[seat] - LAST_TURN - mine + 0.5) / sqrt(doubt + NOISE))
        later *= normal((judgement.costs[seat] - judgement.costs[me]) / sqrt(doubt + LATER))
    wins = max(wins - CAUTION, 0.0)
    theirs_then = theirs - LAST_TURN / 2
    called = wins * winning(theirs_then + token) + (1 - wins) * winning(theirs_then - 4 - mine - LOST_CALL_POINTS)
    waited = later * winning(SHRINK * theirs + token) + (1 - later) * winning(-SHRINK * mine - token)
    return called - waited
