"""The vector environment gives just what Gymnasium's own vectorisation gives, but quicker."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import argentum.envs
from argentum.envs.batch.batch import place_seeds
from argentum.envs.vector import SilverVectorEnv

ID = "argentum/Silver-v1"


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return one.dtype == other.dtype and np.array_equal(one, other)


def legal_actions(environments: VectorEnv[Any, Any, Any], masks: Any, chance: np.random.Generator) -> Any:
    noise = chance.random(masks.shape) * masks
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
def test_it_is_the_same_as_gymnasiums_own(settings: dict[str, Any], mode: AutoresetMode) -> None:
    chance, ended, cut = np.random.default_rng(1), 0, False
    own = SyncVectorEnv([lambda: gymnasium.make(ID, **settings)] * 2, autoreset_mode=mode)
    ours = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="vector_entry_point", autoreset_mode=mode, **settings)
    assert own.metadata["autoreset_mode"] == ours.metadata["autoreset_mode"]
    assert own.observation_space == ours.observation_space
    assert own.action_space == ours.action_space
    theirs, infos = own.reset(seed=[*place_seeds(5, 2)])
    observations, mine = ours.reset(seed=5)
    while ended < 2:
        assert equal(theirs, observations)
        if not cut or mode == AutoresetMode.SAME_STEP:  # where a game was cut short, ours is empty
            assert equal(infos["action_mask"], mine["action_mask"])
        actions = legal_actions(ours, mine["action_mask"], chance)
        if chance.random() < 0.05:
            actions[1] = -3
        theirs, *results, infos = own.step(actions)
        observations, *others, mine = ours.step(actions)
        assert all(equal(one, other) for one, other in zip(results, others, strict=True))
        assert ("illegal" in infos or "illegal" in infos.get("final_info", {})) == ("illegal" in mine)
        cut = bool(others[2].any()) or ("illegal" in mine and bool(others[1].any()))
        for place in np.flatnonzero(others[1] | others[2]):
            ended += 1
            if mode == AutoresetMode.SAME_STEP:
                assert equal(infos["final_obs"][place], mine["final_obs"][place])
            told, said = (infos["final_info"], mine["final_info"]) if mode == AutoresetMode.SAME_STEP else (infos, mine)
            assert ("points" in told) == ("points" in said)
            for key in ("points", "ranks", "reason") if "points" in told else ():
                assert equal(told[key], said[key])
                assert equal(told[f"_{key}"], said[f"_{key}"])
    own.close()
    ours.close()


def test_the_id_makes_the_batch_engine() -> None:
    assert argentum.envs
    environments = gymnasium.make_vec(ID, num_envs=3, opponents="random", processes=2)
    assert isinstance(environments, SilverVectorEnv)
    assert environments.spec is not None
    observations, _ = environments.reset(seed=1)
    again, _ = environments.reset(seed=1)
    other, _ = environments.reset()
    assert np.array_equal(observations, again)
    assert not np.array_equal(observations, other)
    assert environments.observation_space.contains(observations)
    environments.close()


def test_what_was_given_stays() -> None:
    environments = SilverVectorEnv(2, opponents="random")
    observations, infos = environments.reset(seed=1)
    before, masks = observations.copy(), infos["action_mask"].copy()
    environments.step(infos["action_mask"].argmax(axis=1))
    assert np.array_equal(observations, before)
    assert np.array_equal(infos["action_mask"], masks)
    environments.close()
