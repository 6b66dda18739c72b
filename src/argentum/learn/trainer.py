"""The training run: imitation, then self-play against itself and the league, until it is told to stop.

Everything that goes on from one update to the next is in a checkpoint; on a processor a run that is stopped and taken
up again ends just as one that was not.
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

from argentum.learn import config as cf
from argentum.learn import imitation
from argentum.learn.cuda import autocast_context, set_up_device
from argentum.learn.league import League
from argentum.learn.models import Actor, Critic, cpu_state_dict, parameter_count
from argentum.learn.ppo import ExperienceBatch, Learner, Minibatches
from argentum.learn.rollout import RolloutCollector, Stopwatch
from argentum.learn.round_rewards import round_reward
from argentum.learn.self_play import SelfPlayGames
from argentum.rules.notation import SEAT_LETTERS

CHECKPOINT_FILE: Final = "checkpoint.pt"
LOG_FILE: Final = "log.jsonl"
CHECKPOINT_VERSION: Final = 1  # of checkpoints
HELD_OUT_EVERY: Final = 50  # of so many choices to imitate, one is held out
MAX_HELD_OUT: Final = 4096  # at most so many


class TrainingLog:
    """What happened, a line of JSON each; and TensorBoard's files if they are wanted."""

    def __init__(self, folder: Path, tensorboard: bool, say: Callable[[str], None]) -> None:
        self.file = folder / LOG_FILE
        self.echo = say
        self.writer: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(str(folder))

    def write(self, choices: int, metrics: Mapping[str, Any]) -> None:
        """Write a line."""
        line = json.dumps({"choices": choices, **metrics})
        with self.file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.echo(line)
        if self.writer is not None:
            for name, value in metrics.items():
                for key, one in value.items() if isinstance(value, dict) else [("", value)]:
                    if isinstance(one, (int, float)):
                        self.writer.add_scalar(f"{name}/{key}" if key else name, one, choices)


class Trainer:
    """A run, in a folder."""

    def __init__(self, config: cf.TrainingConfig, folder: Path, say: Callable[[str], None]) -> None:
        self.config: Final = config
        self.folder: Final = folder
        self.device: Final = set_up_device(config)
        folder.mkdir(parents=True, exist_ok=True)
        size = config.network
        self.actor = self._actor()
        self.critic = Critic(size.critic_width, size.critic_layers, size.heads, size.privileged).to(self.device)
        self.average = self._actor()
        self.average.load_state_dict(self.actor.state_dict())
        self.learner = Learner(config, self.actor, self.critic, self.average, self.autocast)
        self.league = League(config.league, [self._actor() for _ in range(config.league.at_once)], config.seed)
        self.log: Final = TrainingLog(folder, config.tensorboard, say)
        self.shuffle_generator = torch.Generator()
        self.shuffle_generator.manual_seed(config.seed)
        self.decisions = self.updates = self.last_league_update = 0
        self.stopped = False
        self.time_schedule: tuple[float, float, float] | None = (
            None  # the last one: progress before it, its begin and end
        )
        self.saved_play: dict[str, Any] = {}  # of games, to go on with

    def _actor(self) -> Actor:
        size = self.config.network
        return Actor(size.width, size.layers, size.heads).to(self.device)

    def autocast(self) -> AbstractContextManager[Any]:
        """Smaller numbers where that is faster."""
        return autocast_context(self.device)

    @property
    def progress(self) -> float:
        """How much of the run is over, from 0 to 1: by its choices, or by the clock from where it stood (`finish`)."""
        done = min(self.decisions / self.config.choices, 1.0)
        if self.time_schedule is None:
            return done
        start_progress, began, until = self.time_schedule
        return max(done, start_progress + (1 - start_progress) * min((perf_counter() - began) / (until - began), 1.0))

    # The whole run.

    def run(self, minutes: float = math.inf, finish: bool = False) -> None:
        """Learn until all choices are made, the time is up, or somebody stops it; then write a checkpoint.

        To `finish` is to let the schedules end when the time is up: for the last stretch of a run.
        """
        began = perf_counter()
        until = began + 60 * minutes
        if finish:
            self.time_schedule = (self.progress, began, until)
        before = signal.signal(signal.SIGINT, self._stop)
        try:
            if not self.updates and self.config.imitation.choices:
                self.imitate()
            if not self.league.members:
                self.league.add("start", self.actor)
            self.self_play(until)
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop after the update that is under way; a second time at once."""
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    def self_play(self, until: float) -> None:
        """Self-play and learning in turn."""
        share = self.config.league.share
        older = self.league.actors if share else ()
        with (
            SelfPlayGames(self.config, share) as fleet,
            RolloutCollector(self.config, fleet, self.actor, older, self.autocast) as collector,
        ):
            fleet.start(self.saved_play.get("games", {}))
            lesson = self.make_minibatches(collector)
            collector.generator.manual_seed(self.config.seed + self.updates)
            if self.saved_play:
                collector.load_state(self.saved_play["collector"])
            saved = perf_counter()
            while not self.stopped and self.decisions < self.config.choices and perf_counter() < until:
                self.update(collector, lesson)
                if perf_counter() - saved > 60 * self.config.checkpoint_minutes:
                    self.save(fleet, collector)
                    saved = perf_counter()
            self.save(fleet, collector)

    def make_minibatches(self, collector: RolloutCollector) -> Minibatches:
        """What is learned from in each update: the choices that a collector has stored."""
        rows = [collector.buffer.to_batch(group.players) for group in collector.groups]
        games = [group.after - group.first for group in collector.groups]
        return Minibatches(self.learner, rows, games, self.config.ppo.minibatch)

    def update(self, collector: RolloutCollector, lesson: Minibatches) -> None:
        """Play some steps, and learn from them."""
        clock, began = Stopwatch(), perf_counter()
        collector.collect(clock)
        collector.compute_values(self.critic)
        which = collector.compute_advantages(self.config.ppo.trace, self.config.ppo.decided)
        clock.lap("preparing")
        metrics = self.train_epochs(lesson, which)
        clock.lap("learning")
        self.updates += 1
        made = collector.dones.size
        self.decisions += made
        self.league.record_results(collector.league_results)
        games = len(collector.league_results)
        collector.league_results.clear()
        rounds, scored, collector.rounds_finished, collector.points_total = (
            collector.rounds_finished,
            collector.points_total,
            0,
            0.0,
        )
        self.update_league()
        spent = perf_counter() - began
        self.log.write(
            self.decisions,
            {
                "update": self.updates,
                "choices a second": round(made / spent),
                "seconds": {name: round(value, 3) for name, value in clock.reset().items()},
                "losses": metrics,
                "league": self.league.summary(),
                "league games": games,
                "points a round": round(scored / max(rounds, 1), 2),
                "rate": float(self.learner.learning_rate),
            },
        )

    def update_league(self) -> None:
        """Let the network join now and then, and others be played against."""
        league = self.config.league
        if self.decisions - self.last_league_update >= league.every:
            self.last_league_update = self.decisions
            self.league.add(f"{self.decisions / 1e6:.1f} M", self.average)
        elif self.updates % league.hold == 0:
            self.league.choose_opponents()

    # Learning.

    def train_epochs(self, lesson: Minibatches, which: list[Tensor]) -> dict[str, float]:
        """Some epochs over what was played; the means of the losses."""
        ppo, done = self.config.ppo, self.progress
        self.learner.set_schedule(
            ppo.rate + (ppo.last_rate - ppo.rate) * done,
            ppo.entropy + (ppo.last_entropy - ppo.entropy) * done,
            policy=self.updates >= ppo.critic_first,
        )
        losses = [lesson.step() for _ in range(ppo.epochs) for _ in lesson.shuffle(which, self.shuffle_generator)]
        return lesson.mean_losses(losses)

    # Imitation.

    def imitate(self) -> None:
        """Learn to do as a bot does; and from its games, what rounds bring and what hidden cards may be."""
        metrics, began = self.config.imitation, perf_counter()
        games = self.config.games
        if metrics.games:
            made = imitation.load_dataset(Path(metrics.games))
        else:
            made = imitation.generate_games(
                metrics.bot, metrics.choices, games.seats, games.boxes, self.config.seed, self.config.processes
            )
        self.log.write(0, {"games to imitate": len(made.codes), "seconds": {"teacher": perf_counter() - began}})
        began = perf_counter()
        learned, held = self.imitation_batches(imitation.replay_dataset(made, self.config.processes))
        total = sum([len(rows.actions) for rows in learned])
        self.log.write(0, {"choices to imitate": total, "seconds": {"replaying": perf_counter() - began}})
        steps = metrics.passes * max(total // metrics.minibatch, 1)
        lesson = Minibatches(self.learner, learned, [len(rows.actions) for rows in learned], metrics.minibatch)
        which = [torch.arange(len(rows.actions), device=self.device) for rows in learned]
        losses: list[Tensor] = []
        began, nth = perf_counter(), 0
        for _ in range(metrics.passes):
            for _ in lesson.shuffle(which, self.shuffle_generator):
                rate = metrics.rate * min(1.0, (nth + 1) / 100) * (1 - 0.95 * nth / steps)
                self.learner.set_schedule(rate, entropy=0.0, policy=True)
                losses.append(lesson.step())
                nth += 1
                if self.stopped:
                    return
            self.log.write(0, {"imitation": lesson.mean_losses(losses), "held out": self.evaluate(held)})
            losses.clear()
        self.average.load_state_dict(self.actor.state_dict())
        self.learner.optimizer.state.clear()
        self.league.add(self.config.imitation.bot, self.actor)
        self.log.write(0, {"seconds": {"imitating": round(perf_counter() - began, 1)}})

    def imitation_batches(
        self, replayed: dict[int, dict[str, Any]]
    ) -> tuple[list[ExperienceBatch], list[ExperienceBatch]]:
        """Choices of a bot to learn from, and some that are held out."""
        learned: list[ExperienceBatch] = []
        held: list[ExperienceBatch] = []
        games = self.config.games
        for players, arrays in replayed.items():
            returns = torch.zeros(len(arrays["actions"]))
            for number in range(1, len(SEAT_LETTERS) + 1):
                rows = (arrays["rounds"] == number).nonzero()[0]
                if len(rows):
                    brought = round_reward(
                        games.reward, arrays["before"][rows], arrays["points"][rows], number, games.spread
                    )
                    returns[rows] = torch.from_numpy(brought[range(len(rows)), arrays["seats"][rows]])
            seen, masks, truths, actions = (
                torch.from_numpy(arrays[name]).to(self.device)
                for name in ("observations", "masks", "truths", "actions")
            )
            whole = ExperienceBatch(players, seen, masks, truths, actions, returns.to(self.device), None, None)
            which = torch.arange(len(returns), device=self.device)
            last = max(len(returns) - min(len(returns) // HELD_OUT_EVERY + 1, MAX_HELD_OUT), 1)
            learned.append(whole.select(which[:last]))
            held.append(whole.select(which[last:]))
        return learned, held

    @torch.no_grad()
    def evaluate(self, held: list[ExperienceBatch]) -> dict[str, float]:
        """How the network does on choices that it has not learned from."""
        metrics = [self.learner.losses(rows) for rows in held if len(rows.actions)]
        return {name: round(float(torch.stack([one[name] for one in metrics]).mean()), 4) for name in metrics[0]}

    # Checkpoints.

    def save(self, fleet: SelfPlayGames, collector: RolloutCollector) -> None:
        """Write a checkpoint, in one piece or not at all."""
        kept = {
            "version": CHECKPOINT_VERSION,
            "config": cf.config_to_dict(self.config),
            "actor": cpu_state_dict(self.actor),
            "critic": cpu_state_dict(self.critic),
            "average": cpu_state_dict(self.average),
            "optimiser": self.learner.optimizer.state_dict(),
            "league": self.league.state(),
            "order": self.shuffle_generator.get_state(),
            "counters": (self.decisions, self.updates, self.last_league_update),
            "play": {"games": fleet.save(), "collector": collector.state()},
        }
        fresh = self.folder / f"{CHECKPOINT_FILE}.new"
        torch.save(kept, fresh)
        fresh.replace(self.folder / CHECKPOINT_FILE)
        self.log.write(self.decisions, {"saved": str(self.folder / CHECKPOINT_FILE)})

    def resume(self, file: Path, games: bool = True) -> None:
        """Go on from a checkpoint; with its games, if the configuration still has the same."""
        kept = read_checkpoint(file)
        self.actor.load_state_dict(kept["actor"])
        self.critic.load_state_dict(kept["critic"])
        self.average.load_state_dict(kept["average"])
        self.learner.optimizer.load_state_dict(kept["optimiser"])
        self.league.load_state(kept["league"])
        self.shuffle_generator.set_state(kept["order"])
        self.decisions, self.updates, self.last_league_update = kept["counters"]
        self.saved_play = kept["play"] if games else {}

    def summary(self) -> str:
        """What is learned with, in a line."""
        size = f"{parameter_count(self.actor):,} parameters, and {parameter_count(self.critic):,} of the critic"
        return f"{self.config.name}: {size}, on {self.device}"


def read_checkpoint(file: Path) -> dict[str, Any]:
    """What is in a checkpoint; an error for people if it is none."""
    try:
        kept: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=False)
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
    except (RuntimeError, EOFError, KeyError, ValueError, UnpicklingError) as error:
        raise ValueError(f"{file} is not a checkpoint: {error}") from None
    if not isinstance(kept, dict) or kept.get("version") != CHECKPOINT_VERSION:
        raise ValueError(f"{file} is not a checkpoint of this version")
    return kept
