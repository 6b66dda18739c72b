"""Rewards of a round for each seat. A round is an episode.

`win_probability` (default): the change of the probability of winning the game, scaled so that a win is 1 and equal
chances are 0. Over a game, the rewards sum to the final result. The difference between two seats' points in a round is
assumed to be normally distributed with standard deviation `round_std`, and the probabilities of beating each other seat
are multiplied. `rank`: the same with the mean probability of beating each other seat. `points`: the arsinh of the
margin over the others' mean, so that the first points count most.
"""

from math import sqrt
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from argentum.learn.config import REWARD_POINTS, REWARD_RANK
from argentum.rules.scoring import ROUNDS_PER_GAME

REWARD_POINT_SCALE: Final = 8.0  # points of a margin whose reward is 0.44


def pairwise_results(totals: NDArray[np.float32], rounds_left: int, round_std: float) -> NDArray[np.float32]:
    """Return each seat's expected result against each other seat, from -1 to 1: by game, seat and other seat."""
    leads = totals[:, None, :] - totals[:, :, None]  # positive if ahead: low totals are good
    results: NDArray[np.float32] = np.sign(leads)
    if rounds_left:
        results = torch.erf(torch.from_numpy(leads / (round_std * sqrt(2 * rounds_left)))).numpy()
    return results


def seat_values(kind: str, totals: NDArray[np.float32], rounds_left: int, round_std: float) -> NDArray[np.float32]:
    """Return the value of the game for each seat, at most 1, given the totals and the rounds left.

    >>> seat_values("rank", np.array([[10, 20, 30], [7, 7, 9]], np.float32), 0, 15).tolist()
    [[1.0, 0.0, -1.0], [0.5, 0.5, -1.0]]
    >>> seat_values("win_probability", np.array([[10, 20, 30], [7, 7, 9]], np.float32), 0, 15).tolist()
    [[1.0, -0.5, -0.5], [0.25, 0.25, -0.5]]
    """
    players = totals.shape[1]
    results = pairwise_results(totals, rounds_left, round_std)
    if kind == REWARD_RANK:
        ranks: NDArray[np.float32] = results.sum(2) / (players - 1)
        return ranks
    itself = np.eye(players, dtype=np.bool_)
    unnormalized = np.where(itself, 1, (1 + results) / 2).prod(2)
    probabilities: NDArray[np.float32] = unnormalized / unnormalized.sum(1, keepdims=True)
    scaled: NDArray[np.float32] = (probabilities * players - 1) / (players - 1)
    return scaled


def round_reward(
    kind: str, totals_before: NDArray[np.float32], points: NDArray[np.float32], round_number: int, round_std: float
) -> NDArray[np.float32]:
    """Return the rewards of a round by game and seat. `round_number` counts from 1."""
    if kind == REWARD_POINTS:
        others = (points.sum(1, keepdims=True) - points) / (points.shape[1] - 1)
        margins = (others - points) / REWARD_POINT_SCALE
        squashed: NDArray[np.float32] = np.arcsinh(margins) / 2
        return squashed
    rounds_left = ROUNDS_PER_GAME - round_number
    return seat_values(kind, totals_before + points, rounds_left, round_std) - seat_values(
        kind, totals_before, rounds_left + 1, round_std
    )
