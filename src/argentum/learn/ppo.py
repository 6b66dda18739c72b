"""What the network learns from: its own games (PPO), or those of a bot (imitation)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from argentum.learn import config as cf
from argentum.learn.cuda import Autocast, Recorded, compiled
from argentum.learn.models import SLOTS, Actor, Answer, Critic, Seen, hidden_numbers, masked, read
from argentum.learn.self_play import shares
from argentum.observations.layout import OBSERVATION_SIZE


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


class Learner:
    """Changes the networks, step by step."""

    def __init__(self, config: cf.Config, actor: Actor, critic: Critic, average: Actor, autocast: Autocast) -> None:
        self.config = config.ppo
        self.actor, self.critic, self.average, self.autocast = actor, critic, average, autocast
        self.weights = [*actor.parameters(), *critic.parameters()]
        self.device = torch.device(config.device)
        self.fused = self.device.type == "cuda"
        # What changes from step to step lies in tensors, so that a recorded step reads it.
        self.rate, self.entropy, self.policy = (torch.zeros((), device=self.device) for _ in range(3))
        # Imitation is over too soon to be worth compiling.
        self.play_losses = compiled(self.losses, config.compile)
        self.optimiser = torch.optim.AdamW(self.weights, eps=1e-5, weight_decay=1e-4, **self.manner())

    def manner(self) -> dict[str, Any]:
        """How the optimiser works: on a GPU in one piece, which can be recorded."""
        return {"lr": self.rate if self.fused else float(self.rate), "fused": self.fused, "capturable": self.fused}

    def set(self, rate: float, entropy: float, policy: bool) -> None:
        """How far a step goes, how much variety is worth, and whether the player learns; to be said before a step.

        Also the optimiser's manner, which a checkpoint may have from another machine.
        """
        self.rate.fill_(rate)
        self.entropy.fill_(entropy)
        self.policy.fill_(float(policy))
        for group in self.optimiser.param_groups:
            group.update(self.manner())

    def step(self, batch: list[Rows]) -> dict[str, Tensor]:
        """One step of the optimiser; the losses are returned, with a weight for each number of seats."""
        total = sum([len(rows.actions) for rows in batch])
        told: dict[str, Tensor] = {}
        self.optimiser.zero_grad()
        with self.autocast():  # around all of them: so the weights are made smaller once
            for rows in batch:
                share = len(rows.actions) / total
                losses = self.losses if rows.advantages is None else self.play_losses
                for name, value in losses(rows).items():
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

    def losses(self, rows: Rows) -> dict[str, Tensor]:
        """All losses of some choices."""
        with self.autocast():
            seen = read(rows.observations[:, :OBSERVATION_SIZE], SLOTS[rows.players])
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
        own = self.config.value * found["own value"] + self.config.belief * found["belief"]
        player = found["policy"] - self.entropy * spread + own  # all of it has a say in what the player does
        found["loss"] = self.policy * player + self.config.value * found["value"]
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


class Lesson:
    """Choices to learn from, some at a time: so many of each number of seats as there are, by their weights."""

    def __init__(self, learner: Learner, groups: Sequence[Rows], weights: Sequence[int], minibatch: int) -> None:
        self.learner, self.groups = learner, groups
        sizes = shares(minibatch, {str(nth): float(weight) for nth, weight in enumerate(weights)})
        self.picked = [torch.zeros(size, dtype=torch.int64, device=learner.device) for size in sizes.values()]
        self.names: list[str] = []
        self.there: list[int] = []  # the groups that have choices to learn from
        self.recorded = Recorded(self._learn, learner.device)

    def minibatches(self, which: Sequence[Tensor], random: torch.Generator) -> Iterator[None]:
        """Go over the choices `which` of each group in any order; each time, a `step` learns from some.

        All minibatches are alike, so that a step can be recorded: where a group has too few, some come twice, and what
        is left over is left out.
        """
        there = [nth for nth, some in enumerate(which) if len(some) and len(self.picked[nth])]
        if there != self.there:
            self.there, self.recorded = there, Recorded(self._learn, self.learner.device)
        sizes = [len(self.picked[nth]) for nth in there]
        parts = max(sum([len(which[nth]) for nth in there]) // max(sum(sizes), 1), 1)
        orders = [_any_order(which[nth], parts * size, random) for nth, size in zip(there, sizes, strict=True)]
        for part in range(parts if there else 0):
            for nth, size, order in zip(there, sizes, orders, strict=True):
                self.picked[nth].copy_(order[part * size : (part + 1) * size])
            yield

    def step(self) -> Tensor:
        """Learn from the choices that are picked; the losses, in the order of `names`."""
        return self.recorded().clone()

    def _learn(self) -> Tensor:
        told = self.learner.step([self.groups[nth].pick(self.picked[nth]) for nth in self.there])
        self.names = list(told)
        return torch.stack(list(told.values()))

    def means(self, losses: Sequence[Tensor]) -> dict[str, float]:
        """The mean of each loss."""
        if not losses:
            return {}
        found = torch.stack(list(losses)).mean(0).tolist()
        return {name: round(value, 4) for name, value in zip(self.names, found, strict=True)}


def _any_order(which: Tensor, count: int, random: torch.Generator) -> Tensor:
    """So many of some choices in any order; from the beginning again where there are too few."""
    order = torch.randperm(len(which), generator=random, device=random.device)
    return which[order[torch.arange(count) % len(order)].to(which.device)]
