"""What the network learns from: its own games (PPO), or those of a bot (imitation)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from argentum.learn import config as cf
from argentum.learn.cuda import AutocastFactory, CudaGraph, compile_if
from argentum.learn.models import (
    CARDS_READ,
    Actor,
    ActorOutput,
    Critic,
    ModelInput,
    belief_targets,
    mask_logits,
    select_cards,
)
from argentum.learn.self_play import split_by_weight
from argentum.observations.layout import OBSERVATION_SIZE


class ExperienceBatch(NamedTuple):
    """Choices to learn from, with one number of seats."""

    players: int
    observations: Tensor
    masks: Tensor
    hidden_states: Tensor
    actions: Tensor
    returns: Tensor  # what the round brought, as far as it is known
    advantages: Tensor | None  # of one's own games: else of a bot's, to be imitated
    old_log_probs: Tensor | None  # the logarithm of each action's, when it was chosen

    def select(self, row_indexes: Tensor) -> "ExperienceBatch":
        """Some of them."""
        return ExperienceBatch(self.players, *[None if one is None else one[row_indexes] for one in self[1:]])  # type: ignore[arg-type]


class Learner:
    """Changes the networks, step by step."""

    def __init__(
        self, config: cf.TrainingConfig, actor: Actor, critic: Critic, average: Actor, autocast: AutocastFactory
    ) -> None:
        self.config = config.ppo
        self.actor, self.critic, self.average, self.autocast = actor, critic, average, autocast
        self.parameters = [*actor.parameters(), *critic.parameters()]
        self.device = torch.device(config.device)
        self.fused = self.device.type == "cuda"
        # What changes from step to step lies in tensors, so that a recorded step reads it.
        self.learning_rate, self.entropy_coef, self.policy_weight = (
            torch.zeros((), device=self.device) for _ in range(3)
        )
        # Imitation is over too soon to be worth compiling.
        self.compiled_losses = compile_if(self.losses, config.compile)
        self.optimizer = torch.optim.AdamW(self.parameters, eps=1e-5, weight_decay=1e-4, **self.optimizer_options())

    def optimizer_options(self) -> dict[str, Any]:
        """How the optimiser works: on a GPU in one piece, which can be recorded."""
        return {
            "lr": self.learning_rate if self.fused else float(self.learning_rate),
            "fused": self.fused,
            "capturable": self.fused,
        }

    def set_schedule(self, rate: float, entropy: float, policy: bool) -> None:
        """How far a step goes, how much variety is worth, and whether the player learns; to be said before a step.

        Also the optimiser's manner, which a checkpoint may have from another machine.
        """
        self.learning_rate.fill_(rate)
        self.entropy_coef.fill_(entropy)
        self.policy_weight.fill_(float(policy))
        for group in self.optimizer.param_groups:
            group.update(self.optimizer_options())

    def step(self, batch: list[ExperienceBatch]) -> dict[str, Tensor]:
        """One step of the optimiser; the losses are returned, with a weight for each number of seats."""
        total = sum([len(rows.actions) for rows in batch])
        told: dict[str, Tensor] = {}
        self.optimizer.zero_grad()
        with self.autocast():  # around all of them: so the weights are made smaller once
            for rows in batch:
                weight = len(rows.actions) / total
                losses = self.losses if rows.advantages is None else self.compiled_losses
                for name, value in losses(rows).items():
                    told[name] = told.get(name, torch.zeros_like(value)) + weight * value
        told["loss"].backward()  # type: ignore[no-untyped-call]
        told = {name: value.detach() for name, value in told.items()}
        told["norm"] = nn.utils.clip_grad_norm_(self.parameters, self.config.most_norm)
        self.apply_gradients(told["norm"])
        return told

    def apply_gradients(self, norm: Tensor) -> None:
        """Change the weights; but not by numbers that are not finite: one bad number would spoil all of them."""
        if self.fused:  # the optimiser itself looks, on the device, so that nobody has to wait for the number
            self.optimizer.found_inf = (~norm.isfinite()).float()  # type: ignore[attr-defined]
        elif not norm.isfinite():
            return
        self.optimizer.step()
        self.update_average()

    @torch.no_grad()
    def update_average(self) -> None:
        """Let the average follow the network."""
        torch._foreach_lerp_(list(self.average.parameters()), list(self.actor.parameters()), 1 - self.config.average)

    def losses(self, rows: ExperienceBatch) -> dict[str, Tensor]:
        """All losses of some choices."""
        with self.autocast():
            seen = select_cards(rows.observations[:, :OBSERVATION_SIZE], CARDS_READ[rows.players])
            answer = self.actor(seen.table, seen.tokens)
            values = self.critic(seen, rows.hidden_states)
        logits = mask_logits(answer.logits, rows.masks)
        chances = logits.log_softmax(1)
        action_log_probs = chances.gather(1, rows.actions.unsqueeze(1)).squeeze(1)
        entropy = -(chances.exp() * chances.masked_fill(~rows.masks, 0)).sum(1).mean()
        losses = {"entropy": entropy, **self.auxiliary_losses(rows, seen, answer, values)}
        if rows.advantages is None or rows.old_log_probs is None:
            losses["policy"] = -action_log_probs.mean()
            losses["agreed"] = (logits.argmax(1) == rows.actions).float().mean()
        else:
            ratio = (action_log_probs - rows.old_log_probs).exp()
            clipped = ratio.clamp(1 - self.config.clip, 1 + self.config.clip)
            losses["policy"] = -torch.minimum(ratio * rows.advantages, clipped * rows.advantages).mean()
            losses["clipped"] = (ratio != clipped).float().mean()
            losses["divergence"] = (rows.old_log_probs - action_log_probs).mean()
        auxiliary_loss = self.config.value * losses["own value"] + self.config.belief * losses["belief"]
        player = (
            losses["policy"] - self.entropy_coef * entropy + auxiliary_loss
        )  # all of it has a say in what the player does
        losses["loss"] = self.policy_weight * player + self.config.value * losses["value"]
        return losses

    def auxiliary_losses(
        self, rows: ExperienceBatch, seen: ModelInput, answer: ActorOutput, values: Tensor
    ) -> dict[str, Tensor]:
        """How far off the values are, and what is thought of hidden cards."""
        numbers = belief_targets(seen, rows.hidden_states).flatten()
        # The mean by hand: where no card is hidden, it is 0 and not none at all.
        belief_loss_sum = functional.cross_entropy(
            answer.beliefs.flatten(0, 1), numbers, ignore_index=-1, reduction="sum"
        )
        return {
            "value": functional.mse_loss(values, rows.returns),
            "own value": functional.mse_loss(answer.values, rows.returns),
            "belief": belief_loss_sum / (numbers >= 0).sum().clamp_min(1),
        }


class Minibatches:
    """Choices to learn from, some at a time: so many of each number of seats as there are, by their weights."""

    def __init__(
        self, learner: Learner, groups: Sequence[ExperienceBatch], weights: Sequence[int], minibatch: int
    ) -> None:
        self.learner, self.groups = learner, groups
        sizes = split_by_weight(minibatch, {str(group): float(weight) for group, weight in enumerate(weights)})
        self.indexes = [torch.zeros(size, dtype=torch.int64, device=learner.device) for size in sizes.values()]
        self.loss_names: list[str] = []
        self.active_groups: list[int] = []  # the groups that have choices to learn from
        self.graph = CudaGraph(self._train_step, learner.device)

    def shuffle(self, row_indexes: Sequence[Tensor], random: torch.Generator) -> Iterator[None]:
        """Go over the choices `which` of each group in any order; each time, a `step` learns from some.

        All minibatches are alike, so that a step can be recorded: where a group has too few, some come twice, and what
        is left over is left out.
        """
        there = [group for group, some in enumerate(row_indexes) if len(some) and len(self.indexes[group])]
        if there != self.active_groups:
            self.active_groups, self.graph = there, CudaGraph(self._train_step, self.learner.device)
        sizes = [len(self.indexes[group]) for group in there]
        minibatch_count = max(sum([len(row_indexes[group]) for group in there]) // max(sum(sizes), 1), 1)
        orders = [
            _shuffled_indexes(row_indexes[group], minibatch_count * size, random)
            for group, size in zip(there, sizes, strict=True)
        ]
        for part in range(minibatch_count if there else 0):
            for group, size, order in zip(there, sizes, orders, strict=True):
                self.indexes[group].copy_(order[part * size : (part + 1) * size])
            yield

    def step(self) -> Tensor:
        """Learn from the choices that are picked; the losses, in the order of `names`."""
        return self.graph().clone()

    def _train_step(self) -> Tensor:
        losses = self.learner.step([self.groups[group].select(self.indexes[group]) for group in self.active_groups])
        self.loss_names = list(losses)
        return torch.stack(list(losses.values()))

    def mean_losses(self, losses: Sequence[Tensor]) -> dict[str, float]:
        """The mean of each loss."""
        if not losses:
            return {}
        found = torch.stack(list(losses)).mean(0).tolist()
        return {name: round(value, 4) for name, value in zip(self.loss_names, found, strict=True)}


def _shuffled_indexes(row_indexes: Tensor, count: int, random: torch.Generator) -> Tensor:
    """So many of some choices in any order; from the beginning again where there are too few."""
    order = torch.randperm(len(row_indexes), generator=random, device=random.device)
    return row_indexes[order[torch.arange(count) % len(order)].to(row_indexes.device)]
