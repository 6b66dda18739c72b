"""Worker processes: a pool whose processes hold objects and call their methods, and executors for single tasks.

The start method is `spawn`, because programs that use them may have threads. The processes ignore Ctrl-C, which only
the main process handles, and exit with it. Bots search in workers of another kind (`bots/search/worker_pool.py`), which
have time limits, can be stopped in the middle of a search, and do not import the main program again.
"""

import ctypes
import multiprocessing
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing.connection import Connection
from os import cpu_count
from signal import SIG_IGN, SIGINT, signal
from traceback import format_exc
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

CONTEXT: Final = multiprocessing.get_context("spawn")
TASKS_PER_PROCESS: Final = 4  # submitted at the same time, so that no process waits for the next
NO_OBJECT: Final = -1  # key of a reply when a process could not create its objects

SharedBuffer: TypeAlias = "bytearray | ctypes.Array[ctypes.c_ubyte]"
Arguments = TypeVar("Arguments", bound=tuple[Any, ...])
Result = TypeVar("Result")


def process_count(processes: int = 0) -> int:
    """Return `processes`, or the number of cores if it is 0."""
    return processes or cpu_count() or 1


def ignore_interrupts() -> None:
    signal(SIGINT, SIG_IGN)


def shared_memory(size: int) -> SharedBuffer:
    """Return anonymous shared memory, zeroed, which the system frees even if processes crash.

    It can be passed only to objects of a `ProcessPool`, not in a call.
    """
    memory: SharedBuffer = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory


# Processes that hold objects.


class WorkerLost(RuntimeError):
    """Raised when a worker process has ended, or an object in it has failed."""


class WorkerObject(NamedTuple):
    """What a worker process creates, and how."""

    factory: Callable[..., object]
    arguments: tuple[Any, ...]


class WorkerProcess:
    """Handle of a process that holds objects, numbered from 0. `send` calls a method, `receive` waits for its result.

    The process runs one call after another. Each object's results come in the order of its calls.
    """

    def __init__(self, name: str, objects: Sequence[WorkerObject]) -> None:
        self.name: Final = name
        self._pipe, worker_pipe = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=run_worker, args=(worker_pipe, objects), name=name, daemon=True)
        self._process.start()
        self.pid: Final = self._process.pid or 0
        worker_pipe.close()  # Otherwise the pipe would stay open after the process has ended.
        self._results: list[deque[Any]] = [deque() for _ in objects]  # received, but not asked for yet
        self._has_replied = False

    def send(self, key: int, method: str, *arguments: object) -> None:
        """Call a method of an object. Raise WorkerLost if the process has ended."""
        try:
            self._pipe.send_bytes(pickle.dumps((key, method, arguments)))
        except OSError:
            raise self._lost() from None

    def receive(self, key: int) -> Any:
        """Return the result of an object's oldest call; raise WorkerLost if it failed or the process has ended."""
        results = self._results[key]
        while not results:
            try:
                sender, result, error = pickle.loads(self._pipe.recv_bytes())
            except (EOFError, OSError):
                raise self._lost() from None
            self._has_replied = True
            if error:
                raise WorkerLost(f"{self.name} failed:\n{error}")
            self._results[sender].append(result)
        return results.popleft()

    def _lost(self) -> WorkerLost:
        self._process.join()
        exit_code = self._process.exitcode
        if self._has_replied:
            return WorkerLost(f"{self.name} is gone (exit code {exit_code}); close what uses it and make it again")
        return WorkerLost(
            f"{self.name} did not start (exit code {exit_code}). Each process imports your program: if it starts"
            ' processes, let it do so below `if __name__ == "__main__":`'
        )

    def close(self) -> None:
        """End the process after the call that it is running."""
        self._pipe.close()
        self._process.join()
        self._process.close()


def run_worker(pipe: Connection, objects: Sequence[WorkerObject]) -> None:
    """Main function of a worker process: create the objects and call their methods until the pipe is closed."""
    ignore_interrupts()
    key = NO_OBJECT
    try:
        hosted = [worker_object.factory(*worker_object.arguments) for worker_object in objects]
        while True:
            key, method, arguments = pickle.loads(pipe.recv_bytes())
            pipe.send_bytes(pickle.dumps((key, getattr(hosted[key], method)(*arguments), "")))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except Exception:
        pipe.send_bytes(pickle.dumps((key, None, format_exc())))


class ProcessPool:
    """A number of processes that hold the same kinds of objects, such as a share of a batch each.

    The processes start with the first call, and create all objects then: shared memory cannot be passed to them later.
    """

    def __init__(self, processes: int, name: str) -> None:
        self.size: Final = processes
        self.name: Final = name
        self._objects: list[list[WorkerObject]] = [[] for _ in range(processes)]
        self._workers: list[WorkerProcess] = []
        self._closed = False

    def add(self, factory: Callable[..., object], arguments: Sequence[tuple[Any, ...]]) -> "PooledObjects":
        """Have each process create an object, with its own arguments; raise ValueError after the first call."""
        if self._workers or self._closed:
            raise ValueError("the processes of the pool have already started")
        for objects, values in zip(self._objects, arguments, strict=True):
            objects.append(WorkerObject(factory, values))
        return PooledObjects(self, len(self._objects[0]) - 1 if self._objects else 0)

    @property
    def workers(self) -> list[WorkerProcess]:
        """The processes, which are started if they have not been. Raise ValueError if the pool is closed."""
        if self._closed:
            raise ValueError("the pool is closed")
        if len(self._workers) < self.size:
            self._workers = [
                WorkerProcess(f"worker process {index + 1} of {self.size} of the {self.name}", objects)
                for index, objects in enumerate(self._objects)
            ]
        return self._workers

    def close(self) -> None:
        """End the processes."""
        self._closed = True
        for worker in self._workers:
            worker.close()
        self._workers = []

    def __enter__(self) -> "ProcessPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PooledObjects:
    """Objects in the processes of a pool, one in each."""

    def __init__(self, pool: ProcessPool, key: int) -> None:
        self._pool: Final = pool
        self._key: Final = key

    def send(self, method: str, *arguments: object) -> None:
        """Call a method of each object with the same arguments; `receive` waits for the results."""
        for worker in self._pool.workers:
            worker.send(self._key, method, *arguments)

    def receive(self) -> list[Any]:
        """Return the result of the oldest call of each object; raise WorkerLost if one failed or a process ended."""
        return [worker.receive(self._key) for worker in self._pool.workers]


# Processes for single tasks.


def make_executor(processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(processes, CONTEXT, ignore_interrupts)


def run_tasks(
    function: Callable[..., Result], tasks: Iterable[Arguments], processes: int, in_order: bool = False
) -> Generator[tuple[Arguments, Result], None, None]:
    """Call a function with the arguments of each task, in worker processes; yield the tasks with their results.

    Results are yielded as tasks finish or, with `in_order`, in the order of the tasks. The iterable may be infinite: it
    is read only as far as processes are free. Closing the generator terminates the processes.
    """
    other_children = set(multiprocessing.active_children())
    executor = make_executor(processes)
    pending = iter(tasks)
    running: dict[Future[Result], Arguments] = {}
    try:
        while True:
            for task in islice(pending, TASKS_PER_PROCESS * processes - len(running)):
                running[executor.submit(function, *task)] = task
            if not running:
                break
            future = next(iter(running if in_order else wait(running, return_when=FIRST_COMPLETED).done))
            yield running.pop(future), future.result()
    finally:
        if running:
            for child in set(multiprocessing.active_children()) - other_children:
                child.terminate()
        executor.shutdown(cancel_futures=True)
