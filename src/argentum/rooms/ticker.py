"""The background task of a room: runs due work, then sleeps until the next deadline or until it is woken."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from argentum.display.errors import Stale
from argentum.rooms.log.databases import LogError

logger = logging.getLogger(__name__)
RETRY_SECONDS = 5.0  # seconds until a table that stumbled tries again


class Ticker:
    """Run `tick` again and again for as long as `is_needed` says so.

    `tick` returns the number of seconds until it wants to run again, or None to sleep until `wake` is called.
    """

    def __init__(self, name: str, beat: Callable[[], Awaitable[float | None]], needed: Callable[[], bool]) -> None:
        self.name = name
        self.tick = beat
        self.is_needed = needed
        self.woken = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Run `tick` soon, starting the task if it is not running."""
        self.woken.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._run(), name=f"table {self.name}")

    async def _run(self) -> None:
        while self.is_needed():
            self.woken.clear()
            try:
                wait = await self.tick()
            except Stale:
                wait = 0.0
            except LogError as error:
                logger.error("table %s waits, as nothing can be saved: %s", self.name, error)
                wait = RETRY_SECONDS
            except Exception:
                logger.exception("table %s stumbled", self.name)
                wait = RETRY_SECONDS
            if wait is None:
                await self.woken.wait()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # (wait_for, in Python 3.11, may swallow that the table is closed)
                    await self.woken.wait()

    async def close(self) -> None:
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
