"""Worker processes for searches: one line of JSON in, one line out."""

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
from argentum.rules.game import Game

UNLIMITED_DEALS: Final = 1_000_000
DEALS_PER_SLICE: Final = 32  # per worker: a few milliseconds when compiled
BEGIN_REQUEST: Final = "begin"  # message: start a parallel search
SLICE: Final = "share"  # message: run a slice of it


class SearchRequest(NamedTuple):
    """A search: the text of a sampled game, the choosing seat, its candidate moves and the budget."""

    game: str
    seat: str
    candidates: list[int]
    seed: int
    seconds: float
    deals: int  # 0: limited by time

    def search(self, stop: Callable[[], bool]) -> int:
        """Return the best candidate, searched in this process."""
        until = perf_counter() + self.seconds
        deals, time_is_up = (
            (self.deals, stop) if self.deals else (UNLIMITED_DEALS, lambda: perf_counter() > until or stop())
        )
        return search(Game.resume(self.game), self.seat, self.candidates, Random(self.seed), deals, time_is_up)[0]

    def make_runner(self) -> PlayoutRunner:
        return PlayoutRunner(Game.resume(self.game), self.seat, Random(self.seed))


class WorkSlice(NamedTuple):
    """A worker's slice of a search: go on to the `last` deal and play out every `shares`-th one."""

    candidates: list[int]
    last: int
    share: int
    shares: int
    seconds: float  # that remain; below 0 for no limit

    def play_out(self, deals: PlayoutRunner, stop: Callable[[], bool]) -> list[list[float]]:
        until = perf_counter() + self.seconds
        limited = self.seconds >= 0

        def time_is_up() -> bool:
            return (limited and perf_counter() > until) or stop()

        return deals.run(self.candidates, self.last, time_is_up, self.share, self.shares)


class WorkerLink(Protocol):
    """The connection to a worker, as `ParallelSearch` uses it."""

    def send_line(self, line: str) -> None:
        """Send a line; raise OSError if the process has ended."""

    def receive(self, patience: float | None) -> Any:
        """Return the next answer; raise `Empty` after the timeout."""


class ParallelSearch:
    """One search on several workers. Workers needed elsewhere can leave between two slices."""

    def __init__(self, workers: list[WorkerLink], order: SearchRequest, late: float, leave: Callable[[], int]) -> None:
        self.workers: Final = workers
        self.order: Final = order
        self.grace_seconds: Final = late  # after the time limit, until workers count as failed
        self.release_extra: Final = leave  # called after each slice; returns how many workers stay
        self.until: Final = perf_counter() + order.seconds
        self.dealt = 0
        for worker in workers:
            worker.send_line(json.dumps([BEGIN_REQUEST, order]))

    def search(self) -> int:
        """Return the best candidate; raise an error if a worker fails."""
        return run_race(self.order.candidates, self.order.deals or UNLIMITED_DEALS, self.play_deals)[0]

    def play_deals(self, candidates: list[int], last: int) -> list[list[float]]:
        """Go on to the `last` deal; return a row per deal, fewer if time is up or the search is stopped."""
        rows: list[list[float]] = []
        while self.dealt < last and self.workers:
            upto = min(last, self.dealt + DEALS_PER_SLICE * len(self.workers))
            new_rows = self._run_slices(candidates, upto)
            rows += new_rows
            if len(new_rows) < upto - self.dealt:
                break
            self.dealt = upto
            del self.workers[self.release_extra() :]
        return rows

    def _run_slices(self, candidates: list[int], last: int) -> list[list[float]]:
        """Run the slices of the next deals on all workers; return their rows in the order of the deals."""
        shares, timed = len(self.workers), not self.order.deals
        left = max(self.until - perf_counter(), 0.0) if timed else -1.0
        for index, worker in enumerate(self.workers):
            worker.send_line(json.dumps([SLICE, WorkSlice(candidates, last, index, shares, left)]))
        numbered: list[tuple[int, list[float]]] = []
        for index, worker in enumerate(self.workers):
            first = self.dealt + (index - self.dealt) % shares
            rows = worker.receive(left + self.grace_seconds if timed else None)
            numbered += [(first + place * shares, row) for place, row in enumerate(rows)]
        return [row for _, row in sorted(numbered)]


GRACE_SECONDS: Final = 5.0  # after the time limit, until a worker counts as failed
MIN_SECONDS: Final = 0.03  # for a search, however many bots wait
MAX_WAITING_PER_WORKER: Final = 40  # above this, no bot searches
SINGLE: Final = "alone"  # message: search alone
STOP_LINE: Final = "stop"
WORKER_COMMAND: Final = "from argentum.bots.search.worker_pool import run_search_worker; run_search_worker()"


class SearchWorker:
    """A worker process; started on construction."""

    def __init__(self) -> None:
        self.process: Final = subprocess.Popen(
            [sys.executable, "-c", WORKER_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([path for path in sys.path if path])},
            start_new_session=True,  # Ctrl-C must not interrupt it; it ends with its input.
        )
        self.lines: Final[Queue[str]] = Queue()
        self.lock: Final = Lock()
        Thread(target=pump_lines, args=(self.process.stdout, self.lines), daemon=True).start()

    def send_line(self, line: str) -> None:
        """Send a line; raise OSError if the process has ended."""
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def receive(self, timeout: float | None) -> Any:
        """Return the next answer; raise `Empty` after the timeout."""
        return json.loads(self.lines.get(timeout=timeout))

    def terminate(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # Unsent data for a process that has ended.
                    continue


def pump_lines(source: TextIO | None, lines: "Queue[str]") -> None:
    """Copy the lines of a stream to a queue, and an empty line at its end."""
    assert source is not None
    try:
        for line in source:
            lines.put(line)
    except ValueError:  # The stream was closed.
        pass
    lines.put("")


class WorkerPool:
    """The workers of this process, each started when it is first needed."""

    def __init__(self, most: int) -> None:
        self.size = most
        self.reset()

    def grow(self, most: int) -> None:
        """Raise the size to at least `most`."""
        for _ in range(self.size, most):
            self.free.put(None)
        self.size = max(self.size, most)

    def reset(self) -> None:
        """Start empty: a forked process must not use inherited workers."""
        self.waiting_count = 0
        self.counting = Lock()
        self.workers: set[SearchWorker] = set()
        self.free: Queue[SearchWorker | None] = Queue()
        for _ in range(self.size):
            self.free.put(None)  # a worker to start when needed

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count a bot that waits or searches. The more there are, the less time each gets."""
        with self.counting:
            self.waiting_count += 1
        try:
            yield
        finally:
            with self.counting:
                self.waiting_count -= 1

    @property
    def is_overloaded(self) -> bool:
        """Whether too many bots wait for a search."""
        return self.waiting_count > MAX_WAITING_PER_WORKER * self.size

    def time_share(self, seconds: float) -> float:
        """Return the time for a search that asks for `seconds`."""
        return min(seconds, max(MIN_SECONDS, seconds * self.size / max(self.size, self.waiting_count)))

    @property
    def is_contended(self) -> bool:
        """Whether several bots want to search, so that each may use only one worker."""
        return self.waiting_count > 1

    def acquire_more(self, most: int) -> list[SearchWorker]:
        """Return up to `most` idle workers, unless other bots wait."""
        acquired: list[SearchWorker] = []
        try:
            while len(acquired) < most and not self.is_contended:
                acquired.append(self.acquire(0.0))
        except (OSError, Empty):
            return acquired
        return acquired

    def acquire(self, patience: float) -> SearchWorker:
        """Return an idle worker; raise `Empty` after the timeout."""
        worker = self.free.get(block=patience > 0, timeout=patience)
        try:
            if worker is None or worker.process.poll() is not None:
                self.discard(worker)
                worker = SearchWorker()
                self.workers.add(worker)
        except OSError:
            self.free.put(None)
            raise
        return worker

    def release(self, worker: SearchWorker, healthy: bool) -> None:
        """Return a worker to the pool; a failed one is replaced when next needed."""
        if not healthy:
            self.discard(worker)
        self.free.put(worker if healthy else None)

    def discard(self, worker: SearchWorker | None) -> None:
        if worker is not None:
            self.workers.discard(worker)
            worker.terminate()

    def shutdown(self) -> None:
        for worker in list(self.workers):
            self.discard(worker)


# Processes of one server share the cores; the variable is the share of each.
POOL: Final = WorkerPool(int(os.environ.get("ARGENTUM_SEARCH_WORKERS") or max((os.cpu_count() or 2) - 1, 1)))
atexit.register(POOL.shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.reset)


class SearchTask:
    """The running search of one bot. It can be stopped from another thread."""

    def __init__(self) -> None:
        self.workers: list[SearchWorker] = []  # running this search
        self.stopped = False

    def search(self, order: SearchRequest, processes: int) -> int:
        """Return the best candidate. Searches with a number of deals and one process run in this process."""
        is_local = order.deals and processes == 1
        return order.search(lambda: False) if is_local else self.search_with_workers(order, processes)

    def search_with_workers(self, order: SearchRequest, processes: int = 1) -> int:
        """Return the best candidate, searched by workers; the first one if anything fails.

        Up to `processes` workers share the search while no other bot wants one. With a number of deals, this process
        searches if workers are busy or fail.
        """
        if POOL.is_overloaded:
            return order.candidates[0]
        self.stopped = False
        order = order._replace(seconds=POOL.time_share(order.seconds))
        try:
            acquired = [] if order.deals and processes > 1 else [POOL.acquire(order.seconds)]
        except (OSError, Empty):
            return order.candidates[0]
        acquired += POOL.acquire_more(processes - len(acquired))
        healthy = False
        try:
            move = self._run_single(order, acquired[0]) if processes == 1 else self._run_parallel(order, acquired)
            healthy = True
        except (OSError, Empty, ValueError):
            return order.search(lambda: self.stopped) if order.deals and processes > 1 else order.candidates[0]
        finally:
            self.workers = []
            for worker in acquired:
                POOL.release(worker, healthy)
        return move

    def _run_single(self, order: SearchRequest, worker: SearchWorker) -> int:
        worker.send_line(json.dumps([SINGLE, order]))
        self.workers = [worker]
        return int(worker.receive(order.seconds + GRACE_SECONDS))

    def _run_parallel(self, order: SearchRequest, acquired: list[SearchWorker]) -> int:
        """Search with several workers, releasing those that other bots wait for."""

        def leave() -> int:
            if self.stopped:
                return 0
            while len(acquired) > 1 and POOL.is_contended:
                POOL.release(acquired.pop(), True)
            return len(acquired)

        if not acquired:
            raise Empty
        self.workers = acquired
        return ParallelSearch([*acquired], order, GRACE_SECONDS, leave).search()

    def stop(self) -> None:
        self.stopped = True
        for worker in [*self.workers]:
            try:
                worker.send_line(STOP_LINE)
            except (OSError, ValueError):
                continue


def run_search_worker() -> None:
    """Serve searches from standard input until it ends. Any other line stops the running search."""
    lines: Queue[str] = Queue()
    Thread(target=pump_lines, args=(sys.stdin, lines), daemon=True).start()
    deals: PlayoutRunner | None = None

    def stop() -> bool:
        return not lines.empty()

    while line := lines.get():
        if line.strip() == STOP_LINE:  # The search had already ended.
            continue
        kind, payload = json.loads(line)
        if kind == BEGIN_REQUEST:
            deals = SearchRequest(*payload).make_runner()
            continue
        answer: object = None
        if kind == SINGLE:
            answer = SearchRequest(*payload).search(stop)
        elif kind == SLICE and deals is not None:
            answer = WorkSlice(*payload).play_out(deals, stop)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
