"""More processes for a batch: each plays a share of its games, in memory that all of them see.

A worker waits for a word through a pipe, does it, and answers; so either side notices at once when the other ends.
"""

import ctypes
import multiprocessing
import pickle
from multiprocessing.connection import Connection
from typing import Any, Final

from argentum.envs.batch_share import Arrays, Memory, Share
from argentum.envs.playing import Settings

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
