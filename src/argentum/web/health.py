"""Checks whether the database can be written, for /health and /ready."""

import asyncio
from math import inf
from time import monotonic

from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Journal

CHECK_INTERVAL = 1.0  # seconds between the starts of two pings
HEALTH_TIMEOUT = 2.0  # seconds
READY_TIMEOUT = 0.5  # seconds; shorter than the timeout of a proxy's check
GRACE_SECONDS = 4.0  # longer than a restart of PostgreSQL
NO_ANSWER = "the database does not answer"


class DatabaseHealth:
    """Reports whether the database works. It is pinged at most once per second, however many requests ask."""

    def __init__(self, log: Journal) -> None:
        self.log = log
        self._ping: asyncio.Task[str] | None = None
        self._pinged_at = 0.0
        self._failing_since = inf  # time of the first failed ping; infinite while the database works

    async def problem(self) -> str:
        """Return why the database cannot be written now; empty if it can."""
        ping = self._current_ping()
        done, _ = await asyncio.wait([ping], timeout=HEALTH_TIMEOUT)
        return ping.result() if done else NO_ANSWER

    async def lasting_problem(self) -> str:
        """Return why the database has been unavailable for GRACE_SECONDS or longer; empty if it has not.

        In a shorter outage players retry their moves, so a proxy should not send them elsewhere.
        """
        ping = self._current_ping()
        done, _ = await asyncio.wait([ping], timeout=READY_TIMEOUT)
        since = self._failing_since if done else min(self._failing_since, self._pinged_at)
        if monotonic() - since < GRACE_SECONDS:
            return ""
        return ping.result() if done else NO_ANSWER

    def _current_ping(self) -> asyncio.Task[str]:
        """Return the running ping, or the last one if it is not older than CHECK_INTERVAL; else start one."""
        if self._ping is None or (self._ping.done() and monotonic() - self._pinged_at > CHECK_INTERVAL):
            self._ping, self._pinged_at = asyncio.create_task(self._run_ping()), monotonic()
        return self._ping

    async def _run_ping(self) -> str:
        try:
            await asyncio.to_thread(self.log.ping)
        except LogError as error:
            self._failing_since = min(self._failing_since, self._pinged_at)
            return str(error)
        self._failing_since = inf
        return ""
