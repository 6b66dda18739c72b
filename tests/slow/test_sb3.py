"""Stable-Baselines3: our VecEnv is what its own vectorisation gives, and MaskablePPO learns on it."""

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import argentum.envs
from argentum.envs.sb3 import OUTCOME, SilverVecEnv

ID = "argentum/Silver-v1"


@pytest.mark.parametrize(
    "settings",
    [
        {"boxes": "random", "players": 3, "opponents": ["random", "novice"], "reward": "round", "rounds": 2},
        {"boxes": "dagger", "opponents": "quick", "rounds": 1, "observation": "plain", "illegal_reward": -1.0},
        {"boxes": "amulet", "opponents": "random", "rounds": 1, "max_episode_steps": 12, "history": 2},
    ],
)
def test_it_is_the_same_as_a_dummy_vec_env(settings: dict[str, Any]) -> None:
    assert argentum.envs
    single = {"observation": "vector"} | settings
    theirs = DummyVecEnv([lambda: gymnasium.make(ID, **single)] * 3)
    ours = SilverVecEnv(3, **settings)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    theirs._seeds = ours.seed(7)
    assert np.array_equal(ours.reset(), theirs.reset())
    chance, ended = np.random.default_rng(1), 0
    while ended < 4:
        masks = np.stack(ours.env_method("action_masks"))
        assert np.array_equal(masks, np.stack(theirs.env_method("action_masks")))
        actions = (chance.random(masks.shape) * masks).argmax(axis=1)
        if chance.random() < 0.02:
            actions[0] = masks[0].argmin()
        mine, other = ours.step(actions), theirs.step(actions)
        assert all(np.array_equal(one, two) for one, two in zip(mine[:3], other[:3], strict=True))
        for one, two in zip(mine[3], other[3], strict=True):
            assert one["TimeLimit.truncated"] == two["TimeLimit.truncated"]
            assert one.get("illegal") == two.get("illegal")
            assert ("terminal_observation" in one) == ("terminal_observation" in two)
            assert {key: str(value) for key, value in one.items() if key in OUTCOME} == {
                key: str(value) for key, value in two.items() if key in OUTCOME
            }
            if "terminal_observation" in one:
                assert np.array_equal(one["terminal_observation"], two["terminal_observation"])
        ended += int(mine[2].sum())
    ours.close()


def test_the_single_environment_passes_their_check() -> None:
    check_env(gymnasium.make(ID, opponents="random", observation="vector").unwrapped)


def test_single_games_have_masks_and_nothing_to_set() -> None:
    env = SilverVecEnv(2, opponents="random")
    env.reset()
    assert [mask.sum() for mask in env.env_method("action_masks", indices=[1])] == [5]
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False, False]
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", "A")
    with pytest.raises(AttributeError, match="no method"):
        env.env_method("draw")
    env.close()


def test_maskable_ppo_learns_against_somebody_who_plays_at_random() -> None:
    """At random it would win half of its rounds. The curve of a longer run is in docs/research.md."""
    torch.set_num_threads(1)
    env = VecMonitor(SilverVecEnv(64, boxes="dagger", opponents="random", rounds=1))
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        learning_rate=5e-4,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=1,
        device="cpu",
    )
    model.learn(64 * 128 * 12)
    assert np.mean([result["r"] > 0 for result in model.ep_info_buffer]) > 0.85
    env.close()
