"""More processes for a batch: each plays a share of its games, in memory that all of them see.

A worker waits for a word through a pipe, does it, and answers; so either side notices at once when the other ends.
"""

import ctypes
import multiprocessing
import pickle
from multiprocessing.connection import Connection
from typing import Final

from argentum.envs.batch_games import Settings
from argentum.envs.batch_share import Arrays, Memory, Share

CONTEXT: Final = multiprocessing.get_context("spawn")
STEP: Final = b""  # any other word is the pickled seeds of new games
DONE: Final = b""  # any other answer says what went wrong


class WorkerLost(RuntimeError):
    """A worker process of a batch is gone, or could not go on."""


def shared_memory(size: int) -> Memory:
    """Memory that worker processes see. It has no name, so that nothing is left of it whatever ends them."""
    memory: Memory = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory


class Worker:
    """A process that plays games `first` to `after - 1` of a batch."""

    def __init__(self, settings: Settings, games: int, memory: Memory, first: int, after: int) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(
            target=work,
            args=(theirs, settings, games, memory, first, after),
            name=f"argentum-batch-{first}",
            daemon=True,
        )
        self._process.start()
        self.pid: Final = self._process.pid or 0
        theirs.close()  # so that the pipe ends when the process does
        self._games = f"games {first} to {after - 1}"

    def tell(self, word: bytes) -> None:
        """Let the worker begin; `wait` for it."""
        try:
            self._pipe.send_bytes(word)
        except OSError:
            raise self._lost() from None

    def wait(self) -> None:
        """Wait until the worker has done what it was told."""
        try:
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._lost() from None
        if answer != DONE:
            raise WorkerLost(f"the worker process with {self._games} of the batch failed: {answer.decode()}")

    def _lost(self) -> WorkerLost:
        self._process.join()
        return WorkerLost(
            f"the worker process with {self._games} of the batch is gone (exit code {self._process.exitcode});"
            " close the batch and make a new one"
        )

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.join()
        self._process.close()


def work(pipe: Connection, settings: Settings, games: int, memory: Memory, first: int, after: int) -> None:
    """What a worker process does, until the batch is closed."""
    try:
        share = Share(settings, Arrays(games, settings.players, memory), first, after)
        while True:
            word = pipe.recv_bytes()
            if word == STEP:
                share.step()
            else:
                share.reset(pickle.loads(word))
            pipe.send_bytes(DONE)
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:
        pipe.send_bytes(f"{type(error).__name__}: {error}".encode())
