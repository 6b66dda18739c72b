"""Settings that all environments share."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, get_type_hints

import gymnasium
import numpy as np
import pytest

from argentum.envs import silver_v1
from argentum.envs.batch import Batch
from argentum.envs.gym import SilverEnv
from argentum.envs.settings import EnvOptions, EnvSettings
from argentum.envs.vector import SilverVectorEnv

SETTINGS = EnvSettings(boxes="coin", players=3, rounds=2, reward="round", history=4)
ENVIRONMENTS: dict[str, Callable[..., EnvSettings]] = {
    "gym": lambda *args, **kwargs: SilverEnv(*args, **kwargs).settings,
    "vector": lambda *args, **kwargs: SilverVectorEnv(2, *args, **kwargs).batch._plan.blocks[0].settings,
    "batch": lambda *args, **kwargs: Batch(2, *args, **kwargs)._plan.blocks[0].settings,
    "pettingzoo": lambda *args, **kwargs: silver_v1.SilverAECEnv(*args, **kwargs).settings,
}


def test_options_are_the_fields_of_the_settings() -> None:
    assert get_type_hints(EnvOptions) == get_type_hints(EnvSettings)
    assert EnvOptions.__optional_keys__ == {field.name for field in fields(EnvSettings)}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments_take_settings_or_options_or_both(name: str) -> None:
    make_environment = ENVIRONMENTS[name]
    opponents: Any = "steady" if name in ("gym", "vector") else ()
    expected = replace(SETTINGS, opponents=opponents)
    options = {"boxes": "coin", "players": 3, "rounds": 2, "reward": "round", "history": 4}
    assert make_environment(SETTINGS) == make_environment(settings=SETTINGS) == make_environment(**options) == expected
    assert make_environment(SETTINGS, boxes=["dagger", "random"]).boxes == ["dagger", "random"]
    with pytest.raises(TypeError, match="colour"):
        make_environment(colour="red")


@pytest.mark.parametrize("option", [{"opponents": "quick"}, {"seat": "A"}, {"illegal_reward": -1.0}])
def test_settings_of_a_learner_are_refused_where_all_seats_are_agents(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="every seat is an agent"):
        silver_v1.raw_env(**option)


def test_gymnasium_makes_environments_with_options() -> None:
    environment: Any = gymnasium.make("argentum/Silver-v1", boxes=["coin"], opponents="random", max_steps=3)
    environment.reset(seed=1)
    for number in range(1, 4):
        action = environment.action_space.sample(environment.unwrapped.action_masks().astype(np.int8))
        _, _, terminated, truncated, _ = environment.step(action)
        assert (terminated, truncated) == (False, number == 3)
    assert environment.unwrapped.game.cast.code == "c" * 14
    vector: Any = gymnasium.make_vec("argentum/Silver-v1", num_envs=2, settings=SETTINGS)
    assert vector.unwrapped.batch._plan.blocks[0].settings.players == 3
    vector.close()
