"""What the network learns from: its own games (PPO), or those of a bot (imitation)."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from argentum.envs.observation import SIZE
from argentum.learn import config as cf
from argentum.learn.network import SLOTS, Actor, Answer, Critic, Seen, hidden_numbers, masked, read

Autocast = Callable[[], AbstractContextManager[Any]]


class Rows(NamedTuple):
    """Choices to learn from, with one number of seats."""

    players: int
    observations: Tensor
    masks: Tensor
    truths: Tensor
    actions: Tensor
    returns: Tensor  # what the round brought, as far as it is known
    advantages: Tensor | None  # of one's own games: else of a bot's, to be imitated
    chances: Tensor | None  # the logarithm of each action's, when it was chosen

    def pick(self, which: Tensor) -> "Rows":
        """Some of them."""
        return Rows(self.players, *[None if one is None else one[which] for one in self[1:]])  # type: ignore[arg-type]


def minibatches(groups: list[Rows], size: int, random: torch.Generator) -> Iterator[list[Rows]]:
    """All choices once, in any order, by about so many at a time; each time of all numbers of seats alike."""
    total = sum([len(group.actions) for group in groups])
    parts = max(total // size, 1)
    orders = []
    for group in groups:
        order = torch.randperm(len(group.actions), generator=random, device=random.device)
        orders.append(order.to(group.actions.device).tensor_split(parts))
    for nth in range(parts):
        yield [group.pick(order[nth]) for group, order in zip(groups, orders, strict=True) if len(order[nth])]


class Learner:
    """Changes the networks, step by step."""

    def __init__(self, config: cf.Config, actor: Actor, critic: Critic, average: Actor, autocast: Autocast) -> None:
        self.config = config.ppo
        self.actor, self.critic, self.average, self.autocast = actor, critic, average, autocast
        self.weights = [*actor.parameters(), *critic.parameters()]
        self.fused = torch.device(config.device).type == "cuda"
        self.optimiser = torch.optim.AdamW(self.weights, config.ppo.rate, eps=1e-5, weight_decay=1e-4, fused=self.fused)
        self.policy_learns = True

    def step(self, batch: list[Rows], entropy: float) -> dict[str, Tensor]:
        """One step of the optimiser; the losses are returned, with a weight for each number of seats."""
        total = sum([len(rows.actions) for rows in batch])
        told: dict[str, Tensor] = {}
        self.optimiser.zero_grad()
        with self.autocast():  # around all of them: so the weights are made smaller once
            for rows in batch:
                share = len(rows.actions) / total
                for name, value in self.losses(rows, entropy).items():
                    told[name] = told.get(name, torch.zeros_like(value)) + share * value
        told["loss"].backward()  # type: ignore[no-untyped-call]
        told = {name: value.detach() for name, value in told.items()}
        told["norm"] = nn.utils.clip_grad_norm_(self.weights, self.config.most_norm)
        self.advance(told["norm"])
        return told

    def advance(self, norm: Tensor) -> None:
        """Change the weights; but not by numbers that are not finite: one bad number would spoil all of them."""
        if self.fused:  # the optimiser itself looks, on the device, so that nobody has to wait for the number
            self.optimiser.found_inf = (~norm.isfinite()).float()  # type: ignore[attr-defined]
        elif not norm.isfinite():
            return
        self.optimiser.step()
        self.follow()

    @torch.no_grad()
    def follow(self) -> None:
        """Let the average follow the network."""
        torch._foreach_lerp_(list(self.average.parameters()), list(self.actor.parameters()), 1 - self.config.average)

    def losses(self, rows: Rows, entropy: float) -> dict[str, Tensor]:
        """All losses of some choices."""
        with self.autocast():
            seen = read(rows.observations[:, :SIZE], SLOTS[rows.players])
            answer = self.actor(seen.table, seen.tokens)
            values = self.critic(seen, rows.truths)
        logits = masked(answer.logits, rows.masks)
        chances = logits.log_softmax(1)
        chosen = chances.gather(1, rows.actions.unsqueeze(1)).squeeze(1)
        spread = -(chances.exp() * chances.masked_fill(~rows.masks, 0)).sum(1).mean()
        found = {"entropy": spread, **self.side_losses(rows, seen, answer, values)}
        if rows.advantages is None or rows.chances is None:
            found["policy"] = -chosen.mean()
            found["agreed"] = (logits.argmax(1) == rows.actions).float().mean()
        else:
            ratio = (chosen - rows.chances).exp()
            clipped = ratio.clamp(1 - self.config.clip, 1 + self.config.clip)
            found["policy"] = -torch.minimum(ratio * rows.advantages, clipped * rows.advantages).mean()
            found["clipped"] = (ratio != clipped).float().mean()
            found["divergence"] = (rows.chances - chosen).mean()
        policy = found["policy"] - entropy * spread if self.policy_learns else 0 * spread
        side = self.config.value * (found["value"] + found["own value"]) + self.config.belief * found["belief"]
        found["loss"] = policy + side
        return found

    def side_losses(self, rows: Rows, seen: Seen, answer: Answer, values: Tensor) -> dict[str, Tensor]:
        """How far off the values are, and what is thought of hidden cards."""
        numbers = hidden_numbers(seen, rows.truths).flatten()
        # The mean by hand: where no card is hidden, it is 0 and not none at all.
        misses = functional.cross_entropy(answer.beliefs.flatten(0, 1), numbers, ignore_index=-1, reduction="sum")
        return {
            "value": functional.mse_loss(values, rows.returns),
            "own value": functional.mse_loss(answer.values, rows.returns),
            "belief": misses / (numbers >= 0).sum().clamp_min(1),
        }
