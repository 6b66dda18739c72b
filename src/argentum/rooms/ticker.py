"""A table's own task: it does what is due, and waits until something else is, or until it is stirred."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from argentum.display.errors import Stale
from argentum.rooms.log.databases import LogError

logger = logging.getLogger(__name__)
STUMBLE = 5.0  # seconds until a table that stumbled tries again


class Pulse:
    """Beats for as long as somebody is there.

    A beat returns how long until the next is due; None: until something happens.
    """

    def __init__(self, name: str, beat: Callable[[], Awaitable[float | None]], needed: Callable[[], bool]) -> None:
        self.name = name
        self.beat = beat
        self.needed = needed
        self.stirred = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def stir(self) -> None:
        """Something happened: have a look."""
        self.stirred.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._keep_going(), name=f"table {self.name}")

    async def _keep_going(self) -> None:
        while self.needed():
            self.stirred.clear()
            try:
                wait = await self.beat()
            except Stale:
                wait = 0.0
            except LogError as error:
                logger.error("table %s waits, as nothing can be saved: %s", self.name, error)
                wait = STUMBLE
            except Exception:
                logger.exception("table %s stumbled", self.name)
                wait = STUMBLE
            if wait is None:
                await self.stirred.wait()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # (wait_for, in Python 3.11, may swallow that the table is closed)
                    await self.stirred.wait()

    async def close(self) -> None:
        """Stop."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
