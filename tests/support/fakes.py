"""Fake sockets, connections and journals, whose failures a test controls."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from starlette.websockets import WebSocketDisconnect

from argentum.rooms.log.databases import Database, LogError
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from tests.support.server import TIMEOUT

Result = TypeVar("Result")


def run(main: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine with a time limit; return its result."""
    return asyncio.run(asyncio.wait_for(main, 2 * TIMEOUT))


class FakeSocket:
    """A WebSocket that delivers fixed messages, then blocks, and records what is sent to it."""

    scope: ClassVar[dict[str, object]] = {}

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages = list(messages)
        self.broken = False
        self.code = 0
        self.sent: list[str] = []

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        if self.messages:
            return {"type": "websocket.receive", "text": json.dumps(self.messages.pop(0))}
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def send_text(self, text: str) -> None:
        if self.broken:
            raise WebSocketDisconnect(1006)
        self.sent.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.code = code


class StubConnection:
    """A room's connection that ignores notifications."""

    def __init__(self, role: str) -> None:
        self.role = role

    def notify(self) -> None: ...


class SlowJournal(SqlJournal):
    """A journal whose appends of moves do not return until `may_end` is set. While `broken` is true, appends fail."""

    broken = False

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.writing = asyncio.Event()
        self.may_end = asyncio.Event()

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        if self.broken:
            raise LogError("the disk is full")
        await super().append(table, seq, kind, body)
        if kind == "move":
            self.writing.set()
            await self.may_end.wait()


@asynccontextmanager
async def open_slow_registry(folder: Path) -> AsyncIterator[tuple[RoomRegistry, SlowJournal]]:
    log = SlowJournal.open(str(folder / "tables.db"))
    registry = RoomRegistry(log)
    yield registry, log
    await registry.close()
    await log.close()
