"""Worker processes of a batch; one process's slice of the games."""

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
from argentum.observations.encoder import make_encoder
from argentum.rules.table import NO_END_REASON

SavedBatchGames: TypeAlias = tuple[list[BotEpisode], list[int], list[np.random.Generator]]


class GameSlice:
    """The games of one process, and the rows of the arrays that they fill."""

    def __init__(self, settings: EnvSettings, arrays: BatchArrays, first: int, after: int) -> None:
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
        self.generators: list[np.random.Generator] = []  # by place
        written = [
            writable_bytes(array[rows])
            for array in (arrays.observations, arrays.masks, arrays.seats, arrays.hidden_states)
        ]
        observations, masks, seats, truths = written
        self.games: Final = BatchGames(
            settings,
            self._seed,
            observations,
            masks,
            seats,
            truths,
            make_encoder(observations, masks, seats, truths, settings.players, settings.history),
            first,
        )

    def reset(self, seeds: Sequence[int]) -> None:
        """New games, by the seeds of the whole batch."""
        self.generators = [np.random.default_rng(seed) for seed in seeds[self.rows]]
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
            self.rewards[ending.index] = ending.rewards
            if ending.over or ending.truncated:
                self.terminations[ending.index] = ending.over
                self.truncations[ending.index] = ending.truncated
                self.last_observations[ending.index] = np.frombuffer(ending.final_observation, np.uint8)
                self.last_reasons[ending.index] = NO_END_REASON
            if ending.outcome is not None:
                self.last_points[ending.index] = ending.outcome.points
                self.last_ranks[ending.index] = ending.outcome.ranks
                self.last_reasons[ending.index] = ending.outcome.reason

    def set_opponents(self, settings: EnvSettings) -> None:
        """Let the next games be against other opponents."""
        self.games.settings = settings

    def save(self) -> SavedBatchGames:
        """The games as they are."""
        return self.games.episodes, self.games.steps, self.generators

    def restore(self, kept: SavedBatchGames) -> None:
        """Take up games that were kept; the arrays are seen to by whoever has them."""
        self.games.episodes, self.games.steps, self.generators = kept

    def _seed(self, place: int) -> int:
        """What the next game at a place follows from; the same as in the environment for one game."""
        return int(self.generators[place].integers(1 << 62))


CONTEXT: Final = multiprocessing.get_context("spawn")
# What a worker is told: a letter, and for some of them something pickled.
OP_STEP: Final = b"s"
OP_RESET: Final = b"r"  # seeds
OP_SAVE: Final = b"k"  # it answers with its games
OP_RESTORE: Final = b"g"  # games
OP_SET_OPPONENTS: Final = b"m"  # settings with other opponents
# What it answers: a letter, and what it was asked for or what went wrong.
REPLY_OK: Final = b"d"
REPLY_ERROR: Final = b"f"


class WorkerLost(RuntimeError):
    """A worker process of a batch is gone, or could not go on."""


def shared_memory(size: int) -> SharedBuffer:
    """Memory that worker processes see. It has no name, so that nothing is left of it whatever ends them."""
    memory: SharedBuffer = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory


class BatchWorker:
    """A process that plays games `first` to `after - 1` of a batch."""

    def __init__(
        self, settings: EnvSettings, games: int, truth: bool, memory: SharedBuffer, first: int, after: int
    ) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(
            target=run_batch_worker,
            args=(theirs, settings, games, truth, memory, first, after),
            name=f"argentum-batch-{first}",
            daemon=True,
        )
        self._process.start()
        self.pid: Final = self._process.pid or 0
        theirs.close()  # so that the pipe ends when the process does
        self._games = f"games {first} to {after - 1}"
        self._answered = False

    def send(self, operation: bytes, payload: object = None) -> None:
        """Let the worker begin; `wait` for it."""
        try:
            self._pipe.send_bytes(operation + pickle.dumps(payload))
        except OSError:
            raise self._lost() from None

    def receive(self) -> Any:
        """Wait until the worker has done what it was told, and for its answer."""
        try:
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._lost() from None
        self._answered = True
        payload = pickle.loads(answer[1:])
        if answer[:1] != REPLY_OK:
            raise WorkerLost(f"the worker process with {self._games} of the batch failed: {payload}")
        return payload

    def _lost(self) -> WorkerLost:
        self._process.join()
        if not self._answered:
            return WorkerLost(
                f"the worker process with {self._games} of the batch did not start (exit code"
                f" {self._process.exitcode}). Each process imports your program: if it makes a batch with several"
                ' processes, let it do so below `if __name__ == "__main__":`'
            )
        return WorkerLost(
            f"the worker process with {self._games} of the batch is gone (exit code {self._process.exitcode});"
            " close the batch and make a new one"
        )

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.join()
        self._process.close()


def run_batch_worker(
    pipe: Connection, settings: EnvSettings, games: int, truth: bool, memory: SharedBuffer, first: int, after: int
) -> None:
    """What a worker process does, until the batch is closed."""
    try:
        share = GameSlice(settings, BatchArrays(games, settings.players, settings.history, truth, memory), first, after)
        while True:
            word = pipe.recv_bytes()
            answer = handle(share, word[:1], pickle.loads(word[1:]))
            pipe.send_bytes(REPLY_OK + pickle.dumps(answer))
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:
        pipe.send_bytes(REPLY_ERROR + pickle.dumps(f"{type(error).__name__}: {error}"))


def handle(share: GameSlice, what: bytes, payload: Any) -> object:
    """Do what a worker is told."""
    if what == OP_STEP:
        share.step()
    elif what == OP_RESET:
        share.reset(payload)
    elif what == OP_RESTORE:
        share.restore(payload)
    elif what == OP_SET_OPPONENTS:
        share.set_opponents(payload)
    else:
        return share.save()
    return None
