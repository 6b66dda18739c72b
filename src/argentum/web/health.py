"""Check whether the database can be written, for /health and /ready."""

import asyncio
from math import inf
from time import monotonic

from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Journal

CHECK_INTERVAL, HEALTH_TIMEOUT = 1.0, 2.0  # seconds
READY_TIMEOUT = 0.5  # seconds, as a proxy waits for the answer
GRACE_SECONDS = 4.0  # seconds, longer than a restart of PostgreSQL
NO_ANSWER = "the database does not answer"


class DatabaseHealth:
    """Pings the database at most once per second, however many requests ask."""

    def __init__(self, log: Journal) -> None:
        self.log = log
        self._asking: asyncio.Task[str] | None = None
        self._asked = 0.0
        self._failing = inf  # start of the current outage

    async def problem(self) -> str:
        """The reason why nothing can be saved now; empty if all is well."""
        asking = self._ask()
        done, _ = await asyncio.wait([asking], timeout=HEALTH_TIMEOUT)
        return asking.result() if done else NO_ANSWER

    async def lasting_problem(self) -> str:
        """The reason of an outage that has lasted for GRACE_SECONDS; else empty.

        In a shorter outage players retry their moves, so a proxy should not send them elsewhere.
        """
        asking = self._ask()
        done, _ = await asyncio.wait([asking], timeout=READY_TIMEOUT)
        since = self._failing if done else min(self._failing, self._asked)
        if monotonic() - since < GRACE_SECONDS:
            return ""
        return asking.result() if done else NO_ANSWER

    def _ask(self) -> asyncio.Task[str]:
        if self._asking is None or (self._asking.done() and monotonic() - self._asked > CHECK_INTERVAL):
            self._asking, self._asked = asyncio.create_task(self._answer()), monotonic()
        return self._asking

    async def _answer(self) -> str:
        try:
            await asyncio.to_thread(self.log.ping)
        except LogError as error:
            self._failing = min(self._failing, self._asked)
            return str(error)
        self._failing = inf
        return ""
