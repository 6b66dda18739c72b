"""Somebody at a table by one connection, with those who share the device."""

import asyncio

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.json_reader import Listener, Program
from argentum.rooms.room import Room
from argentum.web.addresses import subscriber_of
from argentum.web.holders import Identity
from argentum.words import errors as why


class Companion:
    """Another seat on the same device: it is held while the page shows somebody else's."""

    def __init__(self, role: str, key: str) -> None:
        self.role = role
        self.key = key

    def touch(self) -> None:
        """The page is told by whoever shows it."""


class Guest:
    """Who sits where, or looks on, and how they are told of it."""

    def __init__(self, address: str = "", shared: bool = False) -> None:
        self.address = address
        self.own_address = "" if shared else subscriber_of(address)  # a proxy's address says nothing about its clients
        self.role = SPECTATOR
        self.key = ""
        self.name: object = None
        self.device = ""  # what a browser calls itself; others at the seat are other people, or other devices
        self.moved = False  # the seat has moved to another device
        self.beside: list[Companion] = []  # other seats on the same device
        self.took = False  # an onlooker has taken a seat, and is to come back with its key
        self.reader: Listener = Program()
        self.dirty = asyncio.Event()
        self._checked: tuple[object, ...] = ()  # with what the seat was last found to be the guest's

    def touch(self) -> None:
        """Something changed at the table."""
        self.dirty.set()

    @property
    def roles(self) -> tuple[str, ...]:
        """All seats on this device, first the one that is shown."""
        return (self.role, *[one.role for one in self.beside])

    @property
    def identity(self) -> Identity:
        """What tells this guest from others."""
        seats: list[Guest | Companion] = [self, *self.beside]
        keys = tuple([one.key for one in seats if one.role != SPECTATOR])
        return Identity(self.own_address, self.device, keys, invited=bool(self.key))

    async def enter(self, room: Room) -> None:
        """Come in, with those beside."""
        await room.enter(self, self.name, self.identity)
        for one in self.beside:
            await room.enter(one, None, self.identity)

    def leave(self, room: Room) -> None:
        """Go, with those beside."""
        for one in self.beside:
            room.leave(one)
        room.leave(self)

    def check(self, room: Room) -> None:
        """Leave the seats of this device that were freed; fail if no key opens one any more.

        If the seat that is shown was freed, who is left is shown, behind the curtain: others may look at the device.
        """
        now = (room.doors.digests, room.arrangement, self.role, self.key)
        if now == self._checked and not self.beside:
            self._checked = now
            return
        left = [one.role for one in self.beside if _opens(room, one)]
        if left and not _opens(room, self):
            self.turn_to(left[0])
            self.reader.fall(room)
        room.doors.check(self.role, self.key, room.arrangement)
        for one in [one for one in self.beside if one.role not in left]:
            self.beside.remove(one)
            room.doors.leave(one)
        self._checked = (room.doors.digests, room.arrangement, self.role, self.key)

    def own(self, seat: object) -> str:
        """A seat of this device; fail if it is not."""
        if seat not in self.roles:
            raise Refused(why.NOT_ON_DEVICE)
        return str(seat)

    def turn_to(self, seat: object) -> None:
        """Show another of the device's seats, if it is one."""
        for one in self.beside:
            if one.role == seat:
                self.role, one.role, self.key, one.key = one.role, self.role, one.key, self.key
                return


def _opens(room: Room, one: Guest | Companion) -> bool:
    """Whether somebody's key still opens their seat."""
    try:
        room.doors.check(one.role, one.key, room.arrangement)
    except Refused:
        return False
    return True
