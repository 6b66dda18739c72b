"""All tables of a server: setting one, finding one, bringing them back after a restart, clearing away what is idle."""

import asyncio
import gc
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from random import SystemRandom
from time import monotonic, time

from argentum.rules.notation import SEATS
from argentum.tableside.refusals import Refused
from argentum.tableside.sitting import WATCH
from argentum.web.arrangement import Arrangement
from argentum.web.clock import Pace
from argentum.web.keys import derived, digest, new_key
from argentum.web.log import Conflict, Entry, Log
from argentum.web.room import Room

MOODS = """
amber ancient ashen autumn bold brave calm clever cosy crimson curious dapper dusky early fabled faint gentle gilded
golden grand hidden hollow humble jolly keen kindly little lofty loyal lucky merry mellow mossy nimble noble pale
patient proud quiet rustic shy silent silken sleepy sly snowy solemn starry stormy subtle sunny sweet tender twilit
velvet wandering warm wild windy wise wistful witty woven young
"""
BEINGS = """
acorn alder arch badger barn beech bell birch bough bridge candle cellar chapel cloak cottage cricket crow dormouse
ember falcon fern ferry fiddle fox gate goose hare harp hawk hazel heath hedge heron hill inn ivy lantern lark lynx
marten meadow mill moon moth nettle oak orchard otter owl pine plum pond quill raven reed robin rook rowan sable
shire sparrow spindle stag stoat swan thistle thorn tower vole well willow wren yew
"""
NAME = re.compile(r"[a-z]{2,12}-[a-z]{2,12}(-\d{1,6})?")  # of a table: what else is asked for is not in the log
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """How much a server takes on."""

    tables: int = 5_000
    connections: int = 40  # at one table for each seat and for all onlookers, who keep nobody from a seat
    burst: int = 60  # messages that a connection may send at once
    rate: float = 20.0  # and a second, in the long run
    idle_hours: float = 72.0  # a table at which nobody has been for so long is cleared away
    finished_hours: float = 24.0  # the same after its game, or if none was begun
    spare_hours: float = 1.0  # the same for the table that has been idle longest, if all are taken


class Hall:
    """The tables of one server."""

    def __init__(self, log: Log, pace: Pace | None = None, limits: Limits | None = None) -> None:
        self.log = log
        self.pace = pace or Pace()
        self.limits = limits or Limits()
        self.rooms: dict[str, Room] = {}

    def restore(self) -> None:
        """Bring back every table of the log. One that cannot be read is left alone, and the others go on."""
        for name, entries in self.log.all_entries():
            room = self._restored(name, entries)
            if room is not None:
                self.rooms[name] = room

    def _restored(self, name: str, entries: list[Entry]) -> Room | None:
        try:
            room = Room.restored(name, entries, self.log, self.pace)
        except Exception:
            logger.exception("table %s cannot be brought back", name)
            return None
        room.touched = monotonic() - max(0.0, time() - entries[-1].at)
        return room

    async def find(self, name: str) -> Room | None:
        """The table of that name, if there is one: another server may have set it on the same database."""
        if name in self.rooms or not NAME.fullmatch(name):
            return self.rooms.get(name)
        entries = await asyncio.to_thread(self.log.entries, name)
        room = self._restored(name, entries) if entries else None
        if room is not None:
            self.rooms.setdefault(name, room)  # somebody else may have asked meanwhile
        return self.rooms.get(name)

    async def set_table(self, arrangement: Arrangement) -> tuple[Room, str]:
        """A new table, and the host's key."""
        if len(self.rooms) >= self.limits.tables:
            await self._clear(min(self.rooms.values(), key=_last_seen), self.limits.spare_hours)
        if len(self.rooms) >= self.limits.tables:
            raise Refused("the hall is full: every table is taken. Please try again in a while")
        host = new_key()
        keys = {SEATS[0]: host, **{role: derived(host, role) for role in (*SEATS[1:], WATCH)}}
        digests = {role: digest(key) for role, key in keys.items()}
        for name in self._free_names():
            room = Room(name, self.log, digests, arrangement, self.pace)
            self.rooms[name] = room
            try:
                await self.log.append(name, 0, "table", {"digests": digests, "arrangement": arrangement.as_json()})
            except Conflict:  # another server has it
                del self.rooms[name]
                continue
            except BaseException:
                del self.rooms[name]
                raise
            room.play.seq = 1
            return room, host
        raise AssertionError("there is always another name")

    def _free_names(self) -> Iterator[str]:
        random = SystemRandom()
        nth = 0
        while True:
            nth += 1
            name = f"{random.choice(MOODS.split())}-{random.choice(BEINGS.split())}" + (f"-{nth}" if nth > 4 else "")
            if name not in self.rooms:
                yield name

    def listed(self) -> list[Room]:
        """Tables that anyone may find, with a seat free, the newest first."""
        rooms = [
            room for room in self.rooms.values() if room.arrangement.listed and room.free_seat and room.doors.readers
        ]
        return sorted(rooms, key=lambda room: room.touched, reverse=True)

    async def join(self, name: str, person: str) -> str:
        """A key for a free seat of a table that anyone may join."""
        room = await self.find(name)
        if room is None or not room.arrangement.listed:
            raise Refused("there is no open table of that name")
        key = new_key()
        await room.take_seat(key, person)
        return key

    async def sweep(self) -> None:
        """Clear away tables at which nobody has been for long."""
        for room in list(self.rooms.values()):
            hours = self.limits.idle_hours if room.playing else self.limits.finished_hours
            await self._clear(room, hours)

    async def _clear(self, room: Room, hours: float) -> None:
        """Clear a table away if nobody has been there for so long, here or at another server."""
        if room.doors.readers or monotonic() - room.touched <= hours * 3600:
            return
        del self.rooms[room.name]  # first, so that nobody comes in while the rest is done
        await room.close()
        await self.log.forget(room.name, time() - hours * 3600)

    async def keep_tidy(self, every: float = 600.0) -> None:
        """Sweep for ever, and give back the memory of what is gone."""
        while True:
            await asyncio.sleep(every)
            try:
                await self.sweep()
            except Exception:
                logger.exception("sweeping failed; it is tried again later")
            gc.collect()  # the server leaves older objects to us (see SWEEPS there), as this takes a moment

    async def close(self) -> None:
        """Stop all tables."""
        await asyncio.gather(*[room.close() for room in self.rooms.values()])


def _last_seen(room: Room) -> float:
    """When somebody was last at a table; for ever, if somebody is."""
    return inf if room.doors.readers else room.touched
