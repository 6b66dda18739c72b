"""Helpers for tests of finished games."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from tests.support.browser import BrowserPlayer


def run_in_thread(main: Coroutine[None, None, None]) -> None:
    """Run a coroutine in a thread, because this thread runs the browser's event loop."""
    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, main).result()


@asynccontextmanager
async def open_registry(
    folder: Path, timing: Timing, limits: Limits | None = None
) -> AsyncIterator[tuple[SqlJournal, RoomRegistry]]:
    """Open a registry with a journal in `folder`."""
    log = SqlJournal.open(str(folder / "tables.db"))
    registry = RoomRegistry(log, timing, limits)
    yield log, registry
    await registry.close()
    await log.close()


def leave_last_round_end(visitor: BrowserPlayer) -> None:
    """Leave the last round's end, if it is still shown."""
    visitor.page.wait_for_selector(
        "#stage:is([data-page=round_end], [data-page=game_end], [data-page=replay], [data-page=review])"
    )
    if visitor.kind == "round_end":
        visitor.page.click("[data-send*=seen]")
