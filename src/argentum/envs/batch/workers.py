"""Worker processes of a batch, and the slice of the games that one process plays."""

import ctypes
import multiprocessing
import pickle
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, Final, TypeAlias

import numpy as np

from argentum.envs.batch.arrays import BatchArrays, SharedBuffer, writable_bytes
from argentum.envs.batch.games import BatchGames
from argentum.envs.episode import BotEpisode
from argentum.envs.settings import EnvSettings
from argentum.rules.table import NO_END_REASON

SavedBatchGames: TypeAlias = tuple[list[BotEpisode], list[int], list[np.random.Generator]]


class GameSlice:
    """The games that one process plays, and their rows of the batch's arrays."""

    def __init__(self, settings: EnvSettings, arrays: BatchArrays, first: int, end: int) -> None:
        rows = slice(first, end)
        self.rows: Final = rows
        self.actions: Final = arrays.actions[rows]
        self.rewards: Final = arrays.rewards[rows]
        self.terminations: Final = arrays.terminations[rows]
        self.truncations: Final = arrays.truncations[rows]
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
        self.rewards.fill(0)
        self.terminations.fill(False)
        self.truncations.fill(False)
        self.games.reset()

    def step(self) -> None:
        """Apply the actions in `actions` and write the results to the other arrays."""
        self.rewards.fill(0)
        self.terminations.fill(False)
        self.truncations.fill(False)
        for end in self.games.step(self.actions.tolist()):
            self.rewards[end.index] = end.rewards
            if end.over or end.truncated:
                self.terminations[end.index] = end.over
                self.truncations[end.index] = end.truncated
                self.last_observations[end.index] = np.frombuffer(end.final_observation, np.uint8)
                self.last_reasons[end.index] = NO_END_REASON
            if end.outcome is not None:
                self.last_points[end.index] = end.outcome.points
                self.last_ranks[end.index] = end.outcome.ranks
                self.last_reasons[end.index] = end.outcome.reason

    def set_opponents(self, settings: EnvSettings) -> None:
        self.games.settings = settings

    def save(self) -> SavedBatchGames:
        return self.games.episodes, self.games.steps, self.generators

    def restore(self, saved: SavedBatchGames) -> None:
        """Restore the games of `save`; the batch restores the arrays."""
        self.games.episodes, self.games.steps, self.generators = saved

    def _next_seed(self, index: int) -> int:
        """Draw the seed of the next game of a row, in the same way as the single environment."""
        return int(self.generators[index].integers(1 << 62))


CONTEXT: Final = multiprocessing.get_context("spawn")
# Requests: an operation, and its pickled payload.
OP_STEP: Final = b"s"
OP_RESET: Final = b"r"  # payload: the seeds
OP_SAVE: Final = b"k"  # result: the games
OP_RESTORE: Final = b"g"  # payload: the games
OP_SET_OPPONENTS: Final = b"m"  # payload: the settings with the new opponents
# Replies: a status, and a pickled result or error message.
REPLY_OK: Final = b"d"
REPLY_ERROR: Final = b"f"


class WorkerLost(RuntimeError):
    """Raised when a worker process of a batch has ended or failed."""


def shared_memory(size: int) -> SharedBuffer:
    """Return anonymous shared memory, which the system frees even if processes crash."""
    memory: SharedBuffer = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory


class BatchWorker:
    """Handle of a worker process, which plays games `first` to `end - 1` of the batch."""

    def __init__(
        self, settings: EnvSettings, games: int, with_hidden_state: bool, memory: SharedBuffer, first: int, end: int
    ) -> None:
        self._pipe, worker_pipe = CONTEXT.Pipe()
        self._process = CONTEXT.Process(
            target=run_batch_worker,
            args=(worker_pipe, settings, games, with_hidden_state, memory, first, end),
            name=f"argentum-batch-{first}",
            daemon=True,
        )
        self._process.start()
        self.pid: Final = self._process.pid or 0
        worker_pipe.close()  # Otherwise the pipe would stay open after the worker has ended.
        self._games_text = f"games {first} to {end - 1}"
        self._has_replied = False

    def send(self, operation: bytes, payload: object = None) -> None:
        """Send a request; `receive` waits for the reply."""
        try:
            self._pipe.send_bytes(operation + pickle.dumps(payload))
        except OSError:
            raise self._worker_lost() from None

    def receive(self) -> Any:
        """Wait for the reply to the last request and return its result."""
        try:
            reply = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._worker_lost() from None
        self._has_replied = True
        payload = pickle.loads(reply[1:])
        if reply[:1] != REPLY_OK:
            raise WorkerLost(f"the worker process with {self._games_text} of the batch failed: {payload}")
        return payload

    def _worker_lost(self) -> WorkerLost:
        self._process.join()
        if not self._has_replied:
            return WorkerLost(
                f"the worker process with {self._games_text} of the batch did not start (exit code"
                f" {self._process.exitcode}). Each process imports your program: if it makes a batch with several"
                ' processes, let it do so below `if __name__ == "__main__":`'
            )
        return WorkerLost(
            f"the worker process with {self._games_text} of the batch is gone (exit code {self._process.exitcode});"
            " close the batch and make a new one"
        )

    def close(self) -> None:
        self._pipe.close()
        self._process.join()
        self._process.close()


def run_batch_worker(
    pipe: Connection,
    settings: EnvSettings,
    games: int,
    with_hidden_state: bool,
    memory: SharedBuffer,
    first: int,
    end: int,
) -> None:
    """Main function of a worker process: handle requests until the pipe is closed."""
    try:
        game_slice = GameSlice(
            settings, BatchArrays(games, settings.players, settings.history, with_hidden_state, memory), first, end
        )
        while True:
            request = pipe.recv_bytes()
            result = handle_request(game_slice, request[:1], pickle.loads(request[1:]))
            pipe.send_bytes(REPLY_OK + pickle.dumps(result))
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:
        pipe.send_bytes(REPLY_ERROR + pickle.dumps(f"{type(error).__name__}: {error}"))


def handle_request(game_slice: GameSlice, operation: bytes, payload: Any) -> object:
    """Execute an operation and return its result."""
    if operation == OP_STEP:
        game_slice.step()
    elif operation == OP_RESET:
        game_slice.reset(payload)
    elif operation == OP_RESTORE:
        game_slice.restore(payload)
    elif operation == OP_SET_OPPONENTS:
        game_slice.set_opponents(payload)
    else:
        return game_slice.save()
    return None
