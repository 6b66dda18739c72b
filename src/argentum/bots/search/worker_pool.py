"""Run searches in worker processes, which read requests and write answers as lines of JSON."""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from random import Random
from threading import Lock, Thread
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol, TextIO

from argentum.bots.search.racing import PlayoutRunner, run_race, search
from argentum.rules.position import Position

UNLIMITED_DEALS: Final = 1_000_000
DEALS_PER_SLICE: Final = 32  # per worker: a few milliseconds in the compiled build
# Requests to a worker.
BEGIN_REQUEST: Final = "begin"  # prepare a parallel search
SLICE: Final = "slice"  # play out the next slice of it
SINGLE: Final = "single"  # run a whole search
STOP_LINE: Final = "stop"  # end the running search; not JSON

GRACE_SECONDS: Final = 5.0  # after the time limit, before a worker that does not answer counts as failed
MIN_SECONDS: Final = 0.03  # shortest time limit of a search, even if many bots wait
MAX_WAITING_PER_WORKER: Final = 40  # number of waiting bots above which no bot searches
WORKER_COMMAND: Final = "from argentum.bots.search.worker_pool import run_search_worker; run_search_worker()"


class SearchRequest(NamedTuple):
    """A request to search for the best of a seat's candidate moves."""

    position: Position  # as the seat knows it
    seat: str
    candidates: list[int]
    seed: int
    seconds: float  # time limit if `deals` is 0
    deals: int

    def search(self, stop: Callable[[], bool]) -> int:
        """Search in this process and return the best candidate."""
        deadline = perf_counter() + self.seconds
        deals, is_over = (
            (self.deals, stop) if self.deals else (UNLIMITED_DEALS, lambda: perf_counter() > deadline or stop())
        )
        return search(self.position, self.seat, self.candidates, Random(self.seed), deals, is_over)[0]

    def make_runner(self) -> PlayoutRunner:
        return PlayoutRunner(self.position, self.seat, Random(self.seed))

    def to_json(self) -> list[object]:
        """Return the request as JSON values, with the text of a sampled position; raise ValueError if there is none.

        :meth:`from_json` removes the sampled faces that the seat does not know.
        """
        sample = self.position.redealt(self.seat, Random(self.seed))
        if sample is None:
            raise ValueError("no deal is consistent with what the seat knows")
        return [sample.text(), *self[1:]]

    @staticmethod
    def from_json(text: str, seat: str, *values: Any) -> "SearchRequest":
        return SearchRequest(Position.read(text).known_to(seat), seat, *values)


class WorkSlice(NamedTuple):
    """A request to a worker in a parallel search: its share of the next deals."""

    candidates: list[int]
    last: int  # number of deals of the search at the end of the slice
    worker: int  # index of the worker, which plays out every `workers`-th deal
    workers: int
    seconds: float  # time limit; below 0 for none

    def play_out(self, runner: PlayoutRunner, stop: Callable[[], bool]) -> list[list[float]]:
        """Return a row of results per deal of the slice; fewer rows if the time is up or the search is stopped."""
        deadline = perf_counter() + self.seconds
        is_limited = self.seconds >= 0

        def is_over() -> bool:
            return (is_limited and perf_counter() > deadline) or stop()

        return runner.run(self.candidates, self.last, is_over, self.worker, self.workers)


class WorkerLink(Protocol):
    """The methods of a worker that `ParallelSearch` uses."""

    def send_line(self, line: str) -> None:
        """Send a line; raise `OSError` if the process has ended."""

    def receive(self, timeout: float | None) -> Any:
        """Return the next answer; raise `Empty` after `timeout` seconds."""


class ParallelSearch:
    """One search on several workers.

    `release_extra` is called after each slice. It may release workers that other bots need, and returns the number of
    workers that remain.
    """

    def __init__(
        self,
        workers: list[WorkerLink],
        request: SearchRequest,
        grace_seconds: float,
        release_extra: Callable[[], int],
    ) -> None:
        self.workers: Final = workers
        self.request: Final = request
        self.grace_seconds: Final = grace_seconds  # after the time limit, before a worker counts as failed
        self.release_extra: Final = release_extra
        self.deadline: Final = perf_counter() + request.seconds
        self.deal_count = 0
        begin_line = json.dumps([BEGIN_REQUEST, request.to_json()])
        for worker in workers:
            worker.send_line(begin_line)

    def search(self) -> int:
        """Return the best candidate; raise `OSError`, `Empty` or `ValueError` if a worker fails."""
        return run_race(self.request.candidates, self.request.deals or UNLIMITED_DEALS, self.play_deals)[0]

    def play_deals(self, candidates: list[int], last: int) -> list[list[float]]:
        """Play out deals up to number `last`; return a row of results per deal.

        There are fewer rows if the time is up or the search is stopped.
        """
        rows: list[list[float]] = []
        while self.deal_count < last and self.workers:
            slice_end = min(last, self.deal_count + DEALS_PER_SLICE * len(self.workers))
            new_rows = self._run_slices(candidates, slice_end)
            rows += new_rows
            if len(new_rows) < slice_end - self.deal_count:
                break
            self.deal_count = slice_end
            del self.workers[self.release_extra() :]
        return rows

    def _run_slices(self, candidates: list[int], last: int) -> list[list[float]]:
        """Run one slice on each worker; return their rows in the order of the deals."""
        worker_count, is_timed = len(self.workers), not self.request.deals
        seconds = max(self.deadline - perf_counter(), 0.0) if is_timed else -1.0
        for index, worker in enumerate(self.workers):
            worker.send_line(json.dumps([SLICE, WorkSlice(candidates, last, index, worker_count, seconds)]))
        numbered_rows: list[tuple[int, list[float]]] = []
        for index, worker in enumerate(self.workers):
            first_deal = self.deal_count + (index - self.deal_count) % worker_count
            rows = worker.receive(seconds + self.grace_seconds if is_timed else None)
            numbered_rows += [(first_deal + row_index * worker_count, row) for row_index, row in enumerate(rows)]
        return [row for _, row in sorted(numbered_rows)]


class SearchWorker:
    """A worker process, started by the constructor."""

    def __init__(self) -> None:
        self.process: Final = subprocess.Popen(
            [sys.executable, "-c", WORKER_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([path for path in sys.path if path])},
            start_new_session=True,  # Ctrl-C must not interrupt the worker, which ends when its input is closed.
        )
        self.lines: Final[Queue[str]] = Queue()
        self.lock: Final = Lock()
        Thread(target=pump_lines, args=(self.process.stdout, self.lines), daemon=True).start()

    def send_line(self, line: str) -> None:
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def receive(self, timeout: float | None) -> Any:
        return json.loads(self.lines.get(timeout=timeout))

    def terminate(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # Closing fails if there is unsent data.
                    continue


def pump_lines(source: TextIO | None, lines: "Queue[str]") -> None:
    """Copy the lines of a stream to a queue; at the end of the stream, put an empty line."""
    assert source is not None
    try:
        for line in source:
            lines.put(line)
    except ValueError:  # The stream was closed.
        pass
    lines.put("")


class WorkerPool:
    """The workers that the bots of this process share. A worker is started when it is first needed."""

    def __init__(self, size: int) -> None:
        self.size = size  # number of workers
        self.reset()

    def grow(self, size: int) -> None:
        """Raise the number of workers to at least `size`."""
        for _ in range(self.size, size):
            self.idle_workers.put(None)
        self.size = max(self.size, size)

    def reset(self) -> None:
        """Drop all workers without ending them, because those of a forked process belong to its parent."""
        self.waiting_count = 0  # bots that wait for a worker or search
        self.count_lock = Lock()
        self.workers: set[SearchWorker] = set()
        self.idle_workers: Queue[SearchWorker | None] = Queue()  # None: a worker to be started
        for _ in range(self.size):
            self.idle_workers.put(None)

    @contextmanager
    def count_waiting_bot(self) -> Iterator[None]:
        """Count a bot as waiting or searching inside the `with` block. The more bots wait, the less time each gets."""
        with self.count_lock:
            self.waiting_count += 1
        try:
            yield
        finally:
            with self.count_lock:
                self.waiting_count -= 1

    @property
    def is_overloaded(self) -> bool:
        """Whether so many bots wait that none should search."""
        return self.waiting_count > MAX_WAITING_PER_WORKER * self.size

    def time_share(self, seconds: float) -> float:
        """Return the time limit of a search that asks for `seconds`: less if more bots wait than there are workers."""
        return min(seconds, max(MIN_SECONDS, seconds * self.size / max(self.size, self.waiting_count)))

    @property
    def is_contended(self) -> bool:
        """Whether several bots wait or search, so that each should use only one worker."""
        return self.waiting_count > 1

    def acquire_more(self, max_count: int) -> list[SearchWorker]:
        """Return up to `max_count` idle workers without waiting; none if other bots wait."""
        acquired: list[SearchWorker] = []
        try:
            while len(acquired) < max_count and not self.is_contended:
                acquired.append(self.acquire(0.0))
        except (OSError, Empty):
            return acquired
        return acquired

    def acquire(self, timeout: float) -> SearchWorker:
        """Return an idle worker, started if necessary.

        Raise `Empty` after `timeout` seconds, and `OSError` if no process can be started.
        """
        worker = self.idle_workers.get(block=timeout > 0, timeout=timeout)
        try:
            if worker is None or worker.process.poll() is not None:
                self.discard(worker)
                worker = SearchWorker()
                self.workers.add(worker)
        except OSError:
            self.idle_workers.put(None)
            raise
        return worker

    def release(self, worker: SearchWorker, healthy: bool) -> None:
        """Return a worker to the pool; end one that is not healthy, so that a new one is started when needed."""
        if not healthy:
            self.discard(worker)
        self.idle_workers.put(worker if healthy else None)

    def discard(self, worker: SearchWorker | None) -> None:
        if worker is not None:
            self.workers.discard(worker)
            worker.terminate()

    def shutdown(self) -> None:
        for worker in list(self.workers):
            self.discard(worker)


# Servers that share the cores of a machine set the variable to the number of search workers of each (docs/hosting.md).
POOL: Final = WorkerPool(int(os.environ.get("ARGENTUM_SEARCH_WORKERS") or max((os.cpu_count() or 2) - 1, 1)))
atexit.register(POOL.shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.reset)


class SearchTask:
    """Run the searches of one bot, one at a time. Another thread can stop a search."""

    def __init__(self) -> None:
        self.workers: list[SearchWorker] = []  # running this search
        self.stopped = False

    def search(self, request: SearchRequest, processes: int) -> int:
        """Return the best candidate. A search with a number of deals and one process runs here, others in workers."""
        is_local = request.deals and processes == 1
        return request.search(lambda: False) if is_local else self.search_in_workers(request, processes)

    def search_in_workers(self, request: SearchRequest, processes: int = 1) -> int:
        """Search in up to `processes` workers and return the best candidate.

        If the workers are busy or fail, return the first candidate. A search with a number of deals and several
        processes runs in this process instead, because its result must not depend on the workers.
        """
        if POOL.is_overloaded:
            return request.candidates[0]
        self.stopped = False
        request = request._replace(seconds=POOL.time_share(request.seconds))
        try:
            acquired = [] if request.deals and processes > 1 else [POOL.acquire(request.seconds)]
        except (OSError, Empty):
            return request.candidates[0]
        acquired += POOL.acquire_more(processes - len(acquired))
        healthy = False
        try:
            move = self._run_single(request, acquired[0]) if processes == 1 else self._run_parallel(request, acquired)
            healthy = True
        except (OSError, Empty, ValueError):
            return request.search(lambda: self.stopped) if request.deals and processes > 1 else request.candidates[0]
        finally:
            self.workers = []
            for worker in acquired:
                POOL.release(worker, healthy)
        return move

    def _run_single(self, request: SearchRequest, worker: SearchWorker) -> int:
        worker.send_line(json.dumps([SINGLE, request.to_json()]))
        self.workers = [worker]
        return int(worker.receive(request.seconds + GRACE_SECONDS))

    def _run_parallel(self, request: SearchRequest, acquired: list[SearchWorker]) -> int:
        """Search with several workers. While other bots wait, release all workers but one."""

        def release_extra() -> int:
            if self.stopped:
                return 0
            while len(acquired) > 1 and POOL.is_contended:
                POOL.release(acquired.pop(), True)
            return len(acquired)

        if not acquired:
            raise Empty
        self.workers = acquired
        return ParallelSearch([*acquired], request, GRACE_SECONDS, release_extra).search()

    def stop(self) -> None:
        """End the running search soon; it returns its best candidate so far."""
        self.stopped = True
        for worker in [*self.workers]:
            try:
                worker.send_line(STOP_LINE)
            except (OSError, ValueError):
                continue


def run_search_worker() -> None:
    """Run the searches requested on standard input until it is closed. A line that arrives during a search stops it."""
    lines: Queue[str] = Queue()
    Thread(target=pump_lines, args=(sys.stdin, lines), daemon=True).start()
    runner: PlayoutRunner | None = None

    def stop() -> bool:
        return not lines.empty()

    while line := lines.get():
        if line.strip() == STOP_LINE:  # The search to stop has already ended.
            continue
        request_kind, payload = json.loads(line)
        if request_kind == BEGIN_REQUEST:
            runner = SearchRequest.from_json(*payload).make_runner()
            continue
        answer: object = None
        if request_kind == SINGLE:
            answer = SearchRequest.from_json(*payload).search(stop)
        elif request_kind == SLICE and runner is not None:
            answer = WorkSlice(*payload).play_out(runner, stop)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
