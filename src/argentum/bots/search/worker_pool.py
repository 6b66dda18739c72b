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

from argentum.bots.search.racing import Deals, run, search
from argentum.rules.game import Game

ENDLESS: Final = 1_000_000  # deals
AT_ONCE: Final = 32  # deals that each plays out before it is heard: a few milliseconds, compiled
BEGIN: Final = "begin"  # what a thinker is told: to think about an order with others
SHARE: Final = "share"  # and to play its share of some deals out


class Order(NamedTuple):
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
        deals, time_is_up = (self.deals, stop) if self.deals else (ENDLESS, lambda: perf_counter() > until or stop())
        return search(Game.resume(self.game), self.seat, self.candidates, Random(self.seed), deals, time_is_up)[0]

    def imagine(self) -> Deals:
        """The deals to think about."""
        return Deals(Game.resume(self.game), self.seat, Random(self.seed))


class Share(NamedTuple):
    """The part of one thinker: to go on to the `last` deal, and play every so many-th of them out."""

    candidates: list[int]
    last: int
    share: int
    shares: int
    seconds: float  # that are left; below 0, there is no limit

    def play(self, deals: Deals, stop: Callable[[], bool]) -> list[list[float]]:
        """Play it."""
        until = perf_counter() + self.seconds
        limited = self.seconds >= 0

        def time_is_up() -> bool:
            return (limited and perf_counter() > until) or stop()

        return deals.play(self.candidates, self.last, time_is_up, self.share, self.shares)


class Mate(Protocol):
    """A thinker, as its team knows it."""

    def tell(self, line: str) -> None:
        """Send a line; an error if nobody is there."""

    def hear(self, patience: float | None) -> Any:
        """What it answers; an error if no answer comes in time."""


class Team:
    """Thinkers at one thought. Those that are needed elsewhere can leave between two shares."""

    def __init__(self, mates: list[Mate], order: Order, late: float, leave: Callable[[], int]) -> None:
        self.mates: Final = mates
        self.order: Final = order
        self.late: Final = late  # seconds over their time after which they are given up
        self.leave: Final = leave  # how many may go on, asked after each share: the others have left
        self.until: Final = perf_counter() + order.seconds
        self.dealt = 0
        for mate in mates:
            mate.tell(json.dumps([BEGIN, order]))

    def best(self) -> int:
        """The best of the candidates; an error if a thinker fails."""
        return run(self.order.candidates, self.order.deals or ENDLESS, self.play)[0]

    def play(self, candidates: list[int], last: int) -> list[list[float]]:
        """Go on to the `last` deal, together: a row for each, fewer when time is up or the thought is stopped."""
        rows: list[list[float]] = []
        while self.dealt < last and self.mates:
            upto = min(last, self.dealt + AT_ONCE * len(self.mates))
            found = self._share_out(candidates, upto)
            rows += found
            if len(found) < upto - self.dealt:
                break
            self.dealt = upto
            del self.mates[self.leave() :]
        return rows

    def _share_out(self, candidates: list[int], last: int) -> list[list[float]]:
        """Let each play its share of the next deals; all their rows, in the order of the deals."""
        shares, timed = len(self.mates), not self.order.deals
        left = max(self.until - perf_counter(), 0.0) if timed else -1.0
        for nth, mate in enumerate(self.mates):
            mate.tell(json.dumps([SHARE, Share(candidates, last, nth, shares, left)]))
        numbered: list[tuple[int, list[float]]] = []
        for nth, mate in enumerate(self.mates):
            first = self.dealt + (nth - self.dealt) % shares
            rows = mate.hear(left + self.late if timed else None)
            numbered += [(first + place * shares, row) for place, row in enumerate(rows)]
        return [row for _, row in sorted(numbered)]


LATE: Final = 5.0  # seconds over its time after which a thinker is given up
LEAST: Final = 0.03  # seconds for a thought, if many want to think
MOST_WANTED: Final = 40  # thoughts for each thinker; if more are wanted, nobody thinks
ALONE: Final = "alone"  # what a thinker is told: to find the best of an order by itself
STOP: Final = "stop"
COMMAND: Final = "from argentum.bots.search.worker_pool import serve; serve()"


class Thinker:
    """Another process that thinks; it is started at once."""

    def __init__(self) -> None:
        self.process: Final = subprocess.Popen(
            [sys.executable, "-c", COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([path for path in sys.path if path])},
            start_new_session=True,  # whoever interrupts us does not interrupt it; it ends when its input does
        )
        self.lines: Final[Queue[str]] = Queue()
        self.lock: Final = Lock()
        Thread(target=pass_on, args=(self.process.stdout, self.lines), daemon=True).start()

    def tell(self, line: str) -> None:
        """Send a line; an error if nobody is there."""
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def hear(self, patience: float | None) -> Any:
        """What it answers; an error if no answer comes in time."""
        return json.loads(self.lines.get(timeout=patience))

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # something was left in it for a process that is gone
                    continue


def pass_on(source: TextIO | None, lines: "Queue[str]") -> None:
    """Put the lines of a stream into a queue, and an empty one at its end."""
    assert source is not None
    try:
        for line in source:
            lines.put(line)
    except ValueError:  # it was closed
        pass
    lines.put("")


class Crew:
    """The thinkers of this process: as many as there are cores to spare, each started when it is first needed."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.gather()

    def grow(self, most: int) -> None:
        """Have so many thinkers at least."""
        for _ in range(self.most, most):
            self.free.put(None)
        self.most = max(self.most, most)

    def gather(self) -> None:
        """Begin with nobody; what a process that forked has inherited is not its own."""
        self.wanted = 0
        self.counting = Lock()
        self.all: set[Thinker] = set()
        self.free: Queue[Thinker | None] = Queue()
        for _ in range(self.most):
            self.free.put(None)  # one that is yet to be started

    @contextmanager
    def wanting(self) -> Iterator[None]:
        """Say that a bot waits for its turn to think, or thinks: the more there are, the less time each has."""
        with self.counting:
            self.wanted += 1
        try:
            yield
        finally:
            with self.counting:
                self.wanted -= 1

    @property
    def overrun(self) -> bool:
        """Whether so many want to think that nobody should."""
        return self.wanted > MOST_WANTED * self.most

    def time_for(self, seconds: float) -> float:
        """How long a thought may take of the seconds that it would like."""
        return min(seconds, max(LEAST, seconds * self.most / max(self.most, self.wanted)))

    @property
    def crowded(self) -> bool:
        """Whether several bots want to think, so that none may have more than one thinker."""
        return self.wanted > 1

    def hire_more(self, most: int) -> list[Thinker]:
        """Up to so many thinkers that have nothing to do, if nobody else waits for one."""
        found: list[Thinker] = []
        try:
            while len(found) < most and not self.crowded:
                found.append(self.hire(0.0))
        except (OSError, Empty):
            return found
        return found

    def hire(self, patience: float) -> Thinker:
        """A thinker that has nothing to do; an error if none is free in time."""
        thinker = self.free.get(block=patience > 0, timeout=patience)
        try:
            if thinker is None or thinker.process.poll() is not None:
                self.forget(thinker)
                thinker = Thinker()
                self.all.add(thinker)
        except OSError:
            self.free.put(None)
            raise
        return thinker

    def give_back(self, thinker: Thinker, well: bool) -> None:
        """A thinker is free again; one that failed is replaced when it is next needed."""
        if not well:
            self.forget(thinker)
        self.free.put(thinker if well else None)

    def forget(self, thinker: Thinker | None) -> None:
        """End a thinker, if there is one."""
        if thinker is not None:
            self.all.discard(thinker)
            thinker.end()

    def dismiss(self) -> None:
        """End all thinkers."""
        for thinker in list(self.all):
            self.forget(thinker)


# Several processes of one server share the cores, and are told how many thinkers each may have.
CREW: Final = Crew(int(os.environ.get("ARGENTUM_THINKERS") or max((os.cpu_count() or 2) - 1, 1)))
atexit.register(CREW.dismiss)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=CREW.gather)


class Thought:
    """One bot's thinking, elsewhere; it can be stopped from another thread."""

    def __init__(self) -> None:
        self.thinkers: list[Thinker] = []  # that have an order of ours
        self.stopped = False

    def best(self, order: Order, processes: int) -> int:
        """The best of an order's candidates: by one process and with a number of deals, it is found here and now."""
        here = order.deals and processes == 1
        return order.best(lambda: False) if here else self.think(order, processes)

    def think(self, order: Order, processes: int = 1) -> int:
        """The best of an order's candidates; the first, if anything fails.

        Up to so many thinkers share the work while nobody else wants one. If the number of deals is given, and they are
        busy or fail, it is done here.
        """
        if CREW.overrun:
            return order.candidates[0]
        self.stopped = False
        order = order._replace(seconds=CREW.time_for(order.seconds))
        try:
            hired = [] if order.deals and processes > 1 else [CREW.hire(order.seconds)]
        except (OSError, Empty):
            return order.candidates[0]
        hired += CREW.hire_more(processes - len(hired))
        well = False
        try:
            found = self._alone(order, hired[0]) if processes == 1 else self._together(order, hired)
            well = True
        except (OSError, Empty, ValueError):
            return order.best(lambda: self.stopped) if order.deals and processes > 1 else order.candidates[0]
        finally:
            self.thinkers = []
            for thinker in hired:
                CREW.give_back(thinker, well)
        return found

    def _alone(self, order: Order, thinker: Thinker) -> int:
        """Let one think."""
        thinker.tell(json.dumps([ALONE, order]))
        self.thinkers = [thinker]
        return int(thinker.hear(order.seconds + LATE))

    def _together(self, order: Order, hired: list[Thinker]) -> int:
        """Let several think together; those that others wait for are given back as they go."""

        def leave() -> int:
            if self.stopped:
                return 0
            while len(hired) > 1 and CREW.crowded:
                CREW.give_back(hired.pop(), True)
            return len(hired)

        if not hired:
            raise Empty
        self.thinkers = hired
        return Team([*hired], order, LATE, leave).best()

    def stop(self) -> None:
        """Come to an end at once."""
        self.stopped = True
        for thinker in [*self.thinkers]:
            try:
                thinker.tell(STOP)
            except (OSError, ValueError):
                continue


def serve() -> None:
    """Think about what comes in, line by line, until nothing does; any other line is to stop."""
    lines: Queue[str] = Queue()
    Thread(target=pass_on, args=(sys.stdin, lines), daemon=True).start()
    deals: Deals | None = None

    def stop() -> bool:
        return not lines.empty()

    while line := lines.get():
        if line.strip() == STOP:  # it came too late
            continue
        kind, told = json.loads(line)
        if kind == BEGIN:
            deals = Order(*told).imagine()
            continue
        answer: object = None
        if kind == ALONE:
            answer = Order(*told).best(stop)
        elif kind == SHARE and deals is not None:
            answer = Share(*told).play(deals, stop)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
