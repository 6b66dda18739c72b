"""When the garbage collector runs: young objects after many closed connections, all objects at long intervals."""

import asyncio
import gc
from contextlib import suppress
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast
from weakref import ref

from starlette.websockets import WebSocketDisconnect

from argentum.rooms.limits import Limits
from argentum.rooms.room import Room
from argentum.web.server.gc_policy import FULL_INTERVAL, MIN_CLOSED, GcPolicy
from argentum.web.sockets.connection import Connection


class Cycle:
    def __init__(self) -> None:
        self.reference = self


def test_a_full_collection_runs_when_it_is_due() -> None:
    policy = GcPolicy()
    gc.disable()
    try:
        old = Cycle()
        gc.collect()  # moves it to the oldest generation
        old_reference, young = ref(old), ref(Cycle())
        del old
        policy.collect(MIN_CLOSED)
        assert young() is None
        assert old_reference() is not None
        policy.full_due = 0.0
        policy.collect(MIN_CLOSED)
        assert old_reference() is None
        assert policy.full_due >= monotonic() + FULL_INTERVAL - 1
    finally:
        gc.enable()


def test_cycles_of_few_connections_wait_for_the_full_collection() -> None:
    policy = GcPolicy()
    gc.disable()
    try:
        frozen = ref(Cycle())
        policy.collect(MIN_CLOSED - 1)
        assert gc.get_freeze_count()
        assert frozen() is not None
        later = ref(Cycle())
        policy.collect(MIN_CLOSED)
        assert later() is None
        assert frozen() is not None
        policy.full_due = 0.0
        policy.collect(MIN_CLOSED)
        assert frozen() is None
        assert not gc.get_freeze_count()
    finally:
        gc.unfreeze()
        gc.enable()


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

    gc.disable()
    try:
        assert asyncio.run(serve())() is None
    finally:
        gc.enable()
