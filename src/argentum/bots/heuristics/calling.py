"""The value of calling for a vote."""

from math import fsum, sqrt
from typing import Final

from argentum.bots.heuristics.evaluation import LEAD_DECAY, Evaluation
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME
from argentum.rules.standings import lead_over_best, normal_cdf, normal_win_probability

TOKEN_VALUE: Final = 1.5  # points in the next round
LAST_TURN_GAIN: Final = 4.0  # points that another seat gains on the caller in its last turn
LAST_TURN_VARIANCE: Final = 12.0  # variance of LAST_TURN_GAIN
LATER_VARIANCE: Final = 60.0  # variance of the difference of two sums, added until a later call
CALL_MARGIN: Final = 0.07  # subtracted from the win probability of a call


def call_gain(evaluation: Evaluation) -> float:
    """Return the probability of winning the game after calling now, minus that after waiting for a later call."""
    view, me, end = evaluation.view, evaluation.me, evaluation.at_round_end
    rounds = ROUNDS_PER_GAME - view.round
    token = TOKEN_VALUE if rounds else 0.0
    lead = lead_over_best(list(view.totals.values()), SEAT_LETTERS.index(me))

    def win_probability(points: float) -> float:
        """Return the probability of winning the game after gaining `points` on the leader in this round.

        A small linear term keeps it strictly increasing where the normal distribution is flat.
        """
        return normal_win_probability(lead + points, rounds) + points / 1000

    own_sum = end.costs[me]
    their_sum = fsum([evaluation.weights[seat] * end.costs[seat] for seat in evaluation.others])
    wins = later = 1.0
    for seat in evaluation.others:
        variance = end.sum_variances[me] + end.sum_variances[seat]
        wins *= normal_cdf((end.costs[seat] - LAST_TURN_GAIN - own_sum + 0.5) / sqrt(variance + LAST_TURN_VARIANCE))
        later *= normal_cdf((evaluation.costs[seat] - evaluation.costs[me]) / sqrt(variance + LATER_VARIANCE))
    wins = max(wins - CALL_MARGIN, 0.0)
    their_later_sum = their_sum - LAST_TURN_GAIN / 2
    called = wins * win_probability(their_later_sum + token) + (1 - wins) * win_probability(
        their_later_sum - 4 - own_sum - LOST_CALL_POINTS
    )
    waited = later * win_probability(LEAD_DECAY * their_sum + token) + (1 - later) * win_probability(
        -LEAD_DECAY * own_sum - token
    )
    return called - waited
