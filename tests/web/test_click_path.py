"""The modules that a click on a card passes through, on a running server."""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.registry import RoomRegistry
from argentum.web.app import create_app
from argentum.web.pages.assets import page_build
from argentum.web.server.protocols import HttpProtocol, WebSocketProtocol
from tests.support.server import TIMEOUT

MAX_MODULES = 18
PACKAGES = ("argentum.rooms.", "argentum.display.", "argentum.web.")


class ModuleRecorder:
    """Records the modules of `PACKAGES` whose functions are called, in all threads that start later."""

    def __init__(self) -> None:
        self.is_recording = False
        self.modules: dict[str, None] = {}  # in the order of the first calls

    @contextmanager
    def installed(self) -> Iterator[None]:
        threading.setprofile(self._record)
        sys.setprofile(self._record)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _record(self, frame: FrameType, event: str, _argument: object) -> None:
        if self.is_recording and event == "call":
            module = frame.f_globals.get("__name__", "")
            if module.startswith(PACKAGES):
                self.modules[module] = None


@asynccontextmanager
async def serve(folder: Path) -> AsyncIterator[tuple[RoomRegistry, int]]:
    """Run a server in this process; yield its rooms and its port."""
    app = create_app(str(folder / "tables.db"), Timing(bot_delay=0.0))
    limiter: Any = app.state.limiter
    config = uvicorn.Config(
        app,
        port=0,
        http=partial(HttpProtocol, limiter=limiter),  # type: ignore[arg-type]
        ws=partial(WebSocketProtocol, limiter=limiter),  # type: ignore[arg-type]
        log_level="warning",
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield app.state.registry, server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


class PageClient:
    """A browser's connection to a table, which clicks when the player must choose."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.choice: int | None = None  # the number of the last choice

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def wait_for_choice(self) -> None:
        """Receive messages up to a page of the table with another choice than the last."""
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), TIMEOUT))
            assert message["type"] != "error", message
            if (
                message["type"] == "page"
                and message["page"] == "table"
                and message.get("choice") not in (None, self.choice)
            ):
                self.choice = message["choice"]
                return

    async def click(self, move: str) -> None:
        await self.send(type="move", choice=self.choice, move=move, hold=True)
        await self.wait_for_choice()


def test_a_click_on_the_deck_passes_few_modules(tmp_path: Path) -> None:
    recorder = ModuleRecorder()

    async def main() -> None:
        async with serve(tmp_path) as (registry, port):
            room, key = await registry.create(new_arrangement("Ann", "dagger", 2, "novice"))
            async with connect(f"ws://127.0.0.1:{port}/socket") as socket:
                client = PageClient(socket)
                await client.send(type="join", table=room.name, key=key, format="html", build=page_build())
                await client.send(type="start")
                await client.wait_for_choice()
                await client.click("peek A1 A2")
                await client.click("draw")  # prepares what later clicks reuse, such as compiled templates
                await client.click("exchange A1")
                recorder.is_recording = True
                await client.click("draw")
                recorder.is_recording = False

    with recorder.installed():
        asyncio.run(main())
    assert "argentum.rooms.log.sql" in recorder.modules
    assert len(recorder.modules) <= MAX_MODULES, "\n".join(recorder.modules)
