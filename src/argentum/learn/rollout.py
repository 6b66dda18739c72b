"""Collect experience; advantages; pinned memory."""

from collections.abc import Sequence
from functools import partial
from math import log
from time import perf_counter
from typing import Any, Final, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from argentum.learn import config as cf
from argentum.learn.cuda import Autocast, Recorded, _pinned, _unpin, compiled
from argentum.learn.gae import advantages
from argentum.learn.models import SLOTS, Actor, Critic, masked, read
from argentum.learn.ppo import Rows
from argentum.learn.round_rewards import worth
from argentum.learn.self_play import GAME_OVER, HALVES, LEAGUE, NOTHING, Fleet
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.layout import OBSERVATION_SIZE
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK

VALUED: Final = 16384  # choices that are valued at once
FROM_GAMES: Final = ("observations", "masks", "truths", "seats")  # what the games of a half show
KEPT: Final = ("totals", "rounds", "begun", "_gains")  # of a collector, in a checkpoint
DECIDED: Final = log(0.99)  # of the chance of an action from which on the network was sure of it
TINY: Final = 1e-20  # noise above 0, so that its logarithm is finite


class Group(NamedTuple):
    """The games with one number of seats: a range of rows in each half."""

    players: int
    first: int
    after: int
    league: int  # the first so many of them are against the league


def groups(fleet: Fleet) -> list[Group]:
    """The games of a fleet by the number of seats."""
    found: list[Group] = []
    for players in dict.fromkeys([block.players for block in fleet.blocks]):
        mine = [block for block in fleet.blocks if block.players == players]
        league = sum([block.after - block.first for block in mine if block.kind == LEAGUE])
        found.append(Group(players, mine[0].first, mine[-1].after, league))
    return found


class Stored:
    """What was seen and done, on the device: by step, half and row."""

    def __init__(self, steps: int, games: int, device: torch.device) -> None:
        def space(*shape: int, kind: torch.dtype) -> Tensor:
            return torch.zeros((steps, HALVES, games, *shape), dtype=kind, device=device)

        self.observations: Final = space(OBSERVATION_SIZE, kind=torch.uint8)
        self.masks: Final = space(ACTION_COUNT, kind=torch.bool)
        self.truths: Final = space(2, CARDS_IN_DECK, kind=torch.uint8)
        self.seats: Final = space(kind=torch.uint8)
        self.actions: Final = space(kind=torch.int64)
        self.chances: Final = space(kind=torch.float32)  # the logarithm of each action's
        self.values: Final = space(kind=torch.float32)
        self.learns: Final = space(kind=torch.bool)  # whether the network itself chose
        self.returns: Final = space(kind=torch.float32)
        self.advantages: Final = space(kind=torch.float32)

    def rows(self, players: int) -> Rows:
        """Everything with one row for each choice."""
        names = ("observations", "masks", "truths", "actions", "returns", "advantages", "chances")
        return Rows(players, *[getattr(self, name).flatten(0, 2) for name in names])


class Clock:
    """Where the time goes: seconds by what was done."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._since = perf_counter()

    def lap(self, what: str) -> None:
        """All since the last lap was for this."""
        now = perf_counter()
        self.spent[what] = self.spent.get(what, 0.0) + now - self._since
        self._since = now

    def take(self) -> dict[str, float]:
        """What was spent; it begins anew."""
        spent, self.spent = self.spent, {}
        return spent


class Ended(NamedTuple):
    """What a step ended in the games of a half."""

    how: NDArray[np.uint8]  # by row: nothing, a round or a game
    learners: NDArray[np.int64]  # whose seat was the network's in each game against the league


class Collector:
    """Plays on with all games, some steps at a time."""

    def __init__(
        self, config: cf.Config, fleet: Fleet, actor: Actor, league: Sequence[Actor], autocast: Autocast
    ) -> None:
        self.config: Final = config.games
        self.fleet: Final = fleet
        self.actor: Final = actor
        self.older: Final = league  # those who are played against
        self.device: Final = torch.device(config.device)
        self.autocast: Final = autocast
        self.weigh: Final = compiled(weigh, config.compile)
        self.appraise: Final = compiled(appraise, config.compile)
        self.groups: Final = groups(fleet)
        self.stored: Final = Stored(config.games.steps, fleet.games, self.device)
        self.rewards: Final = np.zeros((config.games.steps, HALVES, fleet.games, MAX_PLAYERS), np.float32)
        self.ends: Final = np.zeros((config.games.steps, HALVES, fleet.games), np.bool_)
        self.totals = np.zeros((HALVES, fleet.games, MAX_PLAYERS), np.float32)  # of each game so far
        self.rounds = np.ones((HALVES, fleet.games), np.int64)
        self.begun = np.zeros((HALVES, fleet.games), np.int64)  # games at each row before this one
        self.outcomes: list[tuple[int, float]] = []  # which opponent of the league, and what a game brought
        self.finished, self.scored = 0, 0.0  # rounds, and the points of a seat in them, of all of them
        self.noise = torch.Generator(self.device)
        self.shown: Final = [_shown(fleet.games, self.device) for _ in range(HALVES)]
        self._look: Final = [Recorded(partial(self.look, half), self.device, [self.noise]) for half in range(HALVES)]
        self._pinned: Final = [_pinned(memory) for memory in fleet.memory if self.device.type == "cuda"]
        players = np.zeros(fleet.games, np.int64)
        self.league = np.zeros(fleet.games, np.bool_)
        for group in self.groups:
            players[group.first : group.after] = group.players
            self.league[group.first : group.first + group.league] = True
        self.players: Final = players
        self._gains = np.zeros((HALVES, fleet.games), np.float32)  # of the learner in this game

    def __enter__(self) -> "Collector":
        return self

    def __exit__(self, *_: object) -> None:
        for address in self._pinned:
            _unpin(address)

    def learners(self, half: int) -> NDArray[np.int64]:
        """The seat of the network in each game against the league: another in each game."""
        found: NDArray[np.int64] = (np.arange(self.fleet.games) + self.begun[half]) % self.players
        return found

    @torch.no_grad()
    def play(self, clock: Clock) -> None:
        """Play so many steps, the halves in turn; what was seen and done is then in `stored`, `rewards` and `ends`."""
        steps = self.config.steps
        for step in range(steps):
            for half in range(HALVES):
                ended = self._wait(step, half, clock)
                actions = self.choose(half)
                if ended is not None:
                    self.settle(step - 1, half, ended)  # while a GPU looks
                self.fleet.arrays[half].actions[:] = actions.to("cpu", torch.int32).numpy()
                self.fleet.send(half)
                self._store(step, half)
                clock.lap("looking")
        for half in range(HALVES):
            ended = self._wait(steps, half, clock)
            if ended is not None:
                self.settle(steps - 1, half, ended)
        clock.lap("looking")

    def _wait(self, step: int, half: int, clock: Clock) -> Ended | None:
        """Wait for the games of a half; which of them ended by the step before this one, if there was one."""
        if not step:
            return None
        self.fleet.wait(half)
        clock.lap("waiting for games")
        ended = Ended(self.fleet.arrays[half].ends.copy(), self.learners(half))
        self.begun[half] += ended.how == GAME_OVER
        return ended

    @torch.no_grad()
    def value(self, critic: Critic) -> None:
        """Let a critic value the position of each choice; many at once are faster than step by step while playing."""
        stored = self.stored
        for group in self.groups:
            games = group.after - group.first
            steps = _at_once(self.config.steps, VALUED // games)
            for step in range(0, self.config.steps, steps):
                for half in range(HALVES):
                    place = (slice(step, step + steps), half, slice(group.first, group.after))
                    seen, truths = stored.observations[place].flatten(0, 1), stored.truths[place].flatten(0, 1)
                    with self.autocast():
                        values = self.appraise(critic, seen, truths, SLOTS[group.players])
                    stored.values[place] = values.view(-1, games)

    def judge(self, trace: float, decided: float) -> list[Tensor]:
        """Say what each choice brought, and how much more that was than expected; those to learn from, by group.

        They are those of which it is known; and of those that the network was sure of, only the share `decided`.
        """
        stored = self.stored
        rewards = torch.from_numpy(self.rewards).to(self.device).flatten(1, 2)
        ends = torch.from_numpy(self.ends).to(self.device).flatten(1, 2)
        values, seats, learns = (one.flatten(1, 2) for one in (stored.values, stored.seats, stored.learns))
        found, known = advantages(seats, values, rewards, ends, learns, trace)
        stored.returns.copy_((found + values).view_as(stored.returns))
        mean, spread = found[known].mean(), found[known].std() + 1e-6
        stored.advantages.copy_(((found - mean) / spread).view_as(stored.advantages))
        wanted = known.view_as(stored.learns)
        if decided < 1:
            picked = torch.rand(wanted.shape, generator=self.noise, device=self.device) < decided
            wanted = wanted & (picked | (stored.chances < DECIDED))
        return [self._rows(group, wanted) for group in self.groups]

    @staticmethod
    def _rows(group: Group, wanted: Tensor) -> Tensor:
        """The rows of a group's choices that are wanted."""
        mine = torch.zeros_like(wanted)
        mine[:, :, group.first : group.after] = wanted[:, :, group.first : group.after]
        return mine.flatten().nonzero().squeeze(1)

    def settle(self, step: int, half: int, ended: Ended) -> None:
        """Note what a step brought."""
        some = ended.how != NOTHING
        self.ends[step, half] = some
        self.rewards[step, half] = 0
        for group in self.groups:
            found = np.flatnonzero(some[group.first : group.after]) + group.first
            for number in np.unique(self.rounds[half, found]):
                rows = found[self.rounds[half, found] == number]
                brought = self._score(step, half, rows, int(number), group.players)
                self._gains[half, rows] += brought[np.arange(len(rows)), ended.learners[rows]]
        over = np.flatnonzero(ended.how == GAME_OVER)
        self._note_league(half, over)
        self.rounds[half, some] += 1
        self.rounds[half, over] = 1
        self.totals[half, over] = 0

    def _score(self, step: int, half: int, rows: NDArray[np.int64], number: int, players: int) -> NDArray[np.float32]:
        """Reward the seats of games whose round is over; what each got is returned."""
        points = self.fleet.arrays[half].points[rows, :players]
        before = self.totals[half, rows, :players]
        brought = worth(self.config.reward, before, points, number, self.config.spread)
        self.rewards[step, half, rows, :players] = brought
        self.finished += len(rows)
        self.scored += float(points.mean(1).sum())
        self.totals[half, rows, :players] = before + points
        return brought

    def _note_league(self, half: int, over: NDArray[np.int64]) -> None:
        """Note how games against the league came out."""
        for row in over[self.league[over]]:
            self.outcomes.append((int(row) % len(self.older), float(self._gains[half, row])))
        self._gains[half, over] = 0

    def choose(self, half: int) -> Tensor:
        """Look at the games of a half, and choose for whoever is to act."""
        arrays, shown = self.fleet.arrays[half], self.shown[half]
        for name in FROM_GAMES:
            shown[name].copy_(torch.from_numpy(getattr(arrays, name)), non_blocking=True)
        shown["learns"].copy_(torch.from_numpy(~self.league | (arrays.seats == self.learners(half))))
        shown["actions"], shown["chances"] = self._look[half]()
        return shown["actions"]

    def _store(self, step: int, half: int) -> None:
        """Keep what was seen and done."""
        for name, tensor in self.shown[half].items():
            getattr(self.stored, name)[step, half].copy_(tensor)

    def look(self, half: int) -> tuple[Tensor, Tensor]:
        """An action in each game of a half, and the logarithm of its chance."""
        shown, actions, chances = self.shown[half], [], []
        with self.autocast():  # around all of them: so the weights are made smaller once
            for group in self.groups:
                rows, league = slice(group.first, group.after), slice(group.first, group.first + group.league)
                slots = SLOTS[group.players]
                logits = self.weigh(self.actor, shown["observations"][rows], shown["masks"][rows], slots)
                chosen = self.sample(logits)
                if self.older and group.league:
                    theirs = self.ask_league(group, shown["observations"][league], shown["masks"][league])
                    mine = torch.where(shown["learns"][league], chosen[: group.league], theirs)
                    chosen = torch.cat((mine, chosen[group.league :]))
                actions.append(chosen)
                chances.append(logits.log_softmax(1).gather(1, chosen.unsqueeze(1)).squeeze(1))
        return torch.cat(actions), torch.cat(chances)

    def ask_league(self, group: Group, observations: Tensor, masks: Tensor) -> Tensor:
        """What the members of the league choose, each in its rows."""
        found = torch.zeros(group.league, dtype=torch.int64, device=self.device)
        for nth, member in enumerate(self.older):
            rows = slice((nth - group.first) % len(self.older), group.league, len(self.older))
            found[rows] = self.sample(self.weigh(member, observations[rows], masks[rows], SLOTS[group.players]))
        return found

    def sample(self, logits: Tensor) -> Tensor:
        """An action by its chance."""
        noise = torch.empty_like(logits).exponential_(generator=self.noise).clamp_min(TINY)
        return (logits - noise.log()).argmax(1)

    def state(self) -> dict[str, Any]:
        """All that goes on from one call to the next, but for the games."""
        return {"noise": self.noise.get_state(), **{name: getattr(self, name).copy() for name in KEPT}}

    def go_on(self, state: dict[str, Any]) -> None:
        """Take up what was kept."""
        self.noise.set_state(state["noise"])
        for name in KEPT:
            getattr(self, name)[:] = state[name]


def weigh(actor: Actor, observations: Tensor, masks: Tensor, slots: int) -> Tensor:
    """The logits of legal actions in rows of observations."""
    seen = read(observations, slots)
    return masked(actor(seen.table, seen.tokens).logits, masks)


def appraise(critic: Critic, observations: Tensor, truths: Tensor, slots: int) -> Tensor:
    """What rows of observations are worth to a critic."""
    return cast(Tensor, critic(read(observations, slots), truths))


def _at_once(steps: int, most: int) -> int:
    """The largest number of steps, if not more than `most`, that divides all of them: so all parts are alike."""
    return max([number for number in range(1, steps + 1) if steps % number == 0 and number <= max(most, 1)])


def _shown(games: int, device: torch.device) -> dict[str, Tensor]:
    """Space for what the games of a half show now."""
    stored = Stored(1, games, device)
    return {name: getattr(stored, name)[0, 0] for name in (*FROM_GAMES, "learns")}
