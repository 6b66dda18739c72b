"""Arrays of a batch in one buffer, which may be shared between processes."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from argentum.observations.actions import ACTION_COUNT
from argentum.observations.history import observation_size
from argentum.observations.layout import HIDDEN_STATE_SIZE
from argentum.processes import SharedBuffer
from argentum.rules.residents import CARDS_IN_DECK

CACHE_LINE: Final = 64  # bytes; arrays are aligned to cache lines
ARRAY_COUNT: Final = 13


class BatchArrays:
    """The actions and results of a batch: arrays with a row per game, allocated in one buffer."""

    def __init__(self, games: int, players: int, history: int, with_hidden_state: bool, buffer: SharedBuffer) -> None:
        self._buffer = buffer
        self._used_bytes = 0
        size = observation_size(history)
        self.actions: NDArray[np.int32] = self._allocate(np.int32, (games,))
        self.observations: NDArray[np.uint8] = self._allocate(np.uint8, (games, size))
        self.masks: NDArray[np.bool_] = self._allocate(np.bool_, (games, ACTION_COUNT))
        self.rewards: NDArray[np.float32] = self._allocate(np.float32, (games, players))
        self.terminations: NDArray[np.bool_] = self._allocate(np.bool_, (games,))
        self.truncations: NDArray[np.bool_] = self._allocate(np.bool_, (games,))
        self.round_ends: NDArray[np.bool_] = self._allocate(np.bool_, (games,))
        self.seats: NDArray[np.uint8] = self._allocate(np.uint8, (games,))
        self.last_observations: NDArray[np.uint8] = self._allocate(np.uint8, (games, size))
        self.last_points: NDArray[np.int32] = self._allocate(np.int32, (games, players))
        self.last_ranks: NDArray[np.int32] = self._allocate(np.int32, (games, players))
        self.last_reasons: NDArray[np.int8] = self._allocate(np.int8, (games,))
        self.hidden_states: NDArray[np.uint8] = self._allocate(
            np.uint8, (games, 2 if with_hidden_state else 0, CARDS_IN_DECK)
        )

    @staticmethod
    def required_bytes(games: int, players: int, history: int, with_hidden_state: bool) -> int:
        row = (
            4
            + 2 * observation_size(history)
            + ACTION_COUNT
            + 3 * 4 * players
            + 5  # terminations, truncations, round_ends, seats and last_reasons
            + HIDDEN_STATE_SIZE * with_hidden_state
        )
        return games * row + ARRAY_COUNT * CACHE_LINE

    def all_arrays(self) -> list[NDArray[Any]]:
        """Return all arrays in the order in which they were allocated."""
        return [value for value in vars(self).values() if isinstance(value, np.ndarray)]

    def _allocate(self, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return an array in the next free, aligned bytes of the buffer."""
        start = -(-self._used_bytes // CACHE_LINE) * CACHE_LINE
        array = np.frombuffer(memoryview(self._buffer), dtype, int(np.prod(shape)), start).reshape(shape)
        self._used_bytes = start + array.nbytes
        return array


def writable_bytes(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data
