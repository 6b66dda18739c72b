"""RLlib: its PPO runs on the environment with its own module for masked actions."""

from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import argentum.envs

NAME = "silver"
STEPS, UPDATES = 1_000, 3


def made(settings: dict[str, Any]) -> Any:
    assert argentum.envs
    return gymnasium.make("argentum/Silver-v1", observation="rllib", **settings).unwrapped


@pytest.fixture
def cluster() -> Iterator[None]:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore")  # theirs
def test_ppo_with_their_masked_module_runs() -> None:
    register_env(NAME, made)
    config = (
        PPOConfig()
        .environment(NAME, env_config={"boxes": "dagger", "opponents": "random", "rounds": 1})
        .env_runners(num_env_runners=0)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [64], "fcnet_hiddens": [64]},
            )
        )
        .training(train_batch_size_per_learner=STEPS, minibatch_size=250, num_epochs=2, gamma=1.0)
        .debugging(seed=1)
    )
    learner = config.build_algo()
    for _ in range(UPDATES):
        told = learner.train()
    assert told["env_runners"]["num_env_steps_sampled_lifetime"] >= STEPS * UPDATES
    assert -1 <= told["env_runners"]["episode_return_mean"] <= 1
    learner.stop()
