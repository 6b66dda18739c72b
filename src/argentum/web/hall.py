"""All tables of a server: setting one, finding one, bringing them back after a restart, clearing away what is idle."""

import asyncio
import gc
import logging
import re
from collections.abc import Iterator
from random import SystemRandom
from time import monotonic, time

from argentum.rules.notation import SEATS
from argentum.tableside.refusals import Refused
from argentum.tableside.sitting import WATCH
from argentum.web.arrangement import Arrangement
from argentum.web.clock import Pace
from argentum.web.keys import derived, digest, new_key
from argentum.web.log import Conflict, Entry, Log
from argentum.web.porch import Porch
from argentum.web.room import Room
from argentum.web.settings import Limits, Settings

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


class Hall:
    """The tables of one server."""

    def __init__(
        self, log: Log, pace: Pace | None = None, limits: Limits | None = None, settings: Settings | None = None
    ) -> None:
        self.log = log
        self.pace = pace or Pace()
        self.limits = limits or Limits()
        self.settings = settings or Settings()
        self.porch = Porch(self.limits, self.settings)
        self.rooms: dict[str, Room] = {}
        self.started = monotonic()

    def restore(self) -> None:
        """Bring back every table of the log. One that cannot be read is left alone, and the others go on."""
        for name, entries in self.log.all_entries():
            room = self._restored(name, entries)
            if room is not None:
                self.rooms[name] = room

    def _restored(self, name: str, entries: list[Entry]) -> Room | None:
        try:
            return Room.restored(name, entries, self.log, self.pace)
        except Exception:
            logger.exception("table %s cannot be brought back", name)
            return None

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
            await self._make_room()
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
        """Clear away tables at which nobody has been for long, and what the log need not keep any longer."""
        for room in list(self.rooms.values()):
            if self._idle(room) > self._patience(room):
                await self._clear(room, self._patience(room))
        if self.limits.keep_days and monotonic() - self.started > self.limits.start_grace_minutes * 60:
            await self.log.forget_all(time() - self.limits.keep_days * 86400)

    async def _make_room(self) -> None:
        """If all tables are taken, clear one away at which nobody is: without a game, before those with one."""
        spare = self.limits.spare_minutes * 60
        free = [room for room in self.rooms.values() if self._idle(room) > spare]
        if free:
            await self._clear(min(free, key=lambda room: (room.game is not None, room.touched)), spare)

    def _patience(self, room: Room) -> float:
        """How many seconds a table waits for somebody to come."""
        if room.game is not None:
            return self.limits.idle_hours * 3600
        gathered = sum([place.claimed for place in room.arrangement.places]) > 1
        return self.limits.gathered_hours * 3600 if gathered else self.limits.empty_minutes * 60

    def _idle(self, room: Room) -> float:
        """For how many seconds nobody has been at a table."""
        return 0.0 if room.doors.readers else monotonic() - room.touched

    async def _clear(self, room: Room, seconds: float) -> None:
        """Clear a table away. The log keeps its games, and brings it back when somebody asks for it.

        A table without a game is forgotten, unless somebody was there since, at another server.
        """
        del self.rooms[room.name]  # first, so that nobody comes in while the rest is done
        await room.close()
        if room.game is None:
            await self.log.forget(room.name, time() - seconds)

    async def keep_tidy(self, every: float = 60.0) -> None:
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
