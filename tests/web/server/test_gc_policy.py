"""When the garbage collector runs, and that playing leaves it nothing to do."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast
from weakref import ref

import pytest
import uvicorn
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from argentum.rooms.limits import Limits
from argentum.rooms.room import Room
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.server.gc_policy import FULL_INTERVAL, GcPolicy
from argentum.web.server.protocols import HttpProtocol, WebSocketProtocol
from argentum.web.sockets.connection import Connection
from argentum.web.sockets.readers import HtmlReader
from tests.support.room import TIMEOUT, load_registry, play_randomly, run, start_game


@pytest.fixture(autouse=True)
def collections_by_hand() -> Iterator[None]:
    """Collect everything first; then only the test collects."""
    gc.collect()
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


class Cycle:
    def __init__(self) -> None:
        self.reference = self


def test_a_full_collection_runs_when_it_is_due() -> None:
    policy = GcPolicy()
    garbage = ref(Cycle())
    policy.collect()
    assert gc.get_freeze_count()
    assert garbage() is not None
    policy.full_due = 0.0
    policy.collect()
    assert garbage() is None
    assert not gc.get_freeze_count()
    assert policy.full_due >= monotonic() + FULL_INTERVAL - 1


class DisconnectingConnection(Connection):
    """A connection whose client disconnects at once."""

    async def _receive(self, room: Room) -> None:
        raise WebSocketDisconnect(1001)

    async def _send_updates(self, room: Room) -> None:
        await asyncio.Event().wait()


def test_a_closed_connection_leaves_no_reference_cycle() -> None:
    async def serve() -> ref[Connection]:
        unused: Any = None
        limiter: Any = SimpleNamespace(is_proxy=lambda _: False)
        connection = DisconnectingConnection(
            unused, cast(Any, SimpleNamespace(limits=Limits())), unused, limiter=limiter
        )
        with suppress(WebSocketDisconnect):
            await connection._serve(cast(Any, SimpleNamespace(failed_saves=0)))
        return ref(connection)

    assert asyncio.run(serve())() is None


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Accept a WebSocket, and wait until it is closed."""
    socket = WebSocket(scope, receive, send)
    await socket.accept()
    with suppress(WebSocketDisconnect):
        await socket.receive_text()


def test_the_protocols_of_a_closed_connection_are_freed_without_a_collection() -> None:
    limiter = ConnectionLimiter(Limits())
    protocols: list[ref[Any]] = []

    def tracked(kind: type[Any]) -> Any:
        def create(*arguments: Any, **keywords: Any) -> Any:
            protocol = kind(*arguments, **keywords, limiter=limiter)
            protocols.append(ref(protocol))
            return protocol

        return create

    async def main() -> None:
        http, socket = tracked(HttpProtocol), tracked(WebSocketProtocol)
        config = uvicorn.Config(echo, port=0, http=http, ws=socket, lifespan="off", log_level="warning")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}/"):
            assert len(protocols) == 2
        async with asyncio.timeout(TIMEOUT):
            while any([protocol() is not None for protocol in protocols]):
                await asyncio.sleep(0.01)
        server.should_exit = True
        await serving

    run(main())


def test_a_page_leaves_no_reference_cycle() -> None:
    renderer = PageRenderer()
    for _ in range(2):  # The first time fills caches.
        gc.collect()
        renderer.rules_page()
    assert gc.collect() == 0


def test_moves_at_a_table_of_browsers_leave_no_reference_cycles(tmp_path: Path) -> None:
    async def play(room: Room, readers: dict[str, HtmlReader], random: Random) -> None:
        for _ in range(20):
            await play_randomly(room, random, 1)
            for role, reader in readers.items():
                reader.updates(room, role, "")

    async def main() -> None:
        async with load_registry(f"sqlite:///{tmp_path / 'log.db'}") as registry:
            room = await start_game(registry)
            readers = {role: HtmlReader(PageRenderer(), room) for role in "AB"}
            await play(room, readers, Random(1))  # It fills caches.
            gc.collect()
            await play(room, readers, Random(2))
            assert gc.collect() == 0

    run(main())
