"""Stable-Baselines3: results of `SilverVecEnv` equal those of `DummyVecEnv`, and MaskablePPO learns on it."""

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import argentum.envs
from argentum.envs.sb3 import OUTCOME_KEYS, SilverVecEnv

ID = "argentum/Silver-v1"


@pytest.mark.parametrize(
    "settings",
    [
        {"boxes": "random", "players": 3, "opponents": ["random", "novice"], "reward": "round", "rounds": 2},
        {"boxes": "dagger", "opponents": "quick", "rounds": 1, "observation": "plain", "illegal_reward": -1.0},
        {"boxes": "amulet", "opponents": "random", "rounds": 1, "max_episode_steps": 12, "history": 2},
    ],
)
def test_results_equal_those_of_a_dummy_vec_env(settings: dict[str, Any]) -> None:
    assert argentum.envs
    single = {"observation": "vector"} | settings
    dummy = DummyVecEnv([lambda: gymnasium.make(ID, **single)] * 3)
    batch = SilverVecEnv(3, **settings)
    assert batch.observation_space == dummy.observation_space
    assert batch.action_space == dummy.action_space
    dummy._seeds = batch.seed(7)
    assert np.array_equal(batch.reset(), dummy.reset())
    generator, ended = np.random.default_rng(1), 0
    while ended < 4:
        masks = np.stack(batch.env_method("action_masks"))
        assert np.array_equal(masks, np.stack(dummy.env_method("action_masks")))
        actions = (generator.random(masks.shape) * masks).argmax(axis=1)
        if generator.random() < 0.02:
            actions[0] = masks[0].argmin()
        *results, infos = batch.step(actions)
        *dummy_results, dummy_infos = dummy.step(actions)
        assert all(np.array_equal(first, second) for first, second in zip(results, dummy_results, strict=True))
        for info, dummy_info in zip(infos, dummy_infos, strict=True):
            assert info["TimeLimit.truncated"] == dummy_info["TimeLimit.truncated"]
            assert info.get("illegal") == dummy_info.get("illegal")
            assert ("terminal_observation" in info) == ("terminal_observation" in dummy_info)
            assert {key: str(value) for key, value in info.items() if key in OUTCOME_KEYS} == {
                key: str(value) for key, value in dummy_info.items() if key in OUTCOME_KEYS
            }
            if "terminal_observation" in info:
                assert np.array_equal(info["terminal_observation"], dummy_info["terminal_observation"])
        ended += int(results[2].sum())
    batch.close()


def test_the_single_environment_passes_stable_baselines_env_checker() -> None:
    check_env(gymnasium.make(ID, opponents="random", observation="vector").unwrapped)


def test_single_games_have_masks_and_no_settable_attributes() -> None:
    env = SilverVecEnv(2, opponents="random")
    env.reset()
    assert [mask.sum() for mask in env.env_method("action_masks", indices=[1])] == [5]
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False, False]
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", "A")
    with pytest.raises(AttributeError, match="no method"):
        env.env_method("draw")
    env.close()


def test_maskable_ppo_learns_to_beat_random_opponents() -> None:
    """Random play wins half of the rounds. docs/research.md shows the learning curve of a longer run."""
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
