"""What the end of a round is worth to each seat.

A round is an episode. By `chance`, the default, it is worth by how much it changed the chance to win the whole game, on
a scale on which a win is worth 1 and even chances 0: so a seat that is far behind learns to dare, and points that
decide nothing count for nothing. The sum over a game says who has won. The chance follows from the leads in points and
the rounds that are left: rounds are taken to differ by a normal distribution with the `spread` of the configuration,
and the chances to beat each of the others are multiplied. By `rank`, it is the chance to do better than each other
seat, on average over them; with two seats that is the same. By `points`, a round is worth how many points better it was
than the others', on a scale on which the first points count most.
"""

from math import sqrt
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from argentum.learn.config import REWARD_POINTS, REWARD_RANK
from argentum.rules.scoring import ROUNDS_PER_GAME

REWARD_POINT_SCALE: Final = 8.0  # points that are worth about 0.7 by `points`


def pairwise_results(totals: NDArray[np.float32], rounds_left: int, spread: float) -> NDArray[np.float32]:
    """How likely each seat ends before each other one, from -1 to 1, by all totals and how many rounds are left."""
    leads = totals[:, None, :] - totals[:, :, None]  # by game, seat, other seat: few points are good
    results: NDArray[np.float32] = np.sign(leads)
    if rounds_left:
        results = torch.erf(torch.from_numpy(leads / (spread * sqrt(2 * rounds_left)))).numpy()
    return results


def seat_values(kind: str, totals: NDArray[np.float32], rounds_left: int, spread: float) -> NDArray[np.float32]:
    """How well each seat stands, at most 1.

    >>> standing("rank", np.array([[10, 20, 30], [7, 7, 9]], np.float32), 0, 15).tolist()
    [[1.0, 0.0, -1.0], [0.5, 0.5, -1.0]]
    >>> standing("chance", np.array([[10, 20, 30], [7, 7, 9]], np.float32), 0, 15).tolist()
    [[1.0, -0.5, -0.5], [0.25, 0.25, -0.5]]
    """
    players = totals.shape[1]
    results = pairwise_results(totals, rounds_left, spread)
    if kind == REWARD_RANK:
        ranks: NDArray[np.float32] = results.sum(2) / (players - 1)
        return ranks
    itself = np.eye(players, dtype=np.bool_)
    unnormalized = np.where(itself, 1, (1 + results) / 2).prod(2)
    chances: NDArray[np.float32] = unnormalized / unnormalized.sum(1, keepdims=True)
    scaled: NDArray[np.float32] = (chances * players - 1) / (players - 1)
    return scaled


def round_reward(
    kind: str, before: NDArray[np.float32], points: NDArray[np.float32], number: int, spread: float
) -> NDArray[np.float32]:
    """What round `number` was worth to each seat: by the totals before it, and its points."""
    if kind == REWARD_POINTS:
        others = (points.sum(1, keepdims=True) - points) / (points.shape[1] - 1)
        lead = (others - points) / REWARD_POINT_SCALE
        squashed: NDArray[np.float32] = np.arcsinh(lead) / 2
        return squashed
    rounds_left = ROUNDS_PER_GAME - number
    return seat_values(kind, before + points, rounds_left, spread) - seat_values(kind, before, rounds_left + 1, spread)
