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
from argentum.learn.cuda import AutocastFactory, CudaGraph, compile_if, pin_memory, unpin_memory
from argentum.learn.gae import compute_gae
from argentum.learn.models import CARDS_READ, Actor, Critic, mask_logits, select_cards
from argentum.learn.ppo import ExperienceBatch
from argentum.learn.round_rewards import round_reward
from argentum.learn.self_play import END_GAME, END_NONE, HALF_COUNT, OPPONENT_LEAGUE, SelfPlayGames
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.layout import OBSERVATION_SIZE
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK

VALUE_BATCH_SIZE: Final = 16384  # choices that are valued at once
INPUT_ARRAYS: Final = ("observations", "masks", "truths", "seats")  # what the games of a half show
CHECKPOINT_ARRAYS: Final = ("totals", "rounds", "begun", "_gains")  # of a collector, in a checkpoint
CONFIDENT_LOG_PROB: Final = log(0.99)  # of the chance of an action from which on the network was sure of it
MIN_NOISE: Final = 1e-20  # noise above 0, so that its logarithm is finite


class PlayerCountGroup(NamedTuple):
    """The games with one number of seats: a range of rows in each half."""

    players: int
    first: int
    after: int
    league: int  # the first so many of them are against the league


def player_count_groups(fleet: SelfPlayGames) -> list[PlayerCountGroup]:
    """The games of a fleet by the number of seats."""
    advantages: list[PlayerCountGroup] = []
    for players in dict.fromkeys([block.players for block in fleet.blocks]):
        mine = [block for block in fleet.blocks if block.players == players]
        league = sum([block.after - block.first for block in mine if block.opponent == OPPONENT_LEAGUE])
        advantages.append(PlayerCountGroup(players, mine[0].first, mine[-1].after, league))
    return advantages


class RolloutBuffer:
    """What was seen and done, on the device: by step, half and row."""

    def __init__(self, steps: int, games: int, device: torch.device) -> None:
        def space(*shape: int, kind: torch.dtype) -> Tensor:
            return torch.zeros((steps, HALF_COUNT, games, *shape), dtype=kind, device=device)

        self.observations: Final = space(OBSERVATION_SIZE, kind=torch.uint8)
        self.masks: Final = space(ACTION_COUNT, kind=torch.bool)
        self.hidden_states: Final = space(2, CARDS_IN_DECK, kind=torch.uint8)
        self.seats: Final = space(kind=torch.uint8)
        self.actions: Final = space(kind=torch.int64)
        self.log_probs: Final = space(kind=torch.float32)  # the logarithm of each action's
        self.values: Final = space(kind=torch.float32)
        self.is_learner: Final = space(kind=torch.bool)  # whether the network itself chose
        self.returns: Final = space(kind=torch.float32)
        self.advantages: Final = space(kind=torch.float32)

    def to_batch(self, players: int) -> ExperienceBatch:
        """Everything with one row for each choice."""
        names = ("observations", "masks", "truths", "actions", "returns", "advantages", "chances")
        return ExperienceBatch(players, *[getattr(self, name).flatten(0, 2) for name in names])


class Stopwatch:
    """Where the time goes: seconds by what was done."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._since = perf_counter()

    def lap(self, what: str) -> None:
        """All since the last lap was for this."""
        now = perf_counter()
        self.spent[what] = self.spent.get(what, 0.0) + now - self._since
        self._since = now

    def reset(self) -> dict[str, float]:
        """What was spent; it begins anew."""
        spent, self.spent = self.spent, {}
        return spent


class StepEnds(NamedTuple):
    """What a step ended in the games of a half."""

    end_kinds: NDArray[np.uint8]  # by row: nothing, a round or a game
    learners: NDArray[np.int64]  # whose seat was the network's in each game against the league


class RolloutCollector:
    """Plays on with all games, some steps at a time."""

    def __init__(
        self,
        config: cf.TrainingConfig,
        fleet: SelfPlayGames,
        actor: Actor,
        league: Sequence[Actor],
        autocast: AutocastFactory,
    ) -> None:
        self.config: Final = config.games
        self.games: Final = fleet
        self.actor: Final = actor
        self.opponents: Final = league  # those who are played against
        self.device: Final = torch.device(config.device)
        self.autocast: Final = autocast
        self.policy_logits: Final = compile_if(policy_logits, config.compile)
        self.critic_values: Final = compile_if(critic_values, config.compile)
        self.groups: Final = player_count_groups(fleet)
        self.buffer: Final = RolloutBuffer(config.games.steps, fleet.games, self.device)
        self.rewards: Final = np.zeros((config.games.steps, HALF_COUNT, fleet.games, MAX_PLAYERS), np.float32)
        self.dones: Final = np.zeros((config.games.steps, HALF_COUNT, fleet.games), np.bool_)
        self.totals = np.zeros((HALF_COUNT, fleet.games, MAX_PLAYERS), np.float32)  # of each game so far
        self.rounds = np.ones((HALF_COUNT, fleet.games), np.int64)
        self.games_started = np.zeros((HALF_COUNT, fleet.games), np.int64)  # games at each row before this one
        self.league_results: list[tuple[int, float]] = []  # which opponent of the league, and what a game brought
        self.rounds_finished, self.points_total = 0, 0.0  # rounds, and the points of a seat in them, of all of them
        self.generator = torch.Generator(self.device)
        self.inputs: Final = [_input_buffers(fleet.games, self.device) for _ in range(HALF_COUNT)]
        self._act_graphs: Final = [
            CudaGraph(partial(self.act, half), self.device, [self.generator]) for half in range(HALF_COUNT)
        ]
        self._pinned: Final = [pin_memory(memory) for memory in fleet.buffers if self.device.type == "cuda"]
        players = np.zeros(fleet.games, np.int64)
        self.is_league_game = np.zeros(fleet.games, np.bool_)
        for group in self.groups:
            players[group.first : group.after] = group.players
            self.is_league_game[group.first : group.first + group.league] = True
        self.players: Final = players
        self._gains = np.zeros((HALF_COUNT, fleet.games), np.float32)  # of the learner in this game

    def __enter__(self) -> "RolloutCollector":
        return self

    def __exit__(self, *_: object) -> None:
        for address in self._pinned:
            unpin_memory(address)

    def learner_seats(self, half: int) -> NDArray[np.int64]:
        """The seat of the network in each game against the league: another in each game."""
        advantages: NDArray[np.int64] = (np.arange(self.games.games) + self.games_started[half]) % self.players
        return advantages

    @torch.no_grad()
    def collect(self, clock: Stopwatch) -> None:
        """Play so many steps, the halves in turn; what was seen and done is then in `stored`, `rewards` and `ends`."""
        steps = self.config.steps
        for step in range(steps):
            for half in range(HALF_COUNT):
                ended = self._wait_for_games(step, half, clock)
                actions = self.choose_actions(half)
                if ended is not None:
                    self.record_rewards(step - 1, half, ended)  # while a GPU looks
                self.games.arrays[half].actions[:] = actions.to("cpu", torch.int32).numpy()
                self.games.send(half)
                self._store(step, half)
                clock.lap("looking")
        for half in range(HALF_COUNT):
            ended = self._wait_for_games(steps, half, clock)
            if ended is not None:
                self.record_rewards(steps - 1, half, ended)
        clock.lap("looking")

    def _wait_for_games(self, step: int, half: int, clock: Stopwatch) -> StepEnds | None:
        """Wait for the games of a half; which of them ended by the step before this one, if there was one."""
        if not step:
            return None
        self.games.wait(half)
        clock.lap("waiting for games")
        ended = StepEnds(self.games.arrays[half].end_kinds.copy(), self.learner_seats(half))
        self.games_started[half] += ended.end_kinds == END_GAME
        return ended

    @torch.no_grad()
    def compute_values(self, critic: Critic) -> None:
        """Let a critic value the position of each choice; many at once are faster than step by step while playing."""
        stored = self.buffer
        for group in self.groups:
            games = group.after - group.first
            steps = _steps_per_batch(self.config.steps, VALUE_BATCH_SIZE // games)
            for step in range(0, self.config.steps, steps):
                for half in range(HALF_COUNT):
                    place = (slice(step, step + steps), half, slice(group.first, group.after))
                    seen, truths = stored.observations[place].flatten(0, 1), stored.hidden_states[place].flatten(0, 1)
                    with self.autocast():
                        values = self.critic_values(critic, seen, truths, CARDS_READ[group.players])
                    stored.values[place] = values.view(-1, games)

    def compute_advantages(self, gae_lambda: float, confident_fraction: float) -> list[Tensor]:
        """Say what each choice brought, and how much more that was than expected; those to learn from, by group.

        They are those of which it is known; and of those that the network was sure of, only the share `decided`.
        """
        stored = self.buffer
        rewards = torch.from_numpy(self.rewards).to(self.device).flatten(1, 2)
        ends = torch.from_numpy(self.dones).to(self.device).flatten(1, 2)
        values, seats, learns = (one.flatten(1, 2) for one in (stored.values, stored.seats, stored.is_learner))
        advantages, has_target = compute_gae(seats, values, rewards, ends, learns, gae_lambda)
        stored.returns.copy_((advantages + values).view_as(stored.returns))
        mean, std = advantages[has_target].mean(), advantages[has_target].std() + 1e-6
        stored.advantages.copy_(((advantages - mean) / std).view_as(stored.advantages))
        selected = has_target.view_as(stored.is_learner)
        if confident_fraction < 1:
            picked = torch.rand(selected.shape, generator=self.generator, device=self.device) < confident_fraction
            selected = selected & (picked | (stored.log_probs < CONFIDENT_LOG_PROB))
        return [self._group_rows(group, selected) for group in self.groups]

    @staticmethod
    def _group_rows(group: PlayerCountGroup, selected: Tensor) -> Tensor:
        """The rows of a group's choices that are wanted."""
        mine = torch.zeros_like(selected)
        mine[:, :, group.first : group.after] = selected[:, :, group.first : group.after]
        return mine.flatten().nonzero().squeeze(1)

    def record_rewards(self, step: int, half: int, ended: StepEnds) -> None:
        """Note what a step brought."""
        some = ended.end_kinds != END_NONE
        self.dones[step, half] = some
        self.rewards[step, half] = 0
        for group in self.groups:
            advantages = np.flatnonzero(some[group.first : group.after]) + group.first
            for number in np.unique(self.rounds[half, advantages]):
                rows = advantages[self.rounds[half, advantages] == number]
                rewards = self._reward_round(step, half, rows, int(number), group.players)
                self._gains[half, rows] += rewards[np.arange(len(rows)), ended.learners[rows]]
        over = np.flatnonzero(ended.end_kinds == END_GAME)
        self._record_league_results(half, over)
        self.rounds[half, some] += 1
        self.rounds[half, over] = 1
        self.totals[half, over] = 0

    def _reward_round(
        self, step: int, half: int, rows: NDArray[np.int64], number: int, players: int
    ) -> NDArray[np.float32]:
        """Reward the seats of games whose round is over; what each got is returned."""
        points = self.games.arrays[half].points[rows, :players]
        before = self.totals[half, rows, :players]
        rewards = round_reward(self.config.reward, before, points, number, self.config.spread)
        self.rewards[step, half, rows, :players] = rewards
        self.rounds_finished += len(rows)
        self.points_total += float(points.mean(1).sum())
        self.totals[half, rows, :players] = before + points
        return rewards

    def _record_league_results(self, half: int, over: NDArray[np.int64]) -> None:
        """Note how games against the league came out."""
        for row in over[self.is_league_game[over]]:
            self.league_results.append((int(row) % len(self.opponents), float(self._gains[half, row])))
        self._gains[half, over] = 0

    def choose_actions(self, half: int) -> Tensor:
        """Look at the games of a half, and choose for whoever is to act."""
        arrays, shown = self.games.arrays[half], self.inputs[half]
        for name in INPUT_ARRAYS:
            shown[name].copy_(torch.from_numpy(getattr(arrays, name)), non_blocking=True)
        shown["learns"].copy_(torch.from_numpy(~self.is_league_game | (arrays.seats == self.learner_seats(half))))
        shown["actions"], shown["chances"] = self._act_graphs[half]()
        return shown["actions"]

    def _store(self, step: int, half: int) -> None:
        """Keep what was seen and done."""
        for name, tensor in self.inputs[half].items():
            getattr(self.buffer, name)[step, half].copy_(tensor)

    def act(self, half: int) -> tuple[Tensor, Tensor]:
        """An action in each game of a half, and the logarithm of its chance."""
        shown, actions, chances = self.inputs[half], [], []
        with self.autocast():  # around all of them: so the weights are made smaller once
            for group in self.groups:
                rows, league = slice(group.first, group.after), slice(group.first, group.first + group.league)
                slots = CARDS_READ[group.players]
                logits = self.policy_logits(self.actor, shown["observations"][rows], shown["masks"][rows], slots)
                chosen = self.sample_actions(logits)
                if self.opponents and group.league:
                    theirs = self.opponent_actions(group, shown["observations"][league], shown["masks"][league])
                    mine = torch.where(shown["learns"][league], chosen[: group.league], theirs)
                    chosen = torch.cat((mine, chosen[group.league :]))
                actions.append(chosen)
                chances.append(logits.log_softmax(1).gather(1, chosen.unsqueeze(1)).squeeze(1))
        return torch.cat(actions), torch.cat(chances)

    def opponent_actions(self, group: PlayerCountGroup, observations: Tensor, masks: Tensor) -> Tensor:
        """What the members of the league choose, each in its rows."""
        advantages = torch.zeros(group.league, dtype=torch.int64, device=self.device)
        for nth, member in enumerate(self.opponents):
            rows = slice((nth - group.first) % len(self.opponents), group.league, len(self.opponents))
            advantages[rows] = self.sample_actions(
                self.policy_logits(member, observations[rows], masks[rows], CARDS_READ[group.players])
            )
        return advantages

    def sample_actions(self, logits: Tensor) -> Tensor:
        """An action by its chance."""
        noise = torch.empty_like(logits).exponential_(generator=self.generator).clamp_min(MIN_NOISE)
        return (logits - noise.log()).argmax(1)

    def state(self) -> dict[str, Any]:
        """All that goes on from one call to the next, but for the games."""
        return {"noise": self.generator.get_state(), **{name: getattr(self, name).copy() for name in CHECKPOINT_ARRAYS}}

    def load_state(self, state: dict[str, Any]) -> None:
        """Take up what was kept."""
        self.generator.set_state(state["noise"])
        for name in CHECKPOINT_ARRAYS:
            getattr(self, name)[:] = state[name]


def policy_logits(actor: Actor, observations: Tensor, masks: Tensor, slots: int) -> Tensor:
    """The logits of legal actions in rows of observations."""
    seen = select_cards(observations, slots)
    return mask_logits(actor(seen.table, seen.tokens).logits, masks)


def critic_values(critic: Critic, observations: Tensor, truths: Tensor, slots: int) -> Tensor:
    """What rows of observations are worth to a critic."""
    return cast(Tensor, critic(select_cards(observations, slots), truths))


def _steps_per_batch(steps: int, most: int) -> int:
    """The largest number of steps, if not more than `most`, that divides all of them: so all parts are alike."""
    return max([number for number in range(1, steps + 1) if steps % number == 0 and number <= max(most, 1)])


def _input_buffers(games: int, device: torch.device) -> dict[str, Tensor]:
    """Space for what the games of a half show now."""
    stored = RolloutBuffer(1, games, device)
    return {name: getattr(stored, name)[0, 0] for name in (*INPUT_ARRAYS, "learns")}
