"""The games of a batch that one process plays."""

import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from argentum.envs.batch.arrays import BatchArrays, writable_bytes
from argentum.envs.batch.games import BatchGames
from argentum.envs.settings import EnvSettings, Opponents
from argentum.processes import SharedBuffer
from argentum.rules.table import NO_END_REASON


class SettingsBlock(NamedTuple):
    """A number of games of a batch that have the same settings."""

    games: int
    settings: EnvSettings


class BatchPlan(NamedTuple):
    """What the arrays and games of a batch depend on."""

    blocks: tuple[SettingsBlock, ...]
    with_hidden_state: bool

    @property
    def games(self) -> int:
        return sum([block.games for block in self.blocks])

    @property
    def players(self) -> int:
        """The greatest number of players of a game: the width of the arrays that have a column per seat."""
        return max([block.settings.players for block in self.blocks])

    @property
    def history(self) -> int:
        return self.blocks[0].settings.history

    def required_bytes(self) -> int:
        return BatchArrays.required_bytes(self.games, self.players, self.history, self.with_hidden_state)

    def make_arrays(self, memory: SharedBuffer) -> BatchArrays:
        return BatchArrays(self.games, self.players, self.history, self.with_hidden_state, memory)


class GameSlice:
    """The games of one block that one process plays, and their rows of the batch's arrays."""

    def __init__(self, settings: EnvSettings, arrays: BatchArrays, first: int, end: int) -> None:
        rows = slice(first, end)
        self.rows: Final = rows
        self.actions: Final = arrays.actions[rows]
        self.rewards: Final = arrays.rewards[rows]
        self.terminations: Final = arrays.terminations[rows]
        self.truncations: Final = arrays.truncations[rows]
        self.round_ends: Final = arrays.round_ends[rows]
        self.last_observations: Final = arrays.last_observations[rows]
        self.last_points: Final = arrays.last_points[rows]
        self.last_ranks: Final = arrays.last_ranks[rows]
        self.last_reasons: Final = arrays.last_reasons[rows]
        # By index in the slice: the generator that draws the seeds of a row's games.
        self.generators: list[np.random.Generator] = []
        outputs = [
            writable_bytes(array[rows])
            for array in (arrays.observations, arrays.masks, arrays.seats, arrays.hidden_states)
        ]
        observations, masks, seats, hidden_states = outputs
        self.games: Final = BatchGames(
            settings,
            self._next_seed,
            observations,
            masks,
            seats,
            hidden_states,
            first,
        )

    def reset(self, seeds: Sequence[int]) -> None:
        """Start new games. `seeds` has the seeds of the whole batch."""
        self.generators = [np.random.default_rng(seed) for seed in seeds[self.rows]]
        self._clear_results()
        self.games.reset()

    def step(self) -> None:
        """Apply the actions in `actions` and write the results to the other arrays."""
        self._clear_results()
        players = self.games.settings.players
        for end in self.games.step(self.actions.tolist()):
            self.rewards[end.index, :players] = end.rewards
            self.round_ends[end.index] = end.outcome is not None or not (end.over or end.truncated)
            if end.over or end.truncated:
                self.terminations[end.index] = end.over
                self.truncations[end.index] = end.truncated
                self.last_observations[end.index] = np.frombuffer(end.final_observation, np.uint8)
                self.last_reasons[end.index] = NO_END_REASON
            if end.outcome is not None:
                self.last_points[end.index, :players] = end.outcome.points
                self.last_ranks[end.index, :players] = end.outcome.ranks
                self.last_reasons[end.index] = end.outcome.reason

    def _clear_results(self) -> None:
        self.rewards.fill(0)
        self.terminations.fill(False)
        self.truncations.fill(False)
        self.round_ends.fill(False)

    def save(self) -> list[bytes]:
        """Return the state of each game, pickled."""
        games = zip(self.games.episodes, self.games.steps, self.generators, strict=True)
        return [pickle.dumps(game) for game in games]

    def restore(self, saved: Sequence[bytes]) -> None:
        """Restore the games of the whole batch that `save` returned, and write their rows."""
        games = [pickle.loads(game) for game in saved[self.rows]]
        self._clear_results()
        self.generators = [generator for _, _, generator in games]
        self.games.restore([episode for episode, _, _ in games])
        self.games.steps = [steps for _, steps, _ in games]

    def _next_seed(self, index: int) -> int:
        """Draw the seed of the next game of a row, in the same way as the single environment."""
        return int(self.generators[index].integers(1 << 62))


class BatchShare:
    """The games of a batch that one process plays: share number `index` of `count`, of every block."""

    def __init__(self, plan: BatchPlan, memory: SharedBuffer, index: int, count: int) -> None:
        arrays = plan.make_arrays(memory)
        self.slices: Final[list[GameSlice]] = []
        block_first = 0
        for games, settings in plan.blocks:
            first, end = games * index // count, games * (index + 1) // count
            if end > first:
                self.slices.append(GameSlice(settings, arrays, block_first + first, block_first + end))
            block_first += games

    def reset(self, seeds: Sequence[int]) -> None:
        """Start new games. `seeds` has the seeds of the whole batch."""
        for game_slice in self.slices:
            game_slice.reset(seeds)

    def step(self) -> None:
        for game_slice in self.slices:
            game_slice.step()

    def set_opponents(self, opponents: Opponents) -> None:
        for game_slice in self.slices:
            game_slice.games.settings = replace(game_slice.games.settings, opponents=opponents)

    def save(self) -> dict[int, bytes]:
        """Return the state of each game by its row."""
        saved: dict[int, bytes] = {}
        for game_slice in self.slices:
            saved |= enumerate(game_slice.save(), game_slice.rows.start)
        return saved

    def restore(self, saved: Sequence[bytes]) -> None:
        for game_slice in self.slices:
            game_slice.restore(saved)
