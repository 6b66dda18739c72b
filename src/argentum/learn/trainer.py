"""Training loop and checkpoints: imitation, then self-play against the network itself, the league and bots.

A checkpoint holds the whole state between two updates: on a CPU, a run that was stopped and resumed ends with the same
weights as one that was not.
"""

import json
import math
import signal
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from pickle import UnpicklingError
from time import perf_counter
from types import FrameType
from typing import Any, Final

import torch
from torch import Tensor

from argentum.bots.network.files import upgrade_weight_name
from argentum.learn import config as cf
from argentum.learn.cuda import autocast_context, set_up_device
from argentum.learn.imitation import generate_games, load_dataset, replay_dataset
from argentum.learn.league import League
from argentum.learn.models import Actor, Critic, cpu_state_dict, parameter_count
from argentum.learn.ppo import ExperienceBatch, Learner, Minibatches
from argentum.learn.rollout import RolloutCollector, Stopwatch
from argentum.learn.round_rewards import round_reward
from argentum.learn.self_play import SelfPlayGames
from argentum.rules.scoring import ROUNDS_PER_GAME

CHECKPOINT_FILE: Final = "checkpoint.pt"
LOG_FILE: Final = "log.jsonl"
CHECKPOINT_VERSION: Final = 2
HELD_OUT_EVERY: Final = 50  # one in 50 decisions to imitate is held out for evaluation
MAX_HELD_OUT: Final = 4096  # decisions, by number of players


# Names of metrics in TensorBoard, as in Stable-Baselines3 where it has them. A group of metrics becomes a prefix.
TENSORBOARD_NAMES: Final = {
    "update": "time/iterations",
    "decisions_per_second": "time/fps",
    "seconds": "time/seconds",
    "points_per_round": "rollout/points_per_round",
    "league_games": "rollout/league_games",
    "league": "rollout/league",
    "learning_rate": "train/learning_rate",
    "losses": "train",
    "imitation": "imitation",
    "held_out": "eval",
}
TENSORBOARD_LOSSES: Final = {"policy": "policy_gradient_loss", "value": "value_loss", "actor_value": "actor_value_loss"}


def tensorboard_scalars(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Return the metrics that are numbers, by their names in TensorBoard."""
    scalars: dict[str, float] = {}
    for name, value in metrics.items():
        prefix = TENSORBOARD_NAMES.get(name, name)
        if isinstance(value, dict):
            scalars |= {f"{prefix}/{TENSORBOARD_LOSSES.get(key, key)}": number for key, number in value.items()}
        elif isinstance(value, (int, float)):
            scalars[prefix] = value
    for prefix in ("train", "imitation", "eval"):
        if f"{prefix}/entropy" in scalars:
            scalars[f"{prefix}/entropy_loss"] = -scalars.pop(f"{prefix}/entropy")
    return scalars


class TrainingLog:
    """Writes metrics to a file as lines of JSON, and to TensorBoard if `tensorboard` is set."""

    def __init__(self, folder: Path, tensorboard: bool, echo: Callable[[str], None]) -> None:
        self.file = folder / LOG_FILE
        self.echo = echo
        self.writer: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(str(folder))

    def write(self, decisions: int, metrics: Mapping[str, Any]) -> None:
        line = json.dumps({"decisions": decisions, **metrics})
        with self.file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.echo(line)
        if self.writer is not None:
            for name, scalar in tensorboard_scalars(metrics).items():
                self.writer.add_scalar(name, scalar, decisions)


class Trainer:
    """A training run with its networks, league, counters and log."""

    def __init__(self, config: cf.TrainingConfig, folder: Path, echo: Callable[[str], None]) -> None:
        self.config: Final = config
        self.folder: Final = folder
        self.device: Final = set_up_device(config)
        folder.mkdir(parents=True, exist_ok=True)
        size = config.network
        self.actor = self._new_actor()
        self.critic = Critic(size.critic_width, size.critic_layers, size.heads, size.privileged).to(self.device)
        self.average = self._new_actor()
        self.average.load_state_dict(self.actor.state_dict())
        self.learner = Learner(config, self.actor, self.critic, self.average, self.autocast)
        self.league = League(config.league, [self._new_actor() for _ in range(config.league.active)], config.seed)
        self.log: Final = TrainingLog(folder, config.tensorboard, echo)
        self.shuffle_generator = torch.Generator()
        self.shuffle_generator.manual_seed(config.seed)
        self.decisions = self.updates = self.last_league_update = 0
        self.stopped = False
        self.time_schedule: tuple[float, float, float] | None = None  # progress at the start, start and end time
        self.saved_play: dict[str, Any] = {}  # state of games and collector in the checkpoint to resume from

    def _new_actor(self) -> Actor:
        size = self.config.network
        return Actor(size.width, size.layers, size.heads).to(self.device)

    def autocast(self) -> AbstractContextManager[Any]:
        return autocast_context(self.device)

    @property
    def progress(self) -> float:
        """The completed fraction of the run: of its decisions or, with `finish`, of its time, whichever is greater."""
        fraction_done = min(self.decisions / self.config.decisions, 1.0)
        if self.time_schedule is None:
            return fraction_done
        start_progress, started, deadline = self.time_schedule
        elapsed = min((perf_counter() - started) / (deadline - started), 1.0)
        return max(fraction_done, start_progress + (1 - start_progress) * elapsed)

    def run(self, minutes: float = math.inf, finish: bool = False) -> None:
        """Train until all decisions are made, the time is up or Ctrl-C is pressed; then write a checkpoint.

        With `finish`, the schedules reach their final values when the time is up.
        """
        started = perf_counter()
        deadline = started + 60 * minutes
        if finish:
            self.time_schedule = (self.progress, started, deadline)
        previous_handler = signal.signal(signal.SIGINT, self._stop)
        try:
            if not self.updates and self.config.imitation.decisions:
                self.imitate()
            if not self.league.members:
                self.league.add("start", self.actor)
            self.self_play(deadline)
        finally:
            signal.signal(signal.SIGINT, previous_handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        """Handle Ctrl-C: stop after the current update, or at once if it is pressed again."""
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    def self_play(self, deadline: float) -> None:
        """Alternate between collecting experience and training on it until the run ends.

        Save checkpoints at intervals and at the end.
        """
        fraction = self.config.league.fraction
        opponents = self.league.actors if fraction else ()
        with (
            SelfPlayGames(self.config, fraction) as games,
            RolloutCollector(self.config, games, self.actor, opponents, self.autocast) as collector,
        ):
            games.start(self.saved_play.get("games", {}))
            minibatches = self.make_minibatches(collector)
            collector.generator.manual_seed(self.config.seed + self.updates)
            if self.saved_play:
                collector.load_state(self.saved_play["collector"])
            saved_at = perf_counter()
            while not self.stopped and self.decisions < self.config.decisions and perf_counter() < deadline:
                self.update(collector, minibatches)
                if perf_counter() - saved_at > 60 * self.config.checkpoint_minutes:
                    self.save(games, collector)
                    saved_at = perf_counter()
            self.save(games, collector)

    def make_minibatches(self, collector: RolloutCollector) -> Minibatches:
        batches = [collector.buffer.to_batch(group.players) for group in collector.groups]
        games = [group.end - group.first for group in collector.groups]
        return Minibatches(self.learner, batches, games, self.config.ppo.minibatch)

    def update(self, collector: RolloutCollector, minibatches: Minibatches) -> None:
        """Collect one rollout and train on it."""
        stopwatch, started = Stopwatch(), perf_counter()
        collector.collect(stopwatch)
        collector.compute_values(self.critic)
        ppo = self.config.ppo
        row_indexes = collector.compute_advantages(ppo.gae_lambda, ppo.confident_fraction)
        stopwatch.lap("advantages")
        losses = self.train_epochs(minibatches, row_indexes)
        stopwatch.lap("training")
        self.updates += 1
        decisions = collector.dones.size
        self.decisions += decisions
        self.league.record_results(collector.league_results)
        league_games = len(collector.league_results)
        collector.league_results.clear()
        rounds, points = collector.rounds_finished, collector.points_total
        collector.rounds_finished, collector.points_total = 0, 0.0
        self.update_league()
        self.log.write(
            self.decisions,
            {
                "update": self.updates,
                "decisions_per_second": round(decisions / (perf_counter() - started)),
                "seconds": {name: round(value, 3) for name, value in stopwatch.reset().items()},
                "losses": losses,
                "league": self.league.summary(),
                "league_games": league_games,
                "points_per_round": round(points / max(rounds, 1), 2),
                "learning_rate": float(self.learner.learning_rate),
            },
        )

    def update_league(self) -> None:
        """Add the averaged actor to the league if an addition is due; else choose new opponents if that is due."""
        league = self.config.league
        if self.decisions - self.last_league_update >= league.interval:
            self.last_league_update = self.decisions
            self.league.add(f"{self.decisions / 1e6:.1f} M", self.average)
        elif self.updates % league.rotate_every == 0:
            self.league.choose_opponents()

    def train_epochs(self, minibatches: Minibatches, row_indexes: list[Tensor]) -> dict[str, float]:
        """Train on the collected experience for `ppo.epochs` epochs; return the mean losses."""
        ppo, progress = self.config.ppo, self.progress
        self.learner.set_schedule(
            ppo.learning_rate + (ppo.final_learning_rate - ppo.learning_rate) * progress,
            ppo.entropy_coef + (ppo.final_entropy_coef - ppo.entropy_coef) * progress,
            train_actor=self.updates >= ppo.critic_warmup_updates,
        )
        losses = [
            minibatches.step()
            for _ in range(ppo.epochs)
            for _ in minibatches.iterate_shuffled(row_indexes, self.shuffle_generator)
        ]
        return minibatches.mean_losses(losses)

    def imitate(self) -> None:
        """Pre-train by behavioural cloning: fit the actor to a bot's actions.

        Also fit the critic, and the actor's value and belief heads, to the same games.
        """
        imitation, started = self.config.imitation, perf_counter()
        games = self.config.games
        if imitation.dataset:
            dataset = load_dataset(Path(imitation.dataset))
        else:
            dataset = generate_games(
                imitation.bot, imitation.decisions, games.players, games.decks, self.config.seed, self.config.processes
            )
        seconds = {"generating": perf_counter() - started}
        self.log.write(0, {"imitation_games": len(dataset.codes), "seconds": seconds})
        started = perf_counter()
        batches, held_out = self.imitation_batches(replay_dataset(dataset, self.config.processes))
        decisions = sum([len(batch.actions) for batch in batches])
        self.log.write(0, {"imitation_decisions": decisions, "seconds": {"replaying": perf_counter() - started}})
        steps = imitation.epochs * max(decisions // imitation.minibatch, 1)
        minibatches = Minibatches(self.learner, batches, [len(batch.actions) for batch in batches], imitation.minibatch)
        row_indexes = [torch.arange(len(batch.actions), device=self.device) for batch in batches]
        losses: list[Tensor] = []
        started, step = perf_counter(), 0
        for _ in range(imitation.epochs):
            for _ in minibatches.iterate_shuffled(row_indexes, self.shuffle_generator):
                learning_rate = imitation.learning_rate * min(1.0, (step + 1) / 100) * (1 - 0.95 * step / steps)
                self.learner.set_schedule(learning_rate, entropy_coef=0.0, train_actor=True)
                losses.append(minibatches.step())
                step += 1
                if self.stopped:
                    return
            self.log.write(0, {"imitation": minibatches.mean_losses(losses), "held_out": self.evaluate(held_out)})
            losses.clear()
        self.average.load_state_dict(self.actor.state_dict())
        self.learner.optimizer.state.clear()
        self.league.add(self.config.imitation.bot, self.actor)
        self.log.write(0, {"seconds": {"imitation": round(perf_counter() - started, 1)}})

    def imitation_batches(
        self, replayed: dict[int, dict[str, Any]]
    ) -> tuple[list[ExperienceBatch], list[ExperienceBatch]]:
        """Return the batches to train on and those held out, one of each per number of players."""
        batches: list[ExperienceBatch] = []
        held_out: list[ExperienceBatch] = []
        games = self.config.games
        for players, arrays in replayed.items():
            returns = torch.zeros(len(arrays["actions"]))
            for round_number in range(1, ROUNDS_PER_GAME + 1):
                rows = (arrays["rounds"] == round_number).nonzero()[0]
                if len(rows):
                    rewards = round_reward(
                        games.reward,
                        arrays["totals_before"][rows],
                        arrays["points"][rows],
                        round_number,
                        games.round_std,
                    )
                    returns[rows] = torch.from_numpy(rewards[range(len(rows)), arrays["seats"][rows]])
            observations, masks, hidden_states, actions = (
                torch.from_numpy(arrays[name]).to(self.device)
                for name in ("observations", "masks", "hidden_states", "actions")
            )
            batch = ExperienceBatch(
                players, observations, masks, hidden_states, actions, returns.to(self.device), None, None
            )
            row_indexes = torch.arange(len(returns), device=self.device)
            split = max(len(returns) - min(len(returns) // HELD_OUT_EVERY + 1, MAX_HELD_OUT), 1)
            batches.append(batch.select(row_indexes[:split]))
            held_out.append(batch.select(row_indexes[split:]))
        return batches, held_out

    @torch.no_grad()
    def evaluate(self, held_out: list[ExperienceBatch]) -> dict[str, float]:
        losses = [self.learner.compute_losses(batch) for batch in held_out if len(batch.actions)]
        return {name: round(float(torch.stack([values[name] for values in losses]).mean()), 4) for name in losses[0]}

    def save(self, games: SelfPlayGames, collector: RolloutCollector) -> None:
        """Write a checkpoint to a temporary file, then replace the old one."""
        checkpoint = {
            "version": CHECKPOINT_VERSION,
            "config": cf.config_to_dict(self.config),
            "actor": cpu_state_dict(self.actor),
            "critic": cpu_state_dict(self.critic),
            "average": cpu_state_dict(self.average),
            "optimizer": self.learner.optimizer.state_dict(),
            "league": self.league.state(),
            "shuffle_generator": self.shuffle_generator.get_state(),
            "counters": (self.decisions, self.updates, self.last_league_update),
            "play": {"games": games.save(), "collector": collector.state()},
        }
        temporary = self.folder / f"{CHECKPOINT_FILE}.new"
        torch.save(checkpoint, temporary)
        temporary.replace(self.folder / CHECKPOINT_FILE)
        self.log.write(self.decisions, {"checkpoint": str(self.folder / CHECKPOINT_FILE)})

    def resume(self, file: Path, games: bool = True) -> None:
        """Load a checkpoint. With `games`, also restore its unfinished games, which requires the same configuration."""
        checkpoint = read_checkpoint(file)
        self.actor.load_state_dict(checkpoint["actor"])
        self.critic.load_state_dict(checkpoint["critic"])
        self.average.load_state_dict(checkpoint["average"])
        self.learner.optimizer.load_state_dict(checkpoint["optimizer"])
        self.league.load_state(checkpoint["league"])
        self.shuffle_generator.set_state(checkpoint["shuffle_generator"])
        self.decisions, self.updates, self.last_league_update = checkpoint["counters"]
        self.saved_play = checkpoint["play"] if games else {}

    def summary(self) -> str:
        """Describe the run in one line: its name, the sizes of the networks, and the device."""
        size = f"{parameter_count(self.actor):,} parameters, and {parameter_count(self.critic):,} of the critic"
        return f"{self.config.name}: {size}, on {self.device}"


def read_checkpoint(file: Path) -> dict[str, Any]:
    """Read a checkpoint of the current version or version 1; raise ValueError with a message for users."""
    try:
        checkpoint: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=False)
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
    except (RuntimeError, EOFError, KeyError, ValueError, UnpicklingError) as error:
        raise ValueError(f"{file} is not a checkpoint: {error}") from None
    version = checkpoint.get("version") if isinstance(checkpoint, dict) else None
    if version == 1:
        return upgrade_checkpoint_v1(checkpoint)
    if version != CHECKPOINT_VERSION:
        raise ValueError(f"{file} is not a checkpoint of this version")
    return checkpoint


def upgrade_checkpoint_v1(checkpoint: dict[str, Any]) -> dict[str, Any]:
    """Convert a checkpoint of version 1 to the current names of settings, weights and states. To be removed in 1.1."""

    def upgrade_weights(weights: dict[str, Tensor]) -> dict[str, Tensor]:
        return {upgrade_weight_name(name): value for name, value in weights.items()}

    league = checkpoint["league"]
    collector = checkpoint["play"]["collector"]
    return {
        "version": CHECKPOINT_VERSION,
        "config": cf.upgrade_settings_v1(checkpoint["config"]),
        "actor": upgrade_weights(checkpoint["actor"]),
        "critic": upgrade_weights(checkpoint["critic"]),
        "average": upgrade_weights(checkpoint["average"]),
        "optimizer": checkpoint["optimiser"],
        "league": {
            "members": [(name, upgrade_weights(weights)) for name, weights in league["members"]],
            "mean_results": league["gains"],
            "active": league["chosen"],
            "random": league["random"],
        },
        "shuffle_generator": checkpoint["order"],
        "counters": checkpoint["counters"],
        "play": {
            "games": checkpoint["play"]["games"],
            "collector": {
                "generator": collector["noise"],
                "totals": collector["totals"],
                "rounds": collector["rounds"],
                "games_started": collector["begun"],
                "returns": collector["_gains"],
            },
        },
    }
