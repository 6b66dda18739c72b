"""Generalized advantage estimation."""

from typing import Any, TypeAlias

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from argentum.learn.gae import compute_gae

Array: TypeAlias = NDArray[Any]


def reference_advantages(seats: Array, values: Array, rewards: Array, dones: Array, gae_lambda: float) -> Array:
    """Compute the advantages from their definition, one decision at a time; NaN where there is none."""
    steps, games = values.shape
    advantages = np.full(values.shape, np.nan)
    for game in range(games):
        for step in reversed(range(steps)):
            seat, reward = seats[step, game], 0.0
            for later in range(step, steps):
                if later > step and seats[later, game] == seat:
                    next_advantage = advantages[later, game]
                    target = values[later, game] + gae_lambda * (0.0 if np.isnan(next_advantage) else next_advantage)
                    advantages[step, game] = reward + target - values[step, game]
                    break
                if dones[later, game]:
                    advantages[step, game] = rewards[later, game, seat] - values[step, game]
                    break
    return advantages


def test_gae_follows_the_decisions_of_each_seat() -> None:
    random = np.random.default_rng(2)
    seats = random.integers(0, 3, (30, 7))
    values = random.normal(size=(30, 7)).astype(np.float32)
    dones = random.random((30, 7)) < 0.1
    rewards = random.normal(size=(30, 7, 4)).astype(np.float32) * dones[:, :, None]
    expected = reference_advantages(seats, values, rewards, dones, 0.9)
    is_learner = torch.ones((30, 7), dtype=torch.bool)
    turns, valued = torch.from_numpy(seats.astype(np.uint8)), torch.from_numpy(values)
    advantages, is_valid = compute_gae(
        turns, valued, torch.from_numpy(rewards), torch.from_numpy(dones), is_learner, 0.9
    )
    assert (is_valid.numpy() == ~np.isnan(expected)).all()
    assert advantages.numpy()[is_valid] == pytest.approx(expected[is_valid], abs=1e-5)
