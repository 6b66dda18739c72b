"""RLlib: PPO with RLlib's module for masked actions."""

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


def make_env(settings: dict[str, Any]) -> Any:
    assert argentum.envs
    return gymnasium.make("argentum/Silver-v1", observation="rllib", **settings).unwrapped


@pytest.fixture
def cluster() -> Iterator[None]:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore")  # RLlib emits many warnings.
def test_ppo_with_masked_actions_runs() -> None:
    register_env(NAME, make_env)
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
    algorithm = config.build_algo()
    for _ in range(UPDATES):
        metrics = algorithm.train()
    assert metrics["env_runners"]["num_env_steps_sampled_lifetime"] >= STEPS * UPDATES
    assert -1 <= metrics["env_runners"]["episode_return_mean"] <= 1
    algorithm.stop()
