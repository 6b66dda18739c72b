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
from argentum.learn.cuda import autocast, set_up
from argentum.learn.league import Leagues
from argentum.learn.models import Actor, Critic, parameters, state
from argentum.learn.ppo import Learner, Lesson, Rows
from argentum.learn.rollout import Clock, Collector
from argentum.learn.round_rewards import worth
from argentum.learn.self_play import Fleet
from argentum.rules.notation import SEAT_LETTERS

CHECKPOINT: Final = "checkpoint.pt"
LOG: Final = "log.jsonl"
VERSION: Final = 1  # of checkpoints
HELD_OUT: Final = 50  # of so many choices to imitate, one is held out
MOST_HELD: Final = 4096  # at most so many


class Log:
    """What happened, a line of JSON each; and TensorBoard's files if they are wanted."""

    def __init__(self, folder: Path, tensorboard: bool, say: Callable[[str], None]) -> None:
        self.file = folder / LOG
        self.say = say
        self.writer: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(str(folder))

    def write(self, choices: int, told: Mapping[str, Any]) -> None:
        """Write a line."""
        line = json.dumps({"choices": choices, **told})
        with self.file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.say(line)
        if self.writer is not None:
            for name, value in told.items():
                for key, one in value.items() if isinstance(value, dict) else [("", value)]:
                    if isinstance(one, (int, float)):
                        self.writer.add_scalar(f"{name}/{key}" if key else name, one, choices)


class Trainer:
    """A run, in a folder."""

    def __init__(self, config: cf.Config, folder: Path, say: Callable[[str], None]) -> None:
        self.config: Final = config
        self.folder: Final = folder
        self.device: Final = set_up(config)
        folder.mkdir(parents=True, exist_ok=True)
        size = config.network
        self.actor = self._actor()
        self.critic = Critic(size.critic_width, size.critic_layers, size.heads, size.privileged).to(self.device)
        self.average = self._actor()
        self.average.load_state_dict(self.actor.state_dict())
        self.learner = Learner(config, self.actor, self.critic, self.average, self.autocast)
        self.league = Leagues(config.league, [self._actor() for _ in range(config.league.at_once)], config.seed)
        self.log: Final = Log(folder, config.tensorboard, say)
        self.order = torch.Generator()
        self.order.manual_seed(config.seed)
        self.choices = self.updates = self.joined = 0
        self.stopped = False
        self.stretch: tuple[float, float, float] | None = None  # the last one: progress before it, its begin and end
        self.kept: dict[str, Any] = {}  # of games, to go on with

    def _actor(self) -> Actor:
        size = self.config.network
        return Actor(size.width, size.layers, size.heads).to(self.device)

    def autocast(self) -> AbstractContextManager[Any]:
        """Smaller numbers where that is faster."""
        return autocast(self.device)

    @property
    def progress(self) -> float:
        """How much of the run is over, from 0 to 1: by its choices, or by the clock from where it stood (`finish`)."""
        done = min(self.choices / self.config.choices, 1.0)
        if self.stretch is None:
            return done
        stood, began, until = self.stretch
        return max(done, stood + (1 - stood) * min((perf_counter() - began) / (until - began), 1.0))

    # The whole run.

    def run(self, minutes: float = math.inf, finish: bool = False) -> None:
        """Learn until all choices are made, the time is up, or somebody stops it; then write a checkpoint.

        To `finish` is to let the schedules end when the time is up: for the last stretch of a run.
        """
        began = perf_counter()
        until = began + 60 * minutes
        if finish:
            self.stretch = (self.progress, began, until)
        before = signal.signal(signal.SIGINT, self._stop)
        try:
            if not self.updates and self.config.imitation.choices:
                self.imitate()
            if not self.league.members:
                self.league.add("start", self.actor)
            self.play(until)
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop after the update that is under way; a second time at once."""
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    def play(self, until: float) -> None:
        """Self-play and learning in turn."""
        share = self.config.league.share
        older = self.league.actors if share else ()
        with (
            Fleet(self.config, share) as fleet,
            Collector(self.config, fleet, self.actor, older, self.autocast) as collector,
        ):
            fleet.start(self.kept.get("games", {}))
            lesson = self.lesson(collector)
            collector.noise.manual_seed(self.config.seed + self.updates)
            if self.kept:
                collector.go_on(self.kept["collector"])
            saved = perf_counter()
            while not self.stopped and self.choices < self.config.choices and perf_counter() < until:
                self.update(collector, lesson)
                if perf_counter() - saved > 60 * self.config.checkpoint_minutes:
                    self.save(fleet, collector)
                    saved = perf_counter()
            self.save(fleet, collector)

    def lesson(self, collector: Collector) -> Lesson:
        """What is learned from in each update: the choices that a collector has stored."""
        rows = [collector.stored.rows(group.players) for group in collector.groups]
        games = [group.after - group.first for group in collector.groups]
        return Lesson(self.learner, rows, games, self.config.ppo.minibatch)

    def update(self, collector: Collector, lesson: Lesson) -> None:
        """Play some steps, and learn from them."""
        clock, began = Clock(), perf_counter()
        collector.play(clock)
        collector.value(self.critic)
        which = collector.judge(self.config.ppo.trace, self.config.ppo.decided)
        clock.lap("preparing")
        told = self.learn(lesson, which)
        clock.lap("learning")
        self.updates += 1
        made = collector.ends.size
        self.choices += made
        self.league.learn(collector.outcomes)
        games = len(collector.outcomes)
        collector.outcomes.clear()
        rounds, scored, collector.finished, collector.scored = collector.finished, collector.scored, 0, 0.0
        self.look_after_league()
        spent = perf_counter() - began
        self.log.write(
            self.choices,
            {
                "update": self.updates,
                "choices a second": round(made / spent),
                "seconds": {name: round(value, 3) for name, value in clock.take().items()},
                "losses": told,
                "league": self.league.told(),
                "league games": games,
                "points a round": round(scored / max(rounds, 1), 2),
                "rate": float(self.learner.rate),
            },
        )

    def look_after_league(self) -> None:
        """Let the network join now and then, and others be played against."""
        league = self.config.league
        if self.choices - self.joined >= league.every:
            self.joined = self.choices
            self.league.add(f"{self.choices / 1e6:.1f} M", self.average)
        elif self.updates % league.hold == 0:
            self.league.choose()

    # Learning.

    def learn(self, lesson: Lesson, which: list[Tensor]) -> dict[str, float]:
        """Some epochs over what was played; the means of the losses."""
        ppo, done = self.config.ppo, self.progress
        self.learner.set(
            ppo.rate + (ppo.last_rate - ppo.rate) * done,
            ppo.entropy + (ppo.last_entropy - ppo.entropy) * done,
            policy=self.updates >= ppo.critic_first,
        )
        losses = [lesson.step() for _ in range(ppo.epochs) for _ in lesson.minibatches(which, self.order)]
        return lesson.means(losses)

    # Imitation.

    def imitate(self) -> None:
        """Learn to do as a bot does; and from its games, what rounds bring and what hidden cards may be."""
        told, began = self.config.imitation, perf_counter()
        games = self.config.games
        if told.games:
            made = imitation.load(Path(told.games))
        else:
            made = imitation.make_games(
                told.bot, told.choices, games.seats, games.boxes, self.config.seed, self.config.processes
            )
        self.log.write(0, {"games to imitate": len(made.codes), "seconds": {"teacher": perf_counter() - began}})
        began = perf_counter()
        learned, held = self.lessons(imitation.replay_all(made, self.config.processes))
        total = sum([len(rows.actions) for rows in learned])
        self.log.write(0, {"choices to imitate": total, "seconds": {"replaying": perf_counter() - began}})
        steps = told.passes * max(total // told.minibatch, 1)
        lesson = Lesson(self.learner, learned, [len(rows.actions) for rows in learned], told.minibatch)
        which = [torch.arange(len(rows.actions), device=self.device) for rows in learned]
        losses: list[Tensor] = []
        began, nth = perf_counter(), 0
        for _ in range(told.passes):
            for _ in lesson.minibatches(which, self.order):
                rate = told.rate * min(1.0, (nth + 1) / 100) * (1 - 0.95 * nth / steps)
                self.learner.set(rate, entropy=0.0, policy=True)
                losses.append(lesson.step())
                nth += 1
                if self.stopped:
                    return
            self.log.write(0, {"imitation": lesson.means(losses), "held out": self.examine(held)})
            losses.clear()
        self.average.load_state_dict(self.actor.state_dict())
        self.learner.optimiser.state.clear()
        self.league.add(self.config.imitation.bot, self.actor)
        self.log.write(0, {"seconds": {"imitating": round(perf_counter() - began, 1)}})

    def lessons(self, replayed: dict[int, dict[str, Any]]) -> tuple[list[Rows], list[Rows]]:
        """Choices of a bot to learn from, and some that are held out."""
        learned: list[Rows] = []
        held: list[Rows] = []
        games = self.config.games
        for players, arrays in replayed.items():
            returns = torch.zeros(len(arrays["actions"]))
            for number in range(1, len(SEAT_LETTERS) + 1):
                rows = (arrays["rounds"] == number).nonzero()[0]
                if len(rows):
                    brought = worth(games.reward, arrays["before"][rows], arrays["points"][rows], number, games.spread)
                    returns[rows] = torch.from_numpy(brought[range(len(rows)), arrays["seats"][rows]])
            seen, masks, truths, actions = (
                torch.from_numpy(arrays[name]).to(self.device)
                for name in ("observations", "masks", "truths", "actions")
            )
            whole = Rows(players, seen, masks, truths, actions, returns.to(self.device), None, None)
            which = torch.arange(len(returns), device=self.device)
            last = max(len(returns) - min(len(returns) // HELD_OUT + 1, MOST_HELD), 1)
            learned.append(whole.pick(which[:last]))
            held.append(whole.pick(which[last:]))
        return learned, held

    @torch.no_grad()
    def examine(self, held: list[Rows]) -> dict[str, float]:
        """How the network does on choices that it has not learned from."""
        told = [self.learner.losses(rows) for rows in held if len(rows.actions)]
        return {name: round(float(torch.stack([one[name] for one in told]).mean()), 4) for name in told[0]}

    # Checkpoints.

    def save(self, fleet: Fleet, collector: Collector) -> None:
        """Write a checkpoint, in one piece or not at all."""
        kept = {
            "version": VERSION,
            "config": cf.to_dict(self.config),
            "actor": state(self.actor),
            "critic": state(self.critic),
            "average": state(self.average),
            "optimiser": self.learner.optimiser.state_dict(),
            "league": self.league.state(),
            "order": self.order.get_state(),
            "counters": (self.choices, self.updates, self.joined),
            "play": {"games": fleet.keep(), "collector": collector.state()},
        }
        fresh = self.folder / f"{CHECKPOINT}.new"
        torch.save(kept, fresh)
        fresh.replace(self.folder / CHECKPOINT)
        self.log.write(self.choices, {"saved": str(self.folder / CHECKPOINT)})

    def resume(self, file: Path, games: bool = True) -> None:
        """Go on from a checkpoint; with its games, if the configuration still has the same."""
        kept = read_checkpoint(file)
        self.actor.load_state_dict(kept["actor"])
        self.critic.load_state_dict(kept["critic"])
        self.average.load_state_dict(kept["average"])
        self.learner.optimiser.load_state_dict(kept["optimiser"])
        self.league.go_on(kept["league"])
        self.order.set_state(kept["order"])
        self.choices, self.updates, self.joined = kept["counters"]
        self.kept = kept["play"] if games else {}

    def told(self) -> str:
        """What is learned with, in a line."""
        size = f"{parameters(self.actor):,} parameters, and {parameters(self.critic):,} of the critic"
        return f"{self.config.name}: {size}, on {self.device}"


def read_checkpoint(file: Path) -> dict[str, Any]:
    """What is in a checkpoint; an error for people if it is none."""
    try:
        kept: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=False)
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
    except (RuntimeError, EOFError, KeyError, ValueError, UnpicklingError) as error:
        raise ValueError(f"{file} is not a checkpoint: {error}") from None
    if not isinstance(kept, dict) or kept.get("version") != VERSION:
        raise ValueError(f"{file} is not a checkpoint of this version")
    return kept
