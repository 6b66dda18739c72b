"""The hall sweeps what is new if many have gone, and what is old seldom: a sweep of all stops every table."""

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


class Loop:
    """Something that holds on to itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_old_is_swept_when_it_is_due() -> None:
    broom = GcPolicy()
    gc.disable()
    try:
        old = Loop()
        gc.collect()  # it is old now
        gone, new = ref(old), ref(Loop())
        del old
        broom.collect(MIN_CLOSED)
        assert new() is None
        assert gone() is not None
        broom.full_due = 0.0
        broom.collect(MIN_CLOSED)
        assert gone() is None
        assert broom.full_due >= monotonic() + FULL_INTERVAL - 1
    finally:
        gc.enable()


def test_what_a_few_have_left_waits_for_the_sweep_of_all() -> None:
    broom = GcPolicy()
    gc.disable()
    try:
        left = ref(Loop())
        broom.collect(MIN_CLOSED - 1)
        assert gc.get_freeze_count()
        assert left() is not None
        later = ref(Loop())
        broom.collect(MIN_CLOSED)  # they are many, together with those before
        assert later() is None
        assert left() is not None
        broom.full_due = 0.0
        broom.collect(MIN_CLOSED)
        assert left() is None
        assert not gc.get_freeze_count()
    finally:
        gc.unfreeze()
        gc.enable()


class Leaving(Connection):
    """A client who goes at once."""

    async def _receive(self, room: Room) -> None:
        raise WebSocketDisconnect(1001)

    async def _send_updates(self, room: Room) -> None:
        await asyncio.Event().wait()


def test_a_closed_connection_leaves_no_reference_cycle() -> None:
    async def served() -> ref[Connection]:
        nobody: Any = None
        limiter: Any = SimpleNamespace(is_proxy=lambda _: False)
        one = Leaving(nobody, cast(Any, SimpleNamespace(limits=Limits())), nobody, limiter=limiter)
        with suppress(WebSocketDisconnect):
            await one._serve(cast(Any, SimpleNamespace(failed_saves=0)))
        return ref(one)

    gc.disable()
    try:
        assert asyncio.run(served())() is None
    finally:
        gc.enable()
