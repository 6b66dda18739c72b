"""Rewards of finished rounds in training."""

import numpy as np
import pytest

from argentum.learn import config as cf
from argentum.learn.round_rewards import round_reward, seat_values


@pytest.mark.parametrize(
    ("kind", "at_the_end"), [(cf.REWARD_WIN_PROBABILITY, [-0.5, -0.5, 1]), (cf.REWARD_RANK, [-1, 0, 1])]
)
def test_round_rewards_sum_to_the_value_of_the_game(kind: str, at_the_end: list[float]) -> None:
    random = np.random.default_rng(1)
    points = random.integers(0, 40, (4, 1, 3)).astype(np.float32)
    before = np.zeros((1, 3), np.float32)
    total = np.zeros((1, 3), np.float32)
    for number in range(1, 5):
        total += round_reward(kind, before, points[number - 1], number, 15.0)
        before = before + points[number - 1]
    expected = seat_values(kind, before, 0, 15.0)
    assert total == pytest.approx(expected, abs=1e-5)
    assert sorted(expected[0].tolist()) == at_the_end
    assert expected[0].argmax() == before[0].argmin()


@pytest.mark.parametrize("kind", cf.TRAINING_REWARDS)
def test_round_rewards_prefer_fewer_points_and_sum_to_zero(kind: str) -> None:
    rewards = round_reward(kind, np.zeros((1, 2), np.float32), np.array([[3, 21]], np.float32), 1, 15.0)
    assert rewards[0, 0] > 0.1
    assert rewards.sum() == pytest.approx(0, abs=1e-6)
