"""Generalized advantage estimation."""

import torch
from torch import Tensor

from argentum.rules.game import MAX_PLAYERS


def compute_gae(
    seats: Tensor, values: Tensor, rewards: Tensor, dones: Tensor, is_learner: Tensor, gae_lambda: float
) -> tuple[Tensor, Tensor]:
    """Compute advantages without discounting. Return them, and a mask of the valid ones, by step and game.

    An advantage depends on the later decisions of the same seat in the same round. It is invalid for decisions of
    players other than the learner, and for a seat's last decision before the rollout ends, because no later value or
    reward is known.
    """
    steps, games = values.shape
    next_values = torch.zeros((games, MAX_PLAYERS), device=values.device)
    has_target = torch.zeros((games, MAX_PLAYERS), dtype=torch.bool, device=values.device)
    next_advantages, reward = torch.zeros_like(next_values), torch.zeros_like(next_values)
    advantages, is_valid = torch.zeros_like(values), torch.zeros_like(is_learner)
    for step in reversed(range(steps)):
        done = dones[step].unsqueeze(1)
        next_values, next_advantages = next_values.masked_fill(done, 0), next_advantages.masked_fill(done, 0)
        has_target = has_target | done
        reward = torch.where(done, rewards[step], reward)
        seat = seats[step].long().unsqueeze(1)
        delta = (
            reward.gather(1, seat)
            + next_values.gather(1, seat)
            - values[step].unsqueeze(1)
            + gae_lambda * next_advantages.gather(1, seat)
        )
        seat_has_target = has_target.gather(1, seat)
        delta = delta * seat_has_target
        advantages[step], is_valid[step] = delta.squeeze(1), seat_has_target.squeeze(1)
        next_advantages = next_advantages.scatter(1, seat, delta)
        next_values = next_values.scatter(1, seat, values[step].unsqueeze(1))
        has_target = has_target.scatter(1, seat, torch.ones_like(seat_has_target))
        reward = reward.scatter(1, seat, torch.zeros_like(delta))
    return advantages, is_valid & is_learner
