"""What the end of a round is worth to each seat.

A round is an episode. By `chance`, the default, it is worth by how much it changed the chance to do better than each
other seat over the whole game, from -1 to 1, on average over the others: so a seat that is far behind learns to dare,
and points that decide nothing count for nothing. The sum over a game is the final rank (`rank` of the environments, a
tie counting 0). The chance follows from the lead in points and the rounds that are left: rounds are taken to differ by
a normal distribution with the `spread` of the configuration. By `points`, a round is worth how many points better it
was than the others', on a scale on which the first points count most.
"""

from math import sqrt
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from argentum.learn.config import POINTS
from argentum.rules.scoring import ROUNDS

SCALE: Final = 8.0  # points that are worth about 0.7 by `points`


def standing(totals: NDArray[np.float32], left: int, spread: float) -> NDArray[np.float32]:
    """How well each seat stands, from -1 to 1, by all totals and how many rounds are left.

    >>> standing(np.array([[10, 20], [7, 7]], np.float32), 0, 15).tolist()
    [[1.0, -1.0], [0.0, 0.0]]
    """
    leads = totals[:, None, :] - totals[:, :, None]  # by game, seat, other seat: few points are good
    if left:
        chances = torch.erf(torch.from_numpy(leads / (spread * sqrt(2 * left)))).numpy()
    else:
        chances = np.sign(leads)
    found: NDArray[np.float32] = chances.sum(2) / (totals.shape[1] - 1)
    return found


def worth(
    kind: str, before: NDArray[np.float32], points: NDArray[np.float32], number: int, spread: float
) -> NDArray[np.float32]:
    """What round `number` was worth to each seat: by the totals before it, and its points."""
    if kind == POINTS:
        others = (points.sum(1, keepdims=True) - points) / (points.shape[1] - 1)
        lead = (others - points) / SCALE
        squashed: NDArray[np.float32] = np.arcsinh(lead) / 2
        return squashed
    left = ROUNDS - number
    return standing(before + points, left, spread) - standing(before, left + 1, spread)
