"""Generalized advantage estimation."""

import torch
from torch import Tensor

from argentum.rules.game import MAX_PLAYERS


def advantages(
    seats: Tensor, values: Tensor, rewards: Tensor, ends: Tensor, learns: Tensor, trace: float
) -> tuple[Tensor, Tensor]:
    """The generalised advantage of each choice, by step and game, along the later choices of its seat in its round.

    Also whether it is known: a seat's last choice before the steps run out is only good to value those before it.
    """
    steps, games = values.shape
    later = torch.zeros((games, MAX_PLAYERS), device=values.device)
    known = torch.zeros((games, MAX_PLAYERS), dtype=torch.bool, device=values.device)
    trail, reward = torch.zeros_like(later), torch.zeros_like(later)
    found, sure = torch.zeros_like(values), torch.zeros_like(learns)
    for step in reversed(range(steps)):
        ended = ends[step].unsqueeze(1)
        later, trail = later.masked_fill(ended, 0), trail.masked_fill(ended, 0)
        known = known | ended
        reward = torch.where(ended, rewards[step], reward)
        seat = seats[step].long().unsqueeze(1)
        gain = (
            reward.gather(1, seat) + later.gather(1, seat) - values[step].unsqueeze(1) + trace * trail.gather(1, seat)
        )
        there = known.gather(1, seat)
        gain = gain * there
        found[step], sure[step] = gain.squeeze(1), there.squeeze(1)
        trail = trail.scatter(1, seat, gain)
        later = later.scatter(1, seat, values[step].unsqueeze(1))
        known = known.scatter(1, seat, torch.ones_like(there))
        reward = reward.scatter(1, seat, torch.zeros_like(gain))
    return found, sure & learns
