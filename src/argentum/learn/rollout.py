"""Collect experience from self-play: choose actions for all games, reward finished rounds, compute advantages."""

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

VALUE_BATCH_SIZE: Final = 16384  # positions per call of the critic
INPUT_ARRAYS: Final = ("observations", "masks", "hidden_states", "seats")  # copied to the device for each step
CHECKPOINT_ARRAYS: Final = ("totals", "rounds", "games_started", "_returns")  # arrays of a collector that are saved
CONFIDENT_LOG_PROB: Final = log(0.99)  # the policy is confident of actions with at least this log-probability
MIN_NOISE: Final = 1e-20  # keeps the logarithm of the noise finite


class PlayerCountGroup(NamedTuple):
    """The games with one number of players: a range of rows, the same in both halves."""

    players: int
    first: int
    end: int  # the row after the last
    league_games: int  # games against the league, which have the first rows


def player_count_groups(games: SelfPlayGames) -> list[PlayerCountGroup]:
    groups: list[PlayerCountGroup] = []
    for players in dict.fromkeys([block.players for block in games.blocks]):
        blocks = [block for block in games.blocks if block.players == players]
        league = sum([block.end - block.first for block in blocks if block.opponent == OPPONENT_LEAGUE])
        groups.append(PlayerCountGroup(players, blocks[0].first, blocks[-1].end, league))
    return groups


class RolloutBuffer:
    """The transitions of one rollout, on the device: arrays by step, half and row."""

    def __init__(self, steps: int, games: int, device: torch.device) -> None:
        def zeros(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros((steps, HALF_COUNT, games, *shape), dtype=dtype, device=device)

        self.observations: Final = zeros(OBSERVATION_SIZE, dtype=torch.uint8)
        self.masks: Final = zeros(ACTION_COUNT, dtype=torch.bool)
        self.hidden_states: Final = zeros(2, CARDS_IN_DECK, dtype=torch.uint8)
        self.seats: Final = zeros(dtype=torch.uint8)
        self.actions: Final = zeros(dtype=torch.int64)
        self.log_probs: Final = zeros(dtype=torch.float32)
        self.values: Final = zeros(dtype=torch.float32)
        self.is_learner: Final = zeros(dtype=torch.bool)  # whether the network being trained chose the action
        self.returns: Final = zeros(dtype=torch.float32)
        self.advantages: Final = zeros(dtype=torch.float32)

    def to_batch(self, players: int) -> ExperienceBatch:
        """Return all transitions, one per row, without copying them."""
        names = ("observations", "masks", "hidden_states", "actions", "returns", "advantages", "log_probs")
        return ExperienceBatch(players, *[getattr(self, name).flatten(0, 2) for name in names])


class Stopwatch:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._lap_start = perf_counter()

    def lap(self, activity: str) -> None:
        """Add the time since the last lap to an activity."""
        now = perf_counter()
        self.seconds[activity] = self.seconds.get(activity, 0.0) + now - self._lap_start
        self._lap_start = now

    def reset(self) -> dict[str, float]:
        """Return the seconds by activity and clear them."""
        seconds, self.seconds = self.seconds, {}
        return seconds


class StepEnds(NamedTuple):
    """Which rounds and games of a half ended in the last step."""

    end_kinds: NDArray[np.uint8]  # by row
    learners: NDArray[np.int64]  # seat of the learner in each game, as it was before the game ended


class RolloutCollector:
    """Plays the games of a rollout and stores their transitions."""

    def __init__(
        self,
        config: cf.TrainingConfig,
        games: SelfPlayGames,
        actor: Actor,
        opponents: Sequence[Actor],
        autocast: AutocastFactory,
    ) -> None:
        self.config: Final = config.games
        self.games: Final = games
        self.actor: Final = actor
        self.opponents: Final = opponents  # the active members of the league
        self.device: Final = torch.device(config.device)
        self.autocast: Final = autocast
        self.policy_logits: Final = compile_if(policy_logits, config.compile)
        self.critic_values: Final = compile_if(critic_values, config.compile)
        self.groups: Final = player_count_groups(games)
        self.buffer: Final = RolloutBuffer(config.games.steps, games.games_per_half, self.device)
        self.rewards: Final = np.zeros((config.games.steps, HALF_COUNT, games.games_per_half, MAX_PLAYERS), np.float32)
        self.dones: Final = np.zeros((config.games.steps, HALF_COUNT, games.games_per_half), np.bool_)
        self.totals = np.zeros(
            (HALF_COUNT, games.games_per_half, MAX_PLAYERS), np.float32
        )  # points of the finished rounds
        self.rounds = np.ones((HALF_COUNT, games.games_per_half), np.int64)
        # Number of games started in each row before the current one.
        self.games_started = np.zeros((HALF_COUNT, games.games_per_half), np.int64)
        self.league_results: list[tuple[int, float]] = []  # index of the opponent, return of the learner
        self.rounds_finished, self.points_total = 0, 0.0  # points: mean of the seats, summed over rounds
        self.generator = torch.Generator(self.device)
        self.inputs: Final = [_input_buffers(games.games_per_half, self.device) for _ in range(HALF_COUNT)]
        self._act_graphs: Final = [
            CudaGraph(partial(self.act, half), self.device, [self.generator]) for half in range(HALF_COUNT)
        ]
        self._pinned: Final = [pin_memory(buffer) for buffer in games.buffers if self.device.type == "cuda"]
        players = np.zeros(games.games_per_half, np.int64)
        self.is_league_game = np.zeros(games.games_per_half, np.bool_)
        for group in self.groups:
            players[group.first : group.end] = group.players
            self.is_league_game[group.first : group.first + group.league_games] = True
        self.players: Final = players
        self._returns = np.zeros((HALF_COUNT, games.games_per_half), np.float32)  # of the learner in the current game

    def __enter__(self) -> "RolloutCollector":
        return self

    def __exit__(self, *_: object) -> None:
        for address in self._pinned:
            unpin_memory(address)

    def learner_seats(self, half: int) -> NDArray[np.int64]:
        """Return the learner's seat in each row, for league games. It advances by one with each game."""
        seats: NDArray[np.int64] = (np.arange(self.games.games_per_half) + self.games_started[half]) % self.players
        return seats

    @torch.no_grad()
    def collect(self, stopwatch: Stopwatch) -> None:
        """Play `steps` steps, alternating the halves; fill `buffer`, `rewards` and `dones`."""
        steps = self.config.steps
        for step in range(steps):
            for half in range(HALF_COUNT):
                ends = self._wait_for_games(step, half, stopwatch)
                actions = self.choose_actions(half)
                if ends is not None:
                    self.record_rewards(step - 1, half, ends)  # while a GPU computes the actions
                self.games.arrays[half].actions[:] = actions.to("cpu", torch.int32).numpy()
                self.games.start_step(half)
                self._store_inputs(step, half)
                stopwatch.lap("acting")
        for half in range(HALF_COUNT):
            ends = self._wait_for_games(steps, half, stopwatch)
            if ends is not None:
                self.record_rewards(steps - 1, half, ends)
        stopwatch.lap("acting")

    def _wait_for_games(self, step: int, half: int, stopwatch: Stopwatch) -> StepEnds | None:
        """Wait for the previous step of a half, count the games that it started, and return its ends.

        Return None if `step` is the first.
        """
        if not step:
            return None
        self.games.wait(half)
        stopwatch.lap("waiting_for_games")
        ends = StepEnds(self.games.arrays[half].end_kinds.copy(), self.learner_seats(half))
        self.games_started[half] += ends.end_kinds == END_GAME
        return ends

    @torch.no_grad()
    def compute_values(self, critic: Critic) -> None:
        """Fill `buffer.values` with the critic's values, in batches of several steps for speed."""
        buffer = self.buffer
        for group in self.groups:
            games = group.end - group.first
            steps = _steps_per_batch(self.config.steps, VALUE_BATCH_SIZE // games)
            for step in range(0, self.config.steps, steps):
                for half in range(HALF_COUNT):
                    batch = (slice(step, step + steps), half, slice(group.first, group.end))
                    observations = buffer.observations[batch].flatten(0, 1)
                    hidden_states = buffer.hidden_states[batch].flatten(0, 1)
                    with self.autocast():
                        values = self.critic_values(critic, observations, hidden_states, CARDS_READ[group.players])
                    buffer.values[batch] = values.view(-1, games)

    def compute_advantages(self, gae_lambda: float, confident_fraction: float) -> list[Tensor]:
        """Fill the returns and normalized advantages of the buffer.

        Return, for each group, the flat indexes of the transitions to train on. Of the decisions that the policy was
        confident of, they include only a random `confident_fraction`.
        """
        buffer = self.buffer
        rewards = torch.from_numpy(self.rewards).to(self.device).flatten(1, 2)
        dones = torch.from_numpy(self.dones).to(self.device).flatten(1, 2)
        values, seats, is_learner = (array.flatten(1, 2) for array in (buffer.values, buffer.seats, buffer.is_learner))
        advantages, is_valid = compute_gae(seats, values, rewards, dones, is_learner, gae_lambda)
        buffer.returns.copy_((advantages + values).view_as(buffer.returns))
        mean, std = advantages[is_valid].mean(), advantages[is_valid].std() + 1e-6
        buffer.advantages.copy_(((advantages - mean) / std).view_as(buffer.advantages))
        selected = is_valid.view_as(buffer.is_learner)
        if confident_fraction < 1:
            sampled = torch.rand(selected.shape, generator=self.generator, device=self.device) < confident_fraction
            selected = selected & (sampled | (buffer.log_probs < CONFIDENT_LOG_PROB))
        return [self._group_rows(group, selected) for group in self.groups]

    @staticmethod
    def _group_rows(group: PlayerCountGroup, selected: Tensor) -> Tensor:
        """Return the flat indexes of the selected rows of a group."""
        in_group = torch.zeros_like(selected)
        in_group[:, :, group.first : group.end] = selected[:, :, group.first : group.end]
        return in_group.flatten().nonzero().squeeze(1)

    def record_rewards(self, step: int, half: int, ends: StepEnds) -> None:
        """Store the rewards of the rounds that a step ended."""
        ended = ends.end_kinds != END_NONE
        self.dones[step, half] = ended
        self.rewards[step, half] = 0
        for group in self.groups:
            group_rows = np.flatnonzero(ended[group.first : group.end]) + group.first
            for round_number in np.unique(self.rounds[half, group_rows]):
                rows = group_rows[self.rounds[half, group_rows] == round_number]
                rewards = self._reward_round(step, half, rows, int(round_number), group.players)
                self._returns[half, rows] += rewards[np.arange(len(rows)), ends.learners[rows]]
        finished_rows = np.flatnonzero(ends.end_kinds == END_GAME)
        self._record_league_results(half, finished_rows)
        self.rounds[half, ended] += 1
        self.rounds[half, finished_rows] = 1
        self.totals[half, finished_rows] = 0

    def _reward_round(
        self, step: int, half: int, rows: NDArray[np.int64], round_number: int, players: int
    ) -> NDArray[np.float32]:
        """Store and return the rewards of the round that the games in `rows` have just ended, by row and seat."""
        points = self.games.arrays[half].points[rows, :players]
        totals_before = self.totals[half, rows, :players]
        rewards = round_reward(self.config.reward, totals_before, points, round_number, self.config.round_std)
        self.rewards[step, half, rows, :players] = rewards
        self.rounds_finished += len(rows)
        self.points_total += float(points.mean(1).sum())
        self.totals[half, rows, :players] = totals_before + points
        return rewards

    def _record_league_results(self, half: int, finished_rows: NDArray[np.int64]) -> None:
        for row in finished_rows[self.is_league_game[finished_rows]]:
            self.league_results.append((int(row) % len(self.opponents), float(self._returns[half, row])))
        self._returns[half, finished_rows] = 0

    def choose_actions(self, half: int) -> Tensor:
        """Copy the observations of a half to the device and sample an action for each game."""
        arrays, inputs = self.games.arrays[half], self.inputs[half]
        for name in INPUT_ARRAYS:
            inputs[name].copy_(torch.from_numpy(getattr(arrays, name)), non_blocking=True)
        inputs["is_learner"].copy_(torch.from_numpy(~self.is_league_game | (arrays.seats == self.learner_seats(half))))
        inputs["actions"], inputs["log_probs"] = self._act_graphs[half]()
        return inputs["actions"]

    def _store_inputs(self, step: int, half: int) -> None:
        for name, tensor in self.inputs[half].items():
            getattr(self.buffer, name)[step, half].copy_(tensor)

    def act(self, half: int) -> tuple[Tensor, Tensor]:
        """Sample an action for each game of a half; return the actions and their log-probabilities."""
        inputs = self.inputs[half]
        actions: list[Tensor] = []
        log_probs: list[Tensor] = []
        with self.autocast():  # One context for all groups casts the weights once.
            for group in self.groups:
                rows, league = slice(group.first, group.end), slice(group.first, group.first + group.league_games)
                slots = CARDS_READ[group.players]
                logits = self.policy_logits(self.actor, inputs["observations"][rows], inputs["masks"][rows], slots)
                sampled = self.sample_actions(logits)
                if self.opponents and group.league_games:
                    by_opponents = self.opponent_actions(group, inputs["observations"][league], inputs["masks"][league])
                    in_league = torch.where(inputs["is_learner"][league], sampled[: group.league_games], by_opponents)
                    sampled = torch.cat((in_league, sampled[group.league_games :]))
                actions.append(sampled)
                log_probs.append(logits.log_softmax(1).gather(1, sampled.unsqueeze(1)).squeeze(1))
        return torch.cat(actions), torch.cat(log_probs)

    def opponent_actions(self, group: PlayerCountGroup, observations: Tensor, masks: Tensor) -> Tensor:
        """Sample an action for each league game of a group, from the policy of the league member that plays it."""
        actions = torch.zeros(group.league_games, dtype=torch.int64, device=self.device)
        for index, member in enumerate(self.opponents):
            rows = slice((index - group.first) % len(self.opponents), group.league_games, len(self.opponents))
            actions[rows] = self.sample_actions(
                self.policy_logits(member, observations[rows], masks[rows], CARDS_READ[group.players])
            )
        return actions

    def sample_actions(self, logits: Tensor) -> Tensor:
        """Sample an action from each row of logits, by the Gumbel-max trick."""
        noise = torch.empty_like(logits).exponential_(generator=self.generator).clamp_min(MIN_NOISE)
        return (logits - noise.log()).argmax(1)

    def state(self) -> dict[str, Any]:
        """Return the state to store in a checkpoint, without the games themselves."""
        arrays = {name.lstrip("_"): getattr(self, name).copy() for name in CHECKPOINT_ARRAYS}
        return {"generator": self.generator.get_state(), **arrays}

    def load_state(self, state: dict[str, Any]) -> None:
        self.generator.set_state(state["generator"])
        for name in CHECKPOINT_ARRAYS:
            getattr(self, name)[:] = state[name.lstrip("_")]


def policy_logits(actor: Actor, observations: Tensor, masks: Tensor, slots: int) -> Tensor:
    """Return the logits of the actor, with minus infinity for illegal actions."""
    inputs = select_cards(observations, slots)
    return mask_logits(actor(inputs.table, inputs.tokens).logits, masks)


def critic_values(critic: Critic, observations: Tensor, hidden_states: Tensor, slots: int) -> Tensor:
    return cast(Tensor, critic(select_cards(observations, slots), hidden_states))


def _steps_per_batch(steps: int, maximum: int) -> int:
    """Return the largest divisor of `steps` that is at most `maximum`, so that all batches have the same shape."""
    return max([divisor for divisor in range(1, steps + 1) if steps % divisor == 0 and divisor <= max(maximum, 1)])


def _input_buffers(games: int, device: torch.device) -> dict[str, Tensor]:
    buffer = RolloutBuffer(1, games, device)
    return {name: getattr(buffer, name)[0, 0] for name in (*INPUT_ARRAYS, "is_learner")}
