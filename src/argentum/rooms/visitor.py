"""Somebody at a table by one connection, with those who share the device."""

import asyncio

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.addresses import subscriber_of
from argentum.rooms.holders import Identity
from argentum.rooms.json_reader import JsonReader, Reader
from argentum.rooms.room import Room
from argentum.words import errors as why


class LocalSeat:
    """Another seat on the same device: it is held while the page shows somebody else's."""

    def __init__(self, role: str, key: str) -> None:
        self.role = role
        self.key = key

    def notify(self) -> None:
        """The page is told by whoever shows it."""


class Visitor:
    """Who sits where, or looks on, and how they are told of it."""

    def __init__(self, address: str = "", shared: bool = False) -> None:
        self.address = address
        self.own_address = "" if shared else subscriber_of(address)  # a proxy's address says nothing about its clients
        self.role = SPECTATOR
        self.key = ""
        self.name: object = None
        self.device_id = ""  # what a browser calls itself; others at the seat are other people, or other devices
        self.superseded = False  # the seat has moved to another device
        self.local_seats: list[LocalSeat] = []  # other seats on the same device
        self.has_claimed = False  # an onlooker has taken a seat, and is to come back with its key
        self.reader: Reader = JsonReader()
        self.changed = asyncio.Event()
        self._validated: tuple[object, ...] = ()  # with what the seat was last found to be the guest's

    def notify(self) -> None:
        """Something changed at the table."""
        self.changed.set()

    @property
    def roles(self) -> tuple[str, ...]:
        """All seats on this device, first the one that is shown."""
        return (self.role, *[one.role for one in self.local_seats])

    @property
    def identity(self) -> Identity:
        """What tells this guest from others."""
        seats: list[Visitor | LocalSeat] = [self, *self.local_seats]
        keys = tuple([one.key for one in seats if one.role != SPECTATOR])
        return Identity(self.own_address, self.device_id, keys, invited=bool(self.key))

    async def enter(self, room: Room) -> None:
        """Come in, with those beside."""
        await room.enter(self, self.name, self.identity)
        for one in self.local_seats:
            await room.enter(one, None, self.identity)

    def leave(self, room: Room) -> None:
        """Go, with those beside."""
        for one in self.local_seats:
            room.leave(one)
        room.leave(self)

    def revalidate(self, room: Room) -> None:
        """Leave the seats of this device that were freed; fail if no key opens one any more.

        If the seat that is shown was freed, who is left is shown, behind the curtain: others may look at the device.
        """
        now = (room.access.digests, room.arrangement, self.role, self.key)
        if now == self._validated and not self.local_seats:
            self._validated = now
            return
        left = [one.role for one in self.local_seats if _key_is_valid(room, one)]
        if left and not _key_is_valid(room, self):
            self.switch_to(left[0])
            self.reader.hide_cards(room)
        room.access.check(self.role, self.key, room.arrangement)
        for one in [one for one in self.local_seats if one.role not in left]:
            self.local_seats.remove(one)
            room.access.remove(one)
        self._validated = (room.access.digests, room.arrangement, self.role, self.key)

    def require_local(self, seat: object) -> str:
        """A seat of this device; fail if it is not."""
        if seat not in self.roles:
            raise Refused(why.NOT_ON_DEVICE)
        return str(seat)

    def switch_to(self, seat: object) -> None:
        """Show another of the device's seats, if it is one."""
        for one in self.local_seats:
            if one.role == seat:
                self.role, one.role, self.key, one.key = one.role, self.role, one.key, self.key
                return


def _key_is_valid(room: Room, one: Visitor | LocalSeat) -> bool:
    """Whether somebody's key still opens their seat."""
    try:
        room.access.check(one.role, one.key, room.arrangement)
    except Refused:
        return False
    return True
