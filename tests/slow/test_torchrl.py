"""TorchRL: TorchRL's own checks of the environments, and PPO with masked actions."""

from typing import Any

import gymnasium
import pytest
import torch
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.envs.libs.gym import GymWrapper
from torchrl.envs.transforms import ActionMask, Compose, DTypeCastTransform, RewardSum, TransformedEnv
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import argentum.envs
from argentum.envs import silver_v1
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.float_layout import vector_size

ID = "argentum/Silver-v1"
FRAMES, UPDATES = 2_000, 10


def make_env() -> Any:
    assert argentum.envs
    env = gymnasium.make(ID, boxes="dagger", opponents="random", rounds=1, observation="rllib")
    # TorchRL's distributions need masks of type bool.
    masks = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    return TransformedEnv(GymWrapper(env, categorical_action_encoding=True), Compose(masks, ActionMask()))


def test_the_single_environment_passes_torchrls_check() -> None:
    check_env_specs(make_env())


def test_the_multi_agent_environment_plays_with_masks() -> None:
    env = PettingZooWrapper(silver_v1.env(boxes="coin", observation="masked"), use_mask=True, categorical_actions=True)
    env.set_seed(3)
    rollout = env.rollout(50)
    assert rollout.batch_size[0] == 50


def test_ppo_learns_against_random_opponents() -> None:
    torch.manual_seed(1)
    env = TransformedEnv(make_env(), RewardSum())
    policy_network = nn.Sequential(nn.Linear(vector_size(0), 128), nn.Tanh(), nn.Linear(128, ACTION_COUNT))
    policy = ProbabilisticActor(
        TensorDictSequential(TensorDictModule(policy_network, in_keys=["observations"], out_keys=["logits"])),
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    head = nn.Sequential(nn.Linear(vector_size(0), 128), nn.Tanh(), nn.Linear(128, 1))
    value = ValueOperator(head, in_keys=["observations"])
    collector = Collector(env, policy, frames_per_batch=FRAMES, total_frames=FRAMES * UPDATES)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    loss = ClipPPOLoss(policy, value)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    win_rates = []
    for data in collector:
        over = data["next", "done"].squeeze(-1)
        win_rates.append((data["next", "episode_reward"].squeeze(-1)[over] > 0).float().mean().item())
        advantage(data)
        for _ in range(4):
            losses = loss(data)
            total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()
        assert torch.isfinite(total)
    collector.shutdown()
    assert max(win_rates[-3:]) > win_rates[0], win_rates


@pytest.fixture(autouse=True)
def use_one_thread() -> None:
    torch.set_num_threads(1)
