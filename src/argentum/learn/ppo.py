"""Losses and optimizer steps: PPO on self-play games, behavioural cloning on recorded games of a bot."""

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
    """Decisions of games with the same number of players."""

    players: int
    observations: Tensor
    masks: Tensor
    hidden_states: Tensor  # for the critic only
    actions: Tensor
    returns: Tensor
    advantages: Tensor | None  # None for recorded games, which are imitated
    old_log_probs: Tensor | None  # of the actions, when they were chosen

    def select(self, row_indexes: Tensor) -> "ExperienceBatch":
        columns = [None if column is None else column[row_indexes] for column in self[1:]]
        return ExperienceBatch(self.players, *columns)  # type: ignore[arg-type]


class Learner:
    """Updates actor, critic and the moving average of the actor."""

    def __init__(
        self, config: cf.TrainingConfig, actor: Actor, critic: Critic, average: Actor, autocast: AutocastFactory
    ) -> None:
        self.config = config.ppo
        self.actor, self.critic, self.average, self.autocast = actor, critic, average, autocast
        self.parameters = [*actor.parameters(), *critic.parameters()]
        self.device = torch.device(config.device)
        self.fused = self.device.type == "cuda"
        self.learning_rate, self.entropy_coef, self.policy_weight = (
            torch.zeros((), device=self.device) for _ in range(3)
        )
        self.compiled_losses = compile_if(self.compute_losses, config.compile)
        self.optimizer = torch.optim.AdamW(self.parameters, eps=1e-5, weight_decay=1e-4, **self.optimizer_options())

    def optimizer_options(self) -> dict[str, Any]:
        """Return the options of AdamW that depend on the device.

        On CUDA it is fused, and capturable with `lr` as a tensor, so that a CUDA graph can capture a step.
        """
        return {
            "lr": self.learning_rate if self.fused else float(self.learning_rate),
            "fused": self.fused,
            "capturable": self.fused,
        }

    def set_schedule(self, learning_rate: float, entropy_coef: float, train_actor: bool) -> None:
        """Set the values that change during training. Call it before `step` and after loading a checkpoint.

        The values are kept in tensors because a captured CUDA graph reads them at replay. The optimizer's options are
        set again because a checkpoint may have those of another device.
        """
        self.learning_rate.fill_(learning_rate)
        self.entropy_coef.fill_(entropy_coef)
        self.policy_weight.fill_(float(train_actor))
        for group in self.optimizer.param_groups:
            group.update(self.optimizer_options())

    def step(self, batches: list[ExperienceBatch]) -> dict[str, Tensor]:
        """Take one optimizer step on several batches; return the losses, averaged over decisions, and `grad_norm`."""
        decisions = sum([len(batch.actions) for batch in batches])
        losses: dict[str, Tensor] = {}
        self.optimizer.zero_grad()
        with self.autocast():  # One context for all batches casts the weights once.
            for batch in batches:
                weight = len(batch.actions) / decisions
                # Imitation is too short to be worth compiling.
                compute = self.compute_losses if batch.advantages is None else self.compiled_losses
                for name, value in compute(batch).items():
                    losses[name] = losses.get(name, torch.zeros_like(value)) + weight * value
        losses["loss"].backward()  # type: ignore[no-untyped-call]
        losses = {name: value.detach() for name, value in losses.items()}
        losses["grad_norm"] = nn.utils.clip_grad_norm_(self.parameters, self.config.max_grad_norm)
        self.apply_gradients(losses["grad_norm"])
        return losses

    def apply_gradients(self, norm: Tensor) -> None:
        """Update the weights and their average. Do nothing if the gradient norm is not finite."""
        if self.fused:  # The optimizer checks `found_inf` on the device, which avoids a synchronization.
            self.optimizer.found_inf = (~norm.isfinite()).float()  # type: ignore[attr-defined]
        elif not norm.isfinite():
            return
        self.optimizer.step()
        self.update_average()

    @torch.no_grad()
    def update_average(self) -> None:
        torch._foreach_lerp_(list(self.average.parameters()), list(self.actor.parameters()), 1 - self.config.ema_decay)

    def compute_losses(self, batch: ExperienceBatch) -> dict[str, Tensor]:
        """Compute the losses and diagnostics of a batch: PPO, or imitation if it has no advantages."""
        with self.autocast():
            inputs = select_cards(batch.observations[:, :OBSERVATION_SIZE], CARDS_READ[batch.players])
            output = self.actor(inputs.table, inputs.tokens)
            values = self.critic(inputs, batch.hidden_states)
        logits = mask_logits(output.logits, batch.masks)
        log_probs = logits.log_softmax(1)
        action_log_probs = log_probs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        entropy = -(log_probs.exp() * log_probs.masked_fill(~batch.masks, 0)).sum(1).mean()
        losses = {"entropy": entropy, **self.compute_auxiliary_losses(batch, inputs, output, values)}
        if batch.advantages is None or batch.old_log_probs is None:
            losses["policy"] = -action_log_probs.mean()
            losses["accuracy"] = (logits.argmax(1) == batch.actions).float().mean()
        else:
            ratio = (action_log_probs - batch.old_log_probs).exp()
            clipped = ratio.clamp(1 - self.config.clip_range, 1 + self.config.clip_range)
            losses["policy"] = -torch.minimum(ratio * batch.advantages, clipped * batch.advantages).mean()
            losses["clip_fraction"] = (ratio != clipped).float().mean()
            losses["approx_kl"] = (batch.old_log_probs - action_log_probs).mean()
        auxiliary_loss = self.config.value_coef * losses["actor_value"] + self.config.belief_coef * losses["belief"]
        # All losses of the actor change its shared encoder, so none counts while only the critic is trained.
        actor_loss = losses["policy"] - self.entropy_coef * entropy + auxiliary_loss
        losses["loss"] = self.policy_weight * actor_loss + self.config.value_coef * losses["value"]
        return losses

    def compute_auxiliary_losses(
        self, batch: ExperienceBatch, inputs: ModelInput, output: ActorOutput, values: Tensor
    ) -> dict[str, Tensor]:
        """Compute the value losses of critic and actor, and the loss of the actor's beliefs about hidden cards."""
        numbers = belief_targets(inputs, batch.hidden_states).flatten()
        # Not reduction="mean", which gives NaN if no card is hidden.
        belief_loss_sum = functional.cross_entropy(
            output.beliefs.flatten(0, 1), numbers, ignore_index=-1, reduction="sum"
        )
        return {
            "value": functional.mse_loss(values, batch.returns),
            "actor_value": functional.mse_loss(output.values, batch.returns),
            "belief": belief_loss_sum / (numbers >= 0).sum().clamp_min(1),
        }


class Minibatches:
    """Minibatches of a fixed shape, in which each group has rows in proportion to its weight."""

    def __init__(
        self, learner: Learner, groups: Sequence[ExperienceBatch], weights: Sequence[int], minibatch: int
    ) -> None:
        self.learner, self.groups = learner, groups
        sizes = split_by_weight(minibatch, {str(group): float(weight) for group, weight in enumerate(weights)})
        self.indexes = [torch.zeros(size, dtype=torch.int64, device=learner.device) for size in sizes.values()]
        self.loss_names: list[str] = []
        self.active_groups: list[int] = []  # the groups that have rows to train on
        self.graph = CudaGraph(self._train_step, learner.device)

    def iterate_shuffled(self, row_indexes: Sequence[Tensor], generator: torch.Generator) -> Iterator[None]:
        """Load the minibatches of one epoch one after another, and yield after each; the caller then calls `step`.

        `row_indexes` has the rows of each group, which are shuffled. All minibatches have the same shape, so that a
        CUDA graph can replay a step: a group with too few rows repeats some, and an incomplete last minibatch is
        dropped.
        """
        active_groups = [group for group, rows in enumerate(row_indexes) if len(rows) and len(self.indexes[group])]
        if active_groups != self.active_groups:
            self.active_groups, self.graph = active_groups, CudaGraph(self._train_step, self.learner.device)
        sizes = [len(self.indexes[group]) for group in active_groups]
        minibatch_count = max(sum([len(row_indexes[group]) for group in active_groups]) // max(sum(sizes), 1), 1)
        orders = [
            _shuffled_indexes(row_indexes[group], minibatch_count * size, generator)
            for group, size in zip(active_groups, sizes, strict=True)
        ]
        for minibatch_index in range(minibatch_count if active_groups else 0):
            for group, size, order in zip(active_groups, sizes, orders, strict=True):
                self.indexes[group].copy_(order[minibatch_index * size : (minibatch_index + 1) * size])
            yield

    def step(self) -> Tensor:
        """Train on the current minibatch; return the losses in the order of `loss_names`."""
        return self.graph().clone()

    def _train_step(self) -> Tensor:
        losses = self.learner.step([self.groups[group].select(self.indexes[group]) for group in self.active_groups])
        self.loss_names = list(losses)
        return torch.stack(list(losses.values()))

    def mean_losses(self, losses: Sequence[Tensor]) -> dict[str, float]:
        if not losses:
            return {}
        means = torch.stack(list(losses)).mean(0).tolist()
        return {name: round(value, 4) for name, value in zip(self.loss_names, means, strict=True)}


def _shuffled_indexes(row_indexes: Tensor, count: int, generator: torch.Generator) -> Tensor:
    """Return `count` of the indexes in random order; if there are fewer, repeat them."""
    order = torch.randperm(len(row_indexes), generator=generator, device=generator.device)
    return row_indexes[order[torch.arange(count) % len(order)].to(row_indexes.device)]
