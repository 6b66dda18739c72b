# mypyc: compile
"""The probability that an owner keeps a card that it knows: owners keep low cards and discard high ones over the turns.

The evaluation and the sampler use the same formula with different fits. The sampler's fit predicts cards slightly
better; in search, neither fit is measurably stronger.
"""

from math import exp
from typing import Final, NamedTuple

from argentum.rules.residents import RESIDENTS_PER_BOX


class KeepFit(NamedTuple):
    """Parameters of the formula. (mypyc does not initialize a plain tuple of floats for other compiled modules.)"""

    rate: float
    sorting_turns: float  # turns of each seat until owners have discarded most high cards


EVALUATION_FIT: Final = KeepFit(0.22, 2.5)
SAMPLER_FIT: Final = KeepFit(0.2, 1.8)
CALLER_KEEP_RATE: Final = 0.06  # added to the rate for a caller, in the sampler
OWNER_KNOWN_VALUE: Final = 4.7  # mean number of a card that its owner knows, for the playout policy
UNKNOWN_CARD_COST: Final = 0.9  # points that a card costs more if its owner does not know it


def keep_rate(fit: KeepFit, turns: float) -> float:
    """Return the rate for :func:`keep_weights` after this number of turns of each seat."""
    return fit.rate * (1 - exp(-turns / fit.sorting_turns))


def keep_weights(rate: float) -> list[float]:
    """Return the relative probability, by number, that an owner keeps a card that it knows: `exp(-rate * number)`."""
    return [exp(-rate * number) for number in range(RESIDENTS_PER_BOX)]
