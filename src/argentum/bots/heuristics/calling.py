"""When to call for a vote."""

from math import fsum, sqrt
from typing import Final

from argentum.bots.heuristics.evaluation import LEAD_DECAY, Evaluation, normal_cdf
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME

ROUND_STD: Final = 14.0  # by how many points a round usually changes the game
TOKEN_VALUE: Final = 1.5  # points that an active token is worth in the next round
LAST_TURN_GAIN: Final = 4.0  # points that somebody gains on the caller in its last turn
LAST_TURN_VARIANCE: Final = 12.0  # the variance of that
LATER_VARIANCE: Final = 60.0  # the variance of what happens until somebody else calls
CALL_MARGIN: Final = 0.07  # by how much less likely a call is won than it looks


def call_gain(judgement: Evaluation) -> float:
    """How much more likely the game is won by a call now than by leaving it to a later call, by whomever."""
    view, me, end = judgement.view, judgement.me, judgement.at_round_end
    rounds = ROUNDS_PER_GAME - view.round
    token = TOKEN_VALUE if rounds else 0.0
    lead = min([view.totals[seat] for seat in judgement.others]) - view.totals[me]

    def win_probability(points: float) -> float:
        """How likely the game is won if this round brings so many points more; and more is better in any case."""
        return normal_cdf((lead + points) / (ROUND_STD * sqrt(rounds) + 1.0)) + points / 1000

    mine = end.costs[me]
    theirs = fsum([judgement.weights[seat] * end.costs[seat] for seat in judgement.others])
    wins = later = 1.0
    for seat in judgement.others:
        variance = end.sum_variances[me] + end.sum_variances[seat]
        wins *= normal_cdf((end.costs[seat] - LAST_TURN_GAIN - mine + 0.5) / sqrt(variance + LAST_TURN_VARIANCE))
        later *= normal_cdf((judgement.costs[seat] - judgement.costs[me]) / sqrt(variance + LATER_VARIANCE))
    wins = max(wins - CALL_MARGIN, 0.0)
    theirs_then = theirs - LAST_TURN_GAIN / 2
    called = wins * win_probability(theirs_then + token) + (1 - wins) * win_probability(
        theirs_then - 4 - mine - LOST_CALL_POINTS
    )
    waited = later * win_probability(LEAD_DECAY * theirs + token) + (1 - later) * win_probability(
        -LEAD_DECAY * mine - token
    )
    return called - waited
