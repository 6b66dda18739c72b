"""Thinking in another process, so that nobody here has to wait for it: a line in, a line out."""

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

UNLIMITED_DEALS: Final = 1_000_000  # deals
DEALS_PER_SLICE: Final = 32  # deals that each plays out before it is heard: a few milliseconds, compiled
BEGIN_REQUEST: Final = "begin"  # what a thinker is told: to think about an order with others
SLICE: Final = "share"  # and to play its share of some deals out


class SearchRequest(NamedTuple):
    """What is to be thought about: the text of an imagined game, whose choice, between what, and for how long."""

    game: str
    seat: str
    candidates: list[int]
    seed: int
    seconds: float
    deals: int  # 0 for as many as there is time for

    def best(self, stop: Callable[[], bool]) -> int:
        """The best of the candidates, as one process finds it."""
        until = perf_counter() + self.seconds
        deals, time_is_up = (
            (self.deals, stop) if self.deals else (UNLIMITED_DEALS, lambda: perf_counter() > until or stop())
        )
        return search(Game.resume(self.game), self.seat, self.candidates, Random(self.seed), deals, time_is_up)[0]

    def sampled_deals(self) -> PlayoutRunner:
        """The deals to think about."""
        return PlayoutRunner(Game.resume(self.game), self.seat, Random(self.seed))


class WorkSlice(NamedTuple):
    """The part of one thinker: to go on to the `last` deal, and play every so many-th of them out."""

    candidates: list[int]
    last: int
    share: int
    shares: int
    seconds: float  # that are left; below 0, there is no limit

    def play(self, deals: PlayoutRunner, stop: Callable[[], bool]) -> list[list[float]]:
        """Play it."""
        until = perf_counter() + self.seconds
        limited = self.seconds >= 0

        def time_is_up() -> bool:
            return (limited and perf_counter() > until) or stop()

        return deals.run(self.candidates, self.last, time_is_up, self.share, self.shares)


class WorkerLink(Protocol):
    """A thinker, as its team knows it."""

    def send_line(self, line: str) -> None:
        """Send a line; an error if nobody is there."""

    def receive(self, patience: float | None) -> Any:
        """What it answers; an error if no answer comes in time."""


class ParallelSearch:
    """Thinkers at one thought. Those that are needed elsewhere can leave between two shares."""

    def __init__(self, mates: list[WorkerLink], order: SearchRequest, late: float, leave: Callable[[], int]) -> None:
        self.workers: Final = mates
        self.order: Final = order
        self.grace_seconds: Final = late  # seconds over their time after which they are given up
        self.release_extra: Final = leave  # how many may go on, asked after each share: the others have left
        self.until: Final = perf_counter() + order.seconds
        self.dealt = 0
        for mate in mates:
            mate.send_line(json.dumps([BEGIN_REQUEST, order]))

    def best(self) -> int:
        """The best of the candidates; an error if a thinker fails."""
        return run_race(self.order.candidates, self.order.deals or UNLIMITED_DEALS, self.play)[0]

    def play(self, candidates: list[int], last: int) -> list[list[float]]:
        """Go on to the `last` deal, together: a row for each, fewer when time is up or the thought is stopped."""
        rows: list[list[float]] = []
        while self.dealt < last and self.workers:
            upto = min(last, self.dealt + DEALS_PER_SLICE * len(self.workers))
            found = self._run_slices(candidates, upto)
            rows += found
            if len(found) < upto - self.dealt:
                break
            self.dealt = upto
            del self.workers[self.release_extra() :]
        return rows

    def _run_slices(self, candidates: list[int], last: int) -> list[list[float]]:
        """Let each play its share of the next deals; all their rows, in the order of the deals."""
        shares, timed = len(self.workers), not self.order.deals
        left = max(self.until - perf_counter(), 0.0) if timed else -1.0
        for nth, mate in enumerate(self.workers):
            mate.send_line(json.dumps([SLICE, WorkSlice(candidates, last, nth, shares, left)]))
        numbered: list[tuple[int, list[float]]] = []
        for nth, mate in enumerate(self.workers):
            first = self.dealt + (nth - self.dealt) % shares
            rows = mate.receive(left + self.grace_seconds if timed else None)
            numbered += [(first + place * shares, row) for place, row in enumerate(rows)]
        return [row for _, row in sorted(numbered)]


GRACE_SECONDS: Final = 5.0  # seconds over its time after which a thinker is given up
MIN_SECONDS: Final = 0.03  # seconds for a thought, if many want to think
MAX_WAITING_PER_WORKER: Final = 40  # thoughts for each thinker; if more are wanted, nobody thinks
SINGLE: Final = "alone"  # what a thinker is told: to find the best of an order by itself
STOP_LINE: Final = "stop"
WORKER_COMMAND: Final = "from argentum.bots.search.worker_pool import run_search_worker; run_search_worker()"


class SearchWorker:
    """Another process that thinks; it is started at once."""

    def __init__(self) -> None:
        self.process: Final = subprocess.Popen(
            [sys.executable, "-c", WORKER_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([path for path in sys.path if path])},
            start_new_session=True,  # whoever interrupts us does not interrupt it; it ends when its input does
        )
        self.lines: Final[Queue[str]] = Queue()
        self.lock: Final = Lock()
        Thread(target=pump_lines, args=(self.process.stdout, self.lines), daemon=True).start()

    def send_line(self, line: str) -> None:
        """Send a line; an error if nobody is there."""
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def receive(self, timeout: float | None) -> Any:
        """What it answers; an error if no answer comes in time."""
        return json.loads(self.lines.get(timeout=timeout))

    def terminate(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # something was left in it for a process that is gone
                    continue


def pump_lines(source: TextIO | None, lines: "Queue[str]") -> None:
    """Put the lines of a stream into a queue, and an empty one at its end."""
    assert source is not None
    try:
        for line in source:
            lines.put(line)
    except ValueError:  # it was closed
        pass
    lines.put("")


class WorkerPool:
    """The thinkers of this process: as many as there are cores to spare, each started when it is first needed."""

    def __init__(self, most: int) -> None:
        self.size = most
        self.reset()

    def grow(self, most: int) -> None:
        """Have so many thinkers at least."""
        for _ in range(self.size, most):
            self.free.put(None)
        self.size = max(self.size, most)

    def reset(self) -> None:
        """Begin with nobody; what a process that forked has inherited is not its own."""
        self.waiting_count = 0
        self.counting = Lock()
        self.all: set[SearchWorker] = set()
        self.free: Queue[SearchWorker | None] = Queue()
        for _ in range(self.size):
            self.free.put(None)  # one that is yet to be started

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Say that a bot waits for its turn to think, or thinks: the more there are, the less time each has."""
        with self.counting:
            self.waiting_count += 1
        try:
            yield
        finally:
            with self.counting:
                self.waiting_count -= 1

    @property
    def is_overloaded(self) -> bool:
        """Whether so many want to think that nobody should."""
        return self.waiting_count > MAX_WAITING_PER_WORKER * self.size

    def time_share(self, seconds: float) -> float:
        """How long a thought may take of the seconds that it would like."""
        return min(seconds, max(MIN_SECONDS, seconds * self.size / max(self.size, self.waiting_count)))

    @property
    def is_contended(self) -> bool:
        """Whether several bots want to think, so that none may have more than one thinker."""
        return self.waiting_count > 1

    def acquire_more(self, most: int) -> list[SearchWorker]:
        """Up to so many thinkers that have nothing to do, if nobody else waits for one."""
        found: list[SearchWorker] = []
        try:
            while len(found) < most and not self.is_contended:
                found.append(self.acquire(0.0))
        except (OSError, Empty):
            return found
        return found

    def acquire(self, patience: float) -> SearchWorker:
        """A thinker that has nothing to do; an error if none is free in time."""
        thinker = self.free.get(block=patience > 0, timeout=patience)
        try:
            if thinker is None or thinker.process.poll() is not None:
                self.discard(thinker)
                thinker = SearchWorker()
                self.all.add(thinker)
        except OSError:
            self.free.put(None)
            raise
        return thinker

    def release(self, worker: SearchWorker, healthy: bool) -> None:
        """A thinker is free again; one that failed is replaced when it is next needed."""
        if not healthy:
            self.discard(worker)
        self.free.put(worker if healthy else None)

    def discard(self, thinker: SearchWorker | None) -> None:
        """End a thinker, if there is one."""
        if thinker is not None:
            self.all.discard(thinker)
            thinker.terminate()

    def shutdown(self) -> None:
        """End all thinkers."""
        for thinker in list(self.all):
            self.discard(thinker)


# Several processes of one server share the cores, and are told how many thinkers each may have.
POOL: Final = WorkerPool(int(os.environ.get("ARGENTUM_THINKERS") or max((os.cpu_count() or 2) - 1, 1)))
atexit.register(POOL.shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.reset)


class SearchTask:
    """One bot's thinking, elsewhere; it can be stopped from another thread."""

    def __init__(self) -> None:
        self.workers: list[SearchWorker] = []  # that have an order of ours
        self.stopped = False

    def best(self, order: SearchRequest, processes: int) -> int:
        """The best of an order's candidates: by one process and with a number of deals, it is found here and now."""
        here = order.deals and processes == 1
        return order.best(lambda: False) if here else self.run(order, processes)

    def run(self, order: SearchRequest, processes: int = 1) -> int:
        """The best of an order's candidates; the first, if anything fails.

        Up to so many thinkers share the work while nobody else wants one. If the number of deals is given, and they are
        busy or fail, it is done here.
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
            found = self._run_single(order, acquired[0]) if processes == 1 else self._run_parallel(order, acquired)
            healthy = True
        except (OSError, Empty, ValueError):
            return order.best(lambda: self.stopped) if order.deals and processes > 1 else order.candidates[0]
        finally:
            self.workers = []
            for thinker in acquired:
                POOL.release(thinker, healthy)
        return found

    def _run_single(self, order: SearchRequest, thinker: SearchWorker) -> int:
        """Let one think."""
        thinker.send_line(json.dumps([SINGLE, order]))
        self.workers = [thinker]
        return int(thinker.receive(order.seconds + GRACE_SECONDS))

    def _run_parallel(self, order: SearchRequest, acquired: list[SearchWorker]) -> int:
        """Let several think together; those that others wait for are given back as they go."""

        def leave() -> int:
            if self.stopped:
                return 0
            while len(acquired) > 1 and POOL.is_contended:
                POOL.release(acquired.pop(), True)
            return len(acquired)

        if not acquired:
            raise Empty
        self.workers = acquired
        return ParallelSearch([*acquired], order, GRACE_SECONDS, leave).best()

    def stop(self) -> None:
        """Come to an end at once."""
        self.stopped = True
        for thinker in [*self.workers]:
            try:
                thinker.send_line(STOP_LINE)
            except (OSError, ValueError):
                continue


def run_search_worker() -> None:
    """Think about what comes in, line by line, until nothing does; any other line is to stop."""
    lines: Queue[str] = Queue()
    Thread(target=pump_lines, args=(sys.stdin, lines), daemon=True).start()
    deals: PlayoutRunner | None = None

    def stop() -> bool:
        return not lines.empty()

    while line := lines.get():
        if line.strip() == STOP_LINE:  # it came too late
            continue
        kind, payload = json.loads(line)
        if kind == BEGIN_REQUEST:
            deals = SearchRequest(*payload).sampled_deals()
            continue
        answer: object = None
        if kind == SINGLE:
            answer = SearchRequest(*payload).best(stop)
        elif kind == SLICE and deals is not None:
            answer = WorkSlice(*payload).play(deals, stop)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
