"""The vector environment: results equal those of Gymnasium's `SyncVectorEnv`."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import argentum.envs
from argentum.envs.batch.batch import place_seeds
from argentum.envs.vector import SilverVectorEnv

ID = "argentum/Silver-v1"


def are_equal(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(are_equal(first[key], second[key]) for key in first)
    return first.dtype == second.dtype and np.array_equal(first, second)


def random_actions(masks: Any, generator: np.random.Generator) -> Any:
    noise = generator.random(masks.shape) * masks
    return noise.argmax(axis=1)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize(
    "settings",
    [
        {
            "boxes": "random",
            "players": 3,
            "opponents": ["random", "random"],
            "reward": "round",
            "observation": "masked",
        },
        {"boxes": "dagger", "players": 2, "opponents": "random", "seat": "B", "illegal_reward": -0.5},
        {"boxes": "bullet", "players": 2, "opponents": "random", "max_episode_steps": 15, "rounds": 1},
        {"boxes": "coin", "players": 2, "opponents": "novice", "observation": "parts", "rounds": 2},
        {"boxes": "amulet", "players": 3, "opponents": "random", "observation": "vector", "rounds": 1, "history": 3},
    ],
)
def test_results_equal_those_of_a_sync_vector_env(settings: dict[str, Any], mode: AutoresetMode) -> None:
    generator, ended, awaits_reset = np.random.default_rng(1), 0, False
    sync = SyncVectorEnv([lambda: gymnasium.make(ID, **settings)] * 2, autoreset_mode=mode)
    batch = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="vector_entry_point", autoreset_mode=mode, **settings)
    assert sync.metadata["autoreset_mode"] == batch.metadata["autoreset_mode"]
    assert sync.observation_space == batch.observation_space
    assert sync.action_space == batch.action_space
    sync_observations, sync_infos = sync.reset(seed=[*place_seeds(5, 2)])
    observations, infos = batch.reset(seed=5)
    while ended < 2:
        assert are_equal(sync_observations, observations)
        if not awaits_reset or mode == AutoresetMode.SAME_STEP:  # The batch has an empty mask after a truncation.
            assert are_equal(sync_infos["action_mask"], infos["action_mask"])
        actions = random_actions(infos["action_mask"], generator)
        if generator.random() < 0.05:
            actions[1] = -3
        sync_observations, *sync_results, sync_infos = sync.step(actions)
        observations, *results, infos = batch.step(actions)
        assert all(are_equal(first, second) for first, second in zip(sync_results, results, strict=True))
        assert ("illegal" in sync_infos or "illegal" in sync_infos.get("final_info", {})) == ("illegal" in infos)
        awaits_reset = bool(results[2].any()) or ("illegal" in infos and bool(results[1].any()))
        for index in np.flatnonzero(results[1] | results[2]):
            ended += 1
            sync_final, final = sync_infos, infos
            if mode == AutoresetMode.SAME_STEP:
                assert are_equal(sync_infos["final_obs"][index], infos["final_obs"][index])
                sync_final, final = sync_infos["final_info"], infos["final_info"]
            assert ("points" in sync_final) == ("points" in final)
            for key in ("points", "ranks", "reason") if "points" in final else ():
                assert are_equal(sync_final[key], final[key])
                assert are_equal(sync_final[f"_{key}"], final[f"_{key}"])
    sync.close()
    batch.close()


def test_make_vec_creates_the_batch_based_environment() -> None:
    assert argentum.envs
    environments = gymnasium.make_vec(ID, num_envs=3, opponents="random", processes=2)
    assert isinstance(environments, SilverVectorEnv)
    assert environments.spec is not None
    observations, _ = environments.reset(seed=1)
    repeated, _ = environments.reset(seed=1)
    other, _ = environments.reset()
    assert np.array_equal(observations, repeated)
    assert not np.array_equal(observations, other)
    assert environments.observation_space.contains(observations)
    environments.close()


def test_returned_arrays_are_copies() -> None:
    environments = SilverVectorEnv(2, opponents="random")
    observations, infos = environments.reset(seed=1)
    before, masks = observations.copy(), infos["action_mask"].copy()
    environments.step(infos["action_mask"].argmax(axis=1))
    assert np.array_equal(observations, before)
    assert np.array_equal(infos["action_mask"], masks)
    environments.close()
