"""Connected clients, with their roles and keys, and other seats on the same devices."""

import asyncio
from typing import TYPE_CHECKING, Protocol

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.display.updates import PROTOCOL_VERSION
from argentum.rooms.addresses import subscriber_network
from argentum.rooms.hints import HINT_BURST, HINT_RATE
from argentum.rooms.holders import Identity
from argentum.rooms.json_reader import JsonReader, Reader
from argentum.rooms.limits import TokenBucket
from argentum.rooms.room import Room

if TYPE_CHECKING:
    from argentum.rooms.registry import RoomRegistry


MOVED = "moved"  # reason for a disconnect: the player has moved the seat to another device
BANNED = "banned"


class LocalSeat:
    """A seat on a visitor's device that its page does not show now."""

    def __init__(self, role: str, key: str) -> None:
        self.role = role
        self.key = key

    def notify(self) -> None:
        """Do nothing, because the page is notified through the visitor."""


class Visitor:
    """A connected client of a room."""

    def __init__(self, address: str = "", is_shared_address: bool = False) -> None:
        self.address = address
        # Empty for the address of a proxy, which says nothing about its clients.
        self.own_address = "" if is_shared_address else subscriber_network(address)
        self.role = SPECTATOR
        self.key = ""
        self.name: object = None
        self.protocol = PROTOCOL_VERSION  # the version of the protocol that the client speaks
        self.device_id = ""  # the browser's own identifier
        self.disconnect_reason = ""  # if it is set, the connection is being closed
        self.local_seats: list[LocalSeat] = []  # other seats on the same device
        self.reader: Reader = JsonReader()
        self.changed = asyncio.Event()
        self.hint_bucket = TokenBucket(HINT_BURST, HINT_RATE)
        # The task of the last review: the event loop has only weak references to tasks.
        self.review_task: asyncio.Task[None] | None = None
        self._validated: tuple[object, ...] = ()  # the state in which the keys were last found valid

    def notify(self) -> None:
        self.changed.set()

    def disconnect(self, reason: str) -> None:
        """Close the connection, after it has sent what it is sending."""
        self.disconnect_reason = reason
        self.notify()

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles on this device, the visible one first."""
        return (self.role, *[local.role for local in self.local_seats])

    @property
    def identity(self) -> Identity:
        seats: list[Visitor | LocalSeat] = [self, *self.local_seats]
        keys = tuple([local.key for local in seats if local.role != SPECTATOR])
        return Identity(self.own_address, self.device_id, keys, invited=bool(self.key))

    async def enter(self, room: Room) -> None:
        """Connect to a room with all seats of the device."""
        await room.enter(self, self.name, self.identity)
        for local in self.local_seats:
            await room.enter(local, None, self.identity)

    def take_seat(self, room: Room, seat: str, key: str) -> None:
        """Enter a seat that has just been claimed with `key`.

        A spectator becomes its player. If the visitor has a seat already, the new one is for another player on the same
        device.
        """
        if self.role != SPECTATOR:
            self.local_seats.append(LocalSeat(seat, key))
            room.enter_claimed_seat(self.local_seats[-1])
            return
        room.leave(self)
        self.role, self.key = seat, key
        self.reader.begin_seat(room)
        room.enter_claimed_seat(self)

    def leave(self, room: Room) -> None:
        """Disconnect all seats of the device."""
        for local in self.local_seats:
            room.leave(local)
        room.leave(self)

    def revalidate(self, room: Room) -> None:
        """Remove the seats of the device whose keys are no longer valid; raise `Refused` if none is left.

        If the visible seat is not valid, another one is shown, with its cards hidden, because its player may not be the
        one who holds the device.
        """
        state = (room.keys, room.arrangement, self.role, self.key)
        if state == self._validated and not self.local_seats:
            self._validated = state
            return
        remaining = [local.role for local in self.local_seats if _key_is_valid(room, local)]
        if remaining and not _key_is_valid(room, self):
            self.switch_to(remaining[0])
            self.reader.hide_cards(room)
        room.keys.check(self.role, self.key, room.arrangement)
        for local in [local for local in self.local_seats if local.role not in remaining]:
            self.local_seats.remove(local)
            room.leave(local)
        self._validated = (room.keys, room.arrangement, self.role, self.key)

    def switch_to(self, seat: object) -> None:
        """Switch to another seat on this device; do nothing if the seat is not on it."""
        for local in self.local_seats:
            if local.role == seat:
                self.role, local.role, self.key, local.key = local.role, self.role, local.key, self.key
                return


class ClientConnection(Protocol):
    """The part of a client's connection that message handlers use."""

    visitor: Visitor
    registry: "RoomRegistry"

    async def send(self, text: str) -> None:
        """Send a message outside of a reply; do nothing if the client has disconnected."""

    def url_for(self, path: str) -> str:
        """Return the URL of a path of this server."""


def _key_is_valid(room: Room, local: Visitor | LocalSeat) -> bool:
    try:
        room.keys.check(local.role, local.key, room.arrangement)
    except Refused:
        return False
    return True
