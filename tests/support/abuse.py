"""Clients and journals that misbehave: slow, failing, silent."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from starlette.websockets import WebSocketDisconnect
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from argentum.rooms.log.databases import Database, LogError
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from tests.support.server import PATIENCE, Client

Result = TypeVar("Result")
ELSEWHERE = "https://elsewhere.example"


def run(main: Coroutine[None, None, Result]) -> Result:
    """Run it; who waits for what does not come fails."""
    return asyncio.run(asyncio.wait_for(main, 2 * PATIENCE))


async def heard_until_cut(socket: ClientConnection) -> tuple[list[dict[str, Any]], int | None]:
    """All that still comes, and the code with which the server hangs up."""
    heard = []
    try:
        while True:
            heard.append(json.loads(await socket.recv()))
    except ConnectionClosed as end:
        return heard, end.rcvd.code if end.rcvd is not None else None


# A bad line, several tabs, and people who press the same button at once.


async def heard(client: Client, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first message of a kind."""
    while not wanted(message := await client.hear()):
        pass
    return message


class Line:
    """A socket of a client that says some things and then nothing."""

    scope: ClassVar[dict[str, object]] = {}

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages = list(messages)
        self.broken = False
        self.code = 0
        self.said: list[str] = []

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        if self.messages:
            return {"type": "websocket.receive", "text": json.dumps(self.messages.pop(0))}
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def send_text(self, text: str) -> None:
        if self.broken:
            raise WebSocketDisconnect(1006)
        self.said.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.code = code


class Sitter:
    """Somebody at a table, without a line."""

    def __init__(self, role: str) -> None:
        self.role = role

    def notify(self) -> None: ...


class SlowLog(SqlJournal):
    """A log in which a move takes its time, and which may fail."""

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
async def open_registry(folder: Path) -> AsyncIterator[tuple[RoomRegistry, SlowLog]]:
    log = SlowLog.open(str(folder / "tables.db"))
    registry = RoomRegistry(log)
    yield registry, log
    await registry.close()
    await log.close()
