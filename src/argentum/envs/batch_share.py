"""The arrays of a batch, and one process's share of it: its games, and their rows."""

import ctypes
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from argentum.envs.batch_games import Games
from argentum.envs.playing import Match, Settings
from argentum.observations.actions import ACTIONS
from argentum.observations.encoder import encoder
from argentum.observations.history import WIDTH
from argentum.observations.layout import SIZE, TRUTH
from argentum.rules.residents import CARDS
from argentum.rules.table import NO_REASON

Memory: TypeAlias = "bytearray | ctypes.Array[ctypes.c_ubyte]"
Kept: TypeAlias = tuple[list[Match], list[int], list[np.random.Generator]]
ALIGNED: Final = 64  # a cache line: no two arrays share one
ARRAYS: Final = 12


def row_size(history: int) -> int:
    """The bytes of an observation with so much history."""
    return SIZE + WIDTH * history


class Arrays:
    """What goes into a batch and comes out of it: a row for each game, all in one piece of memory."""

    def __init__(self, games: int, players: int, history: int, truth: bool, memory: Memory) -> None:
        self._memory = memory
        self._used = 0
        size = row_size(history)
        self.actions: NDArray[np.int32] = self._array(np.int32, (games,))
        self.observations: NDArray[np.uint8] = self._array(np.uint8, (games, size))
        self.masks: NDArray[np.bool_] = self._array(np.bool_, (games, ACTIONS))
        self.rewards: NDArray[np.float32] = self._array(np.float32, (games, players))
        self.terminations: NDArray[np.bool_] = self._array(np.bool_, (games,))
        self.truncations: NDArray[np.bool_] = self._array(np.bool_, (games,))
        self.seats: NDArray[np.uint8] = self._array(np.uint8, (games,))
        self.last_observations: NDArray[np.uint8] = self._array(np.uint8, (games, size))
        self.last_points: NDArray[np.int32] = self._array(np.int32, (games, players))
        self.last_ranks: NDArray[np.int32] = self._array(np.int32, (games, players))
        self.last_reasons: NDArray[np.int8] = self._array(np.int8, (games,))
        self.truths: NDArray[np.uint8] = self._array(np.uint8, (games, 2 if truth else 0, CARDS))

    @staticmethod
    def room(games: int, players: int, history: int, truth: bool) -> int:
        """The bytes that the arrays take."""
        row = 4 + 2 * row_size(history) + ACTIONS + 3 * 4 * players + 1 + 1 + 1 + 1 + TRUTH * truth
        return games * row + ARRAYS * ALIGNED

    def all(self) -> list[NDArray[Any]]:
        """All of them, in order."""
        return [value for value in vars(self).values() if isinstance(value, np.ndarray)]

    def _array(self, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        start = -(-self._used // ALIGNED) * ALIGNED
        array = np.frombuffer(memoryview(self._memory), kind, int(np.prod(shape)), start).reshape(shape)
        self._used = start + array.nbytes
        return array


def bytes_of(array: NDArray[Any]) -> memoryview:
    """An array's memory, to be written to."""
    return array.reshape(-1).view(np.uint8).data


class Share:
    """The games of one process, and the rows of the arrays that they fill."""

    def __init__(self, settings: Settings, arrays: Arrays, first: int, after: int) -> None:
        rows = slice(first, after)
        self.rows: Final = rows
        self.actions: Final = arrays.actions[rows]
        self.rewards: Final = arrays.rewards[rows]
        self.terminations: Final = arrays.terminations[rows]
        self.truncations: Final = arrays.truncations[rows]
        self.last_observations: Final = arrays.last_observations[rows]
        self.last_points: Final = arrays.last_points[rows]
        self.last_ranks: Final = arrays.last_ranks[rows]
        self.last_reasons: Final = arrays.last_reasons[rows]
        self.chance: list[np.random.Generator] = []  # by place
        written = [bytes_of(array[rows]) for array in (arrays.observations, arrays.masks, arrays.seats, arrays.truths)]
        observations, masks, seats, truths = written
        self.games: Final = Games(
            settings,
            self._seed,
            observations,
            masks,
            seats,
            truths,
            encoder(observations, masks, seats, truths, settings.players, settings.history),
            first,
        )

    def reset(self, seeds: Sequence[int]) -> None:
        """New games, by the seeds of the whole batch."""
        self.chance = [np.random.default_rng(seed) for seed in seeds[self.rows]]
        self.rewards.fill(0)
        self.terminations.fill(False)
        self.truncations.fill(False)
        self.games.reset()

    def step(self) -> None:
        """An action in each game: the one that stands in the array of actions."""
        self.rewards.fill(0)
        self.terminations.fill(False)
        self.truncations.fill(False)
        for ending in self.games.step(self.actions.tolist()):
            self.rewards[ending.place] = ending.rewards
            if ending.over or ending.cut:
                self.terminations[ending.place] = ending.over
                self.truncations[ending.place] = ending.cut
                self.last_observations[ending.place] = np.frombuffer(ending.last, np.uint8)
                self.last_reasons[ending.place] = NO_REASON
            if ending.outcome is not None:
                self.last_points[ending.place] = ending.outcome.points
                self.last_ranks[ending.place] = ending.outcome.ranks
                self.last_reasons[ending.place] = ending.outcome.reason

    def meet(self, settings: Settings) -> None:
        """Let the next games be against other opponents."""
        self.games.settings = settings

    def keep(self) -> Kept:
        """The games as they are."""
        return self.games.matches, self.games.steps, self.chance

    def go_on(self, kept: Kept) -> None:
        """Take up games that were kept; the arrays are seen to by whoever has them."""
        self.games.matches, self.games.steps, self.chance = kept

    def _seed(self, place: int) -> int:
        """What the next game at a place follows from; the same as in the environment for one game."""
        return int(self.chance[place].integers(1 << 62))
