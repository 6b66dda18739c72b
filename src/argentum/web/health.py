"""Whether anything can be saved: what /health and /ready tell, and why."""

import asyncio
from math import inf
from time import monotonic

from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Journal

CHECK_INTERVAL, HEALTH_TIMEOUT = 1.0, 2.0  # seconds
READY_TIMEOUT = 0.5  # seconds within which a proxy has its answer
GRACE_SECONDS = 4.0  # seconds; a restart of PostgreSQL is shorter
NO_ANSWER = "the database does not answer"


class DatabaseHealth:
    """Asks the log; however many want to know, once a second."""

    def __init__(self, log: Journal) -> None:
        self.log = log
        self._asking: asyncio.Task[str] | None = None
        self._asked = 0.0
        self._failing = inf  # since when nothing can be saved

    async def problem(self) -> str:
        """Why nothing can be saved now, or an empty string."""
        asking = self._ask()
        done, _ = await asyncio.wait([asking], timeout=HEALTH_TIMEOUT)
        return asking.result() if done else NO_ANSWER

    async def lasting_problem(self) -> str:
        """The same, once it has lasted for a while.

        Players whose move could not be saved are told, and try again: nobody should send them away for less.
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
