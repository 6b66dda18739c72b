"""Worker processes of a batch; one process's slice of the games."""

import ctypes
import multiprocessing
import pickle
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, Final, TypeAlias

import numpy as np

from argentum.envs.batch.arrays import Arrays, Memory, bytes_of
from argentum.envs.batch.games import Games
from argentum.envs.episode import Match
from argentum.envs.settings import Settings
from argentum.observations.encoder import make_encoder
from argentum.rules.table import NO_END_REASON

Kept: TypeAlias = tuple[list[Match], list[int], list[np.random.Generator]]


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
            make_encoder(observations, masks, seats, truths, settings.players, settings.history),
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
                self.last_reasons[ending.place] = NO_END_REASON
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


CONTEXT: Final = multiprocessing.get_context("spawn")
# What a worker is told: a letter, and for some of them something pickled.
STEP: Final = b"s"
RESET: Final = b"r"  # seeds
KEEP: Final = b"k"  # it answers with its games
GO_ON: Final = b"g"  # games
MEET: Final = b"m"  # settings with other opponents
# What it answers: a letter, and what it was asked for or what went wrong.
DONE: Final = b"d"
FAILED: Final = b"f"


class WorkerLost(RuntimeError):
    """A worker process of a batch is gone, or could not go on."""


def shared_memory(size: int) -> Memory:
    """Memory that worker processes see. It has no name, so that nothing is left of it whatever ends them."""
    memory: Memory = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory


class Worker:
    """A process that plays games `first` to `after - 1` of a batch."""

    def __init__(self, settings: Settings, games: int, truth: bool, memory: Memory, first: int, after: int) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(
            target=work,
            args=(theirs, settings, games, truth, memory, first, after),
            name=f"argentum-batch-{first}",
            daemon=True,
        )
        self._process.start()
        self.pid: Final = self._process.pid or 0
        theirs.close()  # so that the pipe ends when the process does
        self._games = f"games {first} to {after - 1}"
        self._answered = False

    def tell(self, what: bytes, told: object = None) -> None:
        """Let the worker begin; `wait` for it."""
        try:
            self._pipe.send_bytes(what + pickle.dumps(told))
        except OSError:
            raise self._lost() from None

    def wait(self) -> Any:
        """Wait until the worker has done what it was told, and for its answer."""
        try:
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._lost() from None
        self._answered = True
        told = pickle.loads(answer[1:])
        if answer[:1] != DONE:
            raise WorkerLost(f"the worker process with {self._games} of the batch failed: {told}")
        return told

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


def work(pipe: Connection, settings: Settings, games: int, truth: bool, memory: Memory, first: int, after: int) -> None:
    """What a worker process does, until the batch is closed."""
    try:
        share = Share(settings, Arrays(games, settings.players, settings.history, truth, memory), first, after)
        while True:
            word = pipe.recv_bytes()
            answer = obey(share, word[:1], pickle.loads(word[1:]))
            pipe.send_bytes(DONE + pickle.dumps(answer))
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:
        pipe.send_bytes(FAILED + pickle.dumps(f"{type(error).__name__}: {error}"))


def obey(share: Share, what: bytes, told: Any) -> object:
    """Do what a worker is told."""
    if what == STEP:
        share.step()
    elif what == RESET:
        share.reset(told)
    elif what == GO_ON:
        share.go_on(told)
    elif what == MEET:
        share.meet(told)
    else:
        return share.keep()
    return None
