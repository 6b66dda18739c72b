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
from argentum.web.cluster.internal_server import worker_address
from argentum.web.server.run import announce, serve
from argentum.web.settings import BadSetting, Settings

NEEDS_POSTGRES = (
    "--workers needs PostgreSQL: an SQLite file is for one process. Use --database postgresql://user@host/name."
)
STOP_TIMEOUT = 20.0  # seconds
START_TIMEOUT = 60.0
RESTART_DELAY = 1.0  # seconds before a crashed worker is replaced
CHECK_INTERVAL = 0.2  # seconds between checks
FREEZE_TIMEOUT = 4.0  # seconds without an update of `alive` until a worker is killed; others may then claim its tables
SIGNALS = [signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]  # not on Windows
logger = logging.getLogger(__name__)
SPAWN = multiprocessing.get_context(
    "spawn"
)  # A new process loads the program from disk, so after an update the new one.


@dataclass
class Worker:
    process: SpawnProcess
    ready: Event
    alive: c_double  # monotonic time of the last update; without a lock, which a frozen worker might hold

    def stop(self) -> None:
        if self.process.is_alive():
            self.process.terminate()

    def join(self) -> None:
        """Wait for the process to exit; kill it after `STOP_TIMEOUT` seconds."""
        self.process.join(STOP_TIMEOUT)
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
        self.listener = socket.create_server((host, port), family=family)
        self.limits, self.settings = limits, settings
        self.args = (host, port, database, pace)
        self.say = say
        self.workers: list[Worker] = []
        self.stopping = False
        self.restarting = False

    def run(self) -> None:
        """Serve until stopped. SIGTERM and SIGINT stop all workers; SIGHUP restarts them one by one."""
        old = {number: signal.signal(number, self._handle_signal) for number in SIGNALS}
        os.environ["ARGENTUM_SEARCH_WORKERS"] = str(max(1, ((os.cpu_count() or 2) - 1) // self.settings.workers))
        try:
            self.workers = [self._start(index) for index in range(self.settings.workers)]
            for worker in self.workers:
                self._wait_until_ready(worker)
            announce(*self.args[:2], self.limits, self.settings, self.say)
            self._supervise()
        finally:
            for worker in self.workers:
                worker.stop()
            for worker in self.workers:
                worker.join()
            for number, handler in old.items():
                signal.signal(number, handler)

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (the signature of signal handlers)
        if number in (signal.SIGTERM, signal.SIGINT):
            self.stopping = True
        else:
            self.restarting = True

    def _start(self, index: int) -> Worker:
        ready, alive = SPAWN.Event(), SPAWN.RawValue(c_double, time.monotonic())
        settings = replace(self.settings, internal_address=worker_address(self.settings.internal_address, index))
        args = (self.listener, self.args, self.limits, settings, ready, alive)
        process = SPAWN.Process(target=_run_worker, args=args, name=f"argentum worker {index}")
        process.start()
        return Worker(process, ready, alive)

    def _wait_until_ready(self, worker: Worker) -> None:
        """Wait until a worker is ready; raise `LogError` if it exits or takes longer than `START_TIMEOUT` seconds."""
        until = time.monotonic() + START_TIMEOUT
        while not worker.ready.wait(0.1):
            if self.stopping:
                return
            if not worker.process.is_alive() or time.monotonic() > until:
                raise LogError("a worker could not start")

    def _supervise(self) -> None:
        running_since = checked_at = time.monotonic()
        while not self.stopping:
            wait([worker.process.sentinel for worker in self.workers], timeout=CHECK_INTERVAL)
            previous_check, checked_at = checked_at, time.monotonic()
            if checked_at - previous_check > 5 * CHECK_INTERVAL:  # the machine may have been suspended
                running_since = checked_at
            self._kill_frozen(checked_at, running_since)
            for index, worker in enumerate(self.workers):
                if not worker.process.is_alive() and not self.stopping:
                    logger.error("worker %s exited with status %s and is restarted", index, worker.process.exitcode)
                    time.sleep(RESTART_DELAY)
                    self.workers[index] = self._start(index)
            if self.restarting:
                self.restarting = False
                self._restart_all()

    def _kill_frozen(self, now: float, running_since: float) -> None:
        """Kill workers that have not updated `alive` within `FREEZE_TIMEOUT`, so that their players can reconnect."""
        for index, worker in enumerate(self.workers):
            frozen = worker.ready.is_set() and now - max(worker.alive.value, running_since) > FREEZE_TIMEOUT
            if frozen and worker.process.is_alive():
                logger.error("worker %s has been frozen for %s seconds and will be killed", index, FREEZE_TIMEOUT)
                worker.process.kill()

    def _restart_all(self) -> None:
        for index, worker in enumerate(self.workers):
            worker.stop()
            worker.join()
            self.workers[index] = self._start(index)
            self._wait_until_ready(self.workers[index])


def _run_worker(
    listener: socket.socket,
    args: tuple[Any, ...],
    limits: Limits,
    settings: Settings,
    ready: Event,
    alive: c_double,
) -> None:
    """Main function of a worker process. Set `ready` once the server accepts connections; exit with the parent."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    threading.Thread(target=_update_alive, args=[alive], daemon=True).start()
    host, port, database, pace = args
    try:
        serve(host, port, database, lambda _: ready.set(), False, pace, limits, settings, listener)
    except (OSError, LogError, BadSetting) as error:
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:
        pass


def _update_alive(alive: c_double) -> None:
    while True:
        alive.value = time.monotonic()
        time.sleep(CHECK_INTERVAL)


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
