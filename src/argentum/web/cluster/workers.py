"""Worker processes that share one listening socket, each a member of the cluster on the same database."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from ctypes import c_double
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from types import FrameType
from typing import Any

from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError, is_postgres
from argentum.web.cluster.inner import nth_address
from argentum.web.server.run import announce, serve
from argentum.web.settings import BadSetting, Settings

NEEDS_POSTGRES = (
    "--workers needs PostgreSQL: an SQLite file is for one process. Use --database postgresql://user@host/name."
)
STOP_WITHIN = 20.0  # seconds
START_WITHIN = 60.0
PAUSE = 1.0  # seconds before a crashed worker is replaced
LOOK = 0.2  # seconds between checks
STILL = 4.0  # seconds without a sign of life before a worker is killed; by then others may claim its tables
SIGNALS = [signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]  # not on Windows
logger = logging.getLogger(__name__)
SPAWN = multiprocessing.get_context(
    "spawn"
)  # A new process loads the program from disk, so after an update the new one.


@dataclass
class Worker:
    process: SpawnProcess
    ready: Event
    alive: c_double  # monotonic time of the last sign of life; without a lock, which a frozen worker might hold

    def stop(self) -> None:
        if self.process.is_alive():
            self.process.terminate()

    def end(self) -> None:
        """Wait for the process to exit, and kill it after `STOP_WITHIN` seconds."""
        self.process.join(STOP_WITHIN)
        self.process.kill()
        self.process.join()


class Workers:
    """Supervise the worker processes: restart those that crash, and kill those that freeze."""

    def __init__(
        self,
        host: str,
        port: int,
        database: str,
        pace: Timing,
        limits: Limits,
        settings: Settings,
        say: Callable[[str], None],
    ) -> None:
        if not is_postgres(database):
            raise BadSetting(NEEDS_POSTGRES)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listening = socket.create_server((host, port), family=family)
        self.limits, self.settings = limits, settings
        self.args = (host, port, database, pace)
        self.say = say
        self.workers: list[Worker] = []
        self.stopping = False
        self.renewing = False

    def run(self) -> None:
        """Serve until stopped. SIGTERM and SIGINT stop all workers; SIGHUP restarts them one by one."""
        old = {number: signal.signal(number, self._signalled) for number in SIGNALS}
        os.environ["ARGENTUM_SEARCH_WORKERS"] = str(max(1, ((os.cpu_count() or 2) - 1) // self.settings.workers))
        try:
            self.workers = [self._start(index) for index in range(self.settings.workers)]
            for worker in self.workers:
                self._await(worker)
            announce(*self.args[:2], self.limits, self.settings, self.say)
            self._look_after()
        finally:
            for worker in self.workers:
                worker.stop()
            for worker in self.workers:
                worker.end()
            for number, handler in old.items():
                signal.signal(number, handler)

    def _signalled(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (the signature of signal handlers)
        if number in (signal.SIGTERM, signal.SIGINT):
            self.stopping = True
        else:
            self.renewing = True

    def _start(self, index: int) -> Worker:
        ready, alive = SPAWN.Event(), SPAWN.RawValue(c_double, time.monotonic())
        settings = replace(self.settings, internal_address=nth_address(self.settings.internal_address, index))
        args = (self.listening, self.args, self.limits, settings, ready, alive)
        process = SPAWN.Process(target=_work, args=args, name=f"argentum worker {index}")
        process.start()
        return Worker(process, ready, alive)

    def _await(self, worker: Worker) -> None:
        """Wait until a worker is ready; raise `LogError` if it exits or takes longer than `START_WITHIN` seconds."""
        until = time.monotonic() + START_WITHIN
        while not worker.ready.wait(0.1):
            if self.stopping:
                return
            if not worker.process.is_alive() or time.monotonic() > until:
                raise LogError("a worker could not start")

    def _look_after(self) -> None:
        awake = looked = time.monotonic()
        while not self.stopping:
            wait([worker.process.sentinel for worker in self.workers], timeout=LOOK)
            before, looked = looked, time.monotonic()
            awake = looked if looked - before > 5 * LOOK else awake  # the machine may have been suspended
            self._end_frozen(looked, awake)
            for index, worker in enumerate(self.workers):
                if not worker.process.is_alive() and not self.stopping:
                    logger.error("worker %s ended with status %s, and is started again", index, worker.process.exitcode)
                    time.sleep(PAUSE)
                    self.workers[index] = self._start(index)
            if self.renewing:
                self.renewing = False
                self._renew()

    def _end_frozen(self, now: float, awake: float) -> None:
        """Kill workers that have not updated `alive` for `STILL` seconds, so that their players can reconnect."""
        for index, worker in enumerate(self.workers):
            frozen = worker.ready.is_set() and now - max(worker.alive.value, awake) > STILL
            if frozen and worker.process.is_alive():
                logger.error("worker %s has stood still for %s seconds, and is ended", index, STILL)
                worker.process.kill()

    def _renew(self) -> None:
        for index, worker in enumerate(self.workers):
            worker.stop()
            worker.end()
            self.workers[index] = self._start(index)
            self._await(self.workers[index])


def _work(
    listening: socket.socket,
    args: tuple[Any, ...],
    limits: Limits,
    settings: Settings,
    ready: Event,
    alive: c_double,
) -> None:
    """Main function of a worker process. It sets `ready` when it serves, and exits with its parent."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threading.Thread(target=_stay_alive, args=[alive], daemon=True).start()
    host, port, database, pace = args
    try:
        serve(host, port, database, lambda _: ready.set(), False, pace, limits, settings, listening)
    except (OSError, LogError, BadSetting) as error:
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:
        pass


def _stay_alive(alive: c_double) -> None:
    while True:
        alive.value = time.monotonic()
        time.sleep(LOOK)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
