"""Seat keys, roles, visitors, who is connected."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.arrangement import Arrangement
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors as why

if TYPE_CHECKING:
    from argentum.rooms.room import Room

KEY_BYTES = 24
MAX_KEY_LENGTH = 64
MAX_CACHED_KEYS = 4_096  # links of hosts who are at their tables now: each page of theirs shows one, at every move


def new_key() -> str:
    """A fresh random key."""
    return secrets.token_urlsafe(KEY_BYTES)


@lru_cache(MAX_CACHED_KEYS)
def derive_key(host: str, role: str, lock: int = 0) -> str:
    """The key of another seat (its letter) or of the onlookers (`watch`), from the host's; each lock has its own."""
    code = hmac.digest(host.encode(), (f"{role} {lock}" if lock else role).encode(), "sha256")
    return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")


def key_digest(key: str) -> str:
    """What the log keeps of a key."""
    return sha256(key.encode()).hexdigest()


def role_of(key: str, digests: dict[str, str]) -> str:
    """The role that a key stands for, or an empty string. Every digest is compared, each in constant time.

    A role may have several keys: `watch B` is that of the invitations that seat B has sent as the host.
    """
    if not key.isascii():
        return ""
    given = key_digest(key)
    found = ""
    for role, kept in digests.items():
        if hmac.compare_digest(given, kept):
            found = role.split()[0]
    return found


AWAY = "away"


class RoomConnection(Protocol):
    """A connection to a table, in a role: a seat's letter, or `watch`."""

    role: str

    def notify(self) -> None:
        """Something changed: show it when there is time."""


@dataclass
class SeatPresence:
    """Whether somebody is in a seat."""

    connection_count: int = 0  # connections
    left_at: float = field(default_factory=monotonic)  # when the last one went, or the chair was put there


class SeatAccess:
    """Who may come in, and who is there."""

    def __init__(self, digests: dict[str, str]) -> None:
        self.digests = digests  # of the keys, by role; never changed, but replaced
        self.connections: set[RoomConnection] = set()
        self.presence = [SeatPresence() for _ in SEAT_LETTERS]

    # Keys.

    def role_for_key(self, key: str) -> str:
        """The role that a key opens, or an empty string; without a key one may at most look on."""
        return role_of(key, self.digests) if key else SPECTATOR

    def check(self, role: str, key: str, arrangement: Arrangement) -> None:
        """Refuse a key that does not, or no longer, open a role's seat. A listed table may be watched without one."""
        if not key and role == SPECTATOR and arrangement.listed:
            return
        if not key or not role or self.role_for_key(key) != role:
            raise Refused(why.INVALID_SEAT_KEY)
        if role != SPECTATOR:
            arrangement.person_seat_index(role)

    def rotated_digests(self, host: str, old: Arrangement, new: Arrangement) -> dict[str, str]:
        """The digests for seats that have got another lock; their keys follow from the host's.

        The key of somebody who was away when their seat was freed stays good (`B away`) until it is somebody else's.
        """
        changed = [
            seat
            for seat, lock, before in zip(SEAT_LETTERS, new.key_versions, old.key_versions, strict=True)
            if lock != before
        ]
        if changed and key_digest(host) != self.digests[old.host]:
            raise Refused(why.BY_HOSTS_LINK)
        digests = {
            seat: key_digest(derive_key(host, seat, new.key_versions[SEAT_LETTERS.index(seat)])) for seat in changed
        }
        for nth, seat in enumerate(SEAT_LETTERS):
            free = nth < len(new.seats) and not new.seats[nth].bot
            if seat in changed and free and not self.is_connected(nth):
                digests[f"{seat} {AWAY}"] = self.digests[seat]
            elif seat in changed or not free:
                digests |= self._without_away(seat)
        return digests

    def sit_down(self, seat: str, key: str) -> dict[str, str]:
        """The digests when somebody sits down with a key: no other opens the seat any more."""
        return {seat: key_digest(key), **self._without_away(seat)}

    def returns(self, seat: str, key: str) -> bool:
        """Whether a key is that of the person whose seat was freed while they were away."""
        return bool(key) and self.digests.get(f"{seat} {AWAY}") == key_digest(key)

    def _without_away(self, seat: str) -> dict[str, str]:
        return {f"{seat} {AWAY}": ""} if self.digests.get(f"{seat} {AWAY}") else {}

    # Coming and going.

    def add(self, reader: RoomConnection) -> None:
        """Somebody connects."""
        self.connections.add(reader)
        if reader.role != SPECTATOR:
            self.presence[SEAT_LETTERS.index(reader.role)].connection_count += 1

    def remove(self, reader: RoomConnection) -> None:
        """A connection is gone; one that could not even enter changes nothing."""
        if reader not in self.connections:
            return
        self.connections.discard(reader)
        if reader.role != SPECTATOR:
            seat = self.presence[SEAT_LETTERS.index(reader.role)]
            seat.connection_count -= 1
            seat.left_at = monotonic()

    def is_connected(self, seat: int) -> bool:
        """Whether the person of a seat is connected."""
        return self.presence[seat].connection_count > 0

    def count(self, role: str) -> int:
        """How many are connected in a role."""
        return sum([reader.role == role for reader in self.connections])

    def notify(self, role: str = "") -> None:
        """Tell everybody, or all in one role, to look again."""
        for reader in self.connections:
            if role in ("", reader.role):
                reader.notify()


def seat_path(room: "Room", host: str, role: str) -> str:
    """The secret link of a seat, or of the onlookers, which follows from the host's key."""
    lock = 0 if role == SPECTATOR else room.arrangement.key_versions[SEAT_LETTERS.index(role)]
    return f"/table/{room.name}#{derive_key(host, role, lock)}"


def host_links(room: "Room", host: str) -> dict[str, str]:
    """The links that the host hands out: the invitation (`invite`), and by letter those of seats that are free.

    A new host has none of a seat that was free before: its key follows from that of the host who set the table.
    """
    free = {seat.letter: seat_path(room, host, seat.letter) for seat in room.seats() if seat.free}
    opening = {seat: link for seat, link in free.items() if room.access.role_for_key(link.partition("#")[2]) == seat}
    return {"invite": seat_path(room, host, SPECTATOR), **opening}


def key_of(room: "Room", seat: object) -> str:
    """The key by which somebody sits in a seat now; an empty string if nobody is there."""
    keys = [str(getattr(reader, "key", "")) for reader in room.access.connections if reader.role == seat]
    return next((key for key in keys if key_digest(key) == room.access.digests.get(str(seat))), "")
