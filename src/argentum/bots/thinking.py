"""Thinking in another process, so that nobody here has to wait for it: a line in, a line out."""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from queue import Empty, Queue
from random import Random
from threading import Lock, Thread
from time import perf_counter
from typing import Final, NamedTuple, TextIO

from argentum.bots.search import search
from argentum.rules.game import Game

LATE: Final = 5.0  # seconds over its time after which a thinker is given up
ENDLESS: Final = 1_000_000  # deals
LEAST: Final = 0.03  # seconds for a thought, if many want to think
MOST_WANTED: Final = 40  # thoughts for each thinker; if more are wanted, nobody thinks
STOP: Final = "stop"
COMMAND: Final = "from argentum.bots.thinking import serve; serve()"


class Order(NamedTuple):
    """What is to be thought about: the text of an imagined game, whose choice, between what, and for how long."""

    game: str
    seat: str
    candidates: list[int]
    seed: int
    seconds: float
    deals: int  # 0 for as many as there is time for
    network: str = ""  # the file of one that plays on; else quick players do

    def best(self, stop: Callable[[], bool]) -> int:
        """The best of the candidates."""
        until = perf_counter() + self.seconds
        deals, time_is_up = (self.deals, stop) if self.deals else (ENDLESS, lambda: perf_counter() > until or stop())
        look: Callable[..., tuple[int, int]] = search
        if self.network:  # by name: the compiled build reads what is imported, and a network needs a lot
            look = partial(import_module("argentum.bots.foresight").search, self.network)
        return look(Game.resume(self.game), self.seat, self.candidates, Random(self.seed), deals, time_is_up)[0]


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

    def answer(self, patience: float) -> int:
        """The move that it answers with; an error if no answer comes in time."""
        return int(self.lines.get(timeout=patience))

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
        self.most: Final = most
        self.gather()

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

    def hire(self, patience: float) -> Thinker:
        """A thinker that has nothing to do; an error if none is free in time."""
        thinker = self.free.get(timeout=patience)
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
        self.thinker: Thinker | None = None  # that has an order of ours

    def think(self, order: Order) -> int:
        """The best of an order's candidates; the first, if anything fails."""
        if CREW.overrun:
            return order.candidates[0]
        order = order._replace(seconds=CREW.time_for(order.seconds))
        try:
            thinker = CREW.hire(order.seconds)
        except (OSError, Empty):
            return order.candidates[0]
        well = False
        try:
            thinker.tell(json.dumps(order))
            self.thinker = thinker
            best = thinker.answer(order.seconds + LATE)
            well = True
        except (OSError, Empty, ValueError):
            best = order.candidates[0]
        finally:
            self.thinker = None
            CREW.give_back(thinker, well)
        return best

    def stop(self) -> None:
        """Come to an end at once."""
        thinker = self.thinker
        if thinker is not None:
            try:
                thinker.tell(STOP)
            except (OSError, ValueError):
                return


def serve() -> None:
    """Think about what comes in, line by line, until nothing does; any other line is to stop."""
    lines: Queue[str] = Queue()
    Thread(target=pass_on, args=(sys.stdin, lines), daemon=True).start()
    while line := lines.get():
        if line.strip() != STOP:  # else it came too late
            sys.stdout.write(f"{Order(*json.loads(line)).best(lambda: not lines.empty())}\n")
            sys.stdout.flush()
