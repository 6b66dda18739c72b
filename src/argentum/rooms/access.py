"""Seat keys and their digests, and the roles that they open."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.arrangement import Arrangement
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors

if TYPE_CHECKING:
    from argentum.rooms.room import Room

KEY_BYTES = 24
MAX_KEY_LENGTH = 64
MAX_CACHED_KEYS = 4_096  # the page of a connected host derives keys after every move


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


@lru_cache(MAX_CACHED_KEYS)
def derive_key(host_key: str, role: str, version: int = 0) -> str:
    """Derive the key of a seat (its letter) or of spectators (`watch`) from the host's key."""
    code = hmac.digest(host_key.encode(), (f"{role} {version}" if version else role).encode(), "sha256")
    return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")


def key_digest(key: str) -> str:
    """Return the digest of a key, as the log stores it."""
    return sha256(key.encode()).hexdigest()


def matching_role(key: str, digests: dict[str, str]) -> str:
    """Return the role that a key opens, or an empty string if there is none. Digests are compared in constant time.

    A name in `digests` begins with the role that it opens, so that a role can have several keys. For example, `watch B`
    is the name for the invitations that seat B sent while it was the host; they open `watch`.
    """
    if not key.isascii():
        return ""
    digest = key_digest(key)
    matched = ""
    for role, stored in digests.items():
        if hmac.compare_digest(digest, stored):
            matched = role.split()[0]
    return matched


AWAY = "away"  # the digest `B away` is of the key with which the former player of seat B may return


class RoomConnection(Protocol):
    """A connection to a room. Its role is a seat's letter, or `watch` for a spectator."""

    role: str

    def notify(self) -> None: ...


@dataclass
class SeatPresence:
    connection_count: int = 0
    left_at: float = field(default_factory=monotonic)  # when the last connection closed, or the room was loaded
    away_before: float = 0.0  # seconds that the player had been away when the room was loaded

    def mark_left(self) -> None:
        """Begin the player's absence now."""
        self.left_at, self.away_before = monotonic(), 0.0


@dataclass(frozen=True)
class SeatKeys:
    """Which keys open which roles of a room, as digests."""

    digests: dict[str, str]  # by role; never mutated

    def role_for_key(self, key: str) -> str:
        """Return the role that a key opens, or an empty string if it is invalid; an empty key is for spectators."""
        return matching_role(key, self.digests) if key else SPECTATOR

    def check(self, role: str, key: str, arrangement: Arrangement) -> None:
        """Raise `Refused` if a key does not open a role or the seat is a bot's; anyone may watch a listed table."""
        if not key and role == SPECTATOR and arrangement.listed:
            return
        if not key or not role or self.role_for_key(key) != role:
            raise Refused(errors.INVALID_SEAT_KEY)
        if role != SPECTATOR:
            arrangement.person_seat_index(role)

    def digest_of(self, role: str) -> str:
        """Return the digest of a role's key, or an empty string if there is none."""
        return self.digests.get(role, "")

    def with_digests(self, digests: dict[str, str]) -> "SeatKeys":
        """Return the keys with these digests added or replaced."""
        return SeatKeys({**self.digests, **digests}) if digests else self

    def rotated_digests(
        self, host_key: str, old: Arrangement, new: Arrangement, connected_seats: Collection[str]
    ) -> dict[str, str]:
        """Return the digests to store with a new arrangement: those of new keys for seats with a new key version.

        If a player was away when their seat was freed, the old digest is stored as `B away`, so that they can return
        until the seat is claimed. Raise `Refused` if keys must be derived and `host_key` is not the host's.
        """
        changed = [
            seat
            for seat, version, previous in zip(SEAT_LETTERS, new.key_versions, old.key_versions, strict=True)
            if version != previous
        ]
        if changed and key_digest(host_key) != self.digests[old.host]:
            raise Refused(errors.BY_HOSTS_LINK)
        digests = {
            seat: key_digest(derive_key(host_key, seat, new.key_versions[SEAT_LETTERS.index(seat)])) for seat in changed
        }
        for index, seat in enumerate(SEAT_LETTERS):
            free = index < len(new.seats) and not new.seats[index].bot
            if seat in changed and free and seat not in connected_seats:
                digests[f"{seat} {AWAY}"] = self.digests[seat]
            elif seat in changed or not free:
                digests |= self._clear_away_key(seat)
        return digests

    def digests_for_claim(self, seat: str, key: str) -> dict[str, str]:
        """Return the digests to store when a seat is claimed with a key, which invalidates the seat's other keys."""
        return {seat: key_digest(key), **self._clear_away_key(seat)}

    def is_returning(self, seat: str, key: str) -> bool:
        """Whether a key belongs to the player whose seat was freed while they were away."""
        return bool(key) and self.digests.get(f"{seat} {AWAY}") == key_digest(key)

    def _clear_away_key(self, seat: str) -> dict[str, str]:
        return {f"{seat} {AWAY}": ""} if self.digests.get(f"{seat} {AWAY}") else {}


def seat_path(room: "Room", host_key: str, role: str) -> str:
    """Return the path of the secret link of a seat or of spectators, with a key derived from the host's key."""
    version = 0 if role == SPECTATOR else room.arrangement.key_versions[SEAT_LETTERS.index(role)]
    return f"/table/{room.name}#{derive_key(host_key, role, version)}"


def host_links(room: "Room", host_key: str) -> dict[str, str]:
    """Return the paths of the host's links: the invitation under `invite`, that of each free seat under its letter.

    After a change of host, seats that were already free are left out, because their keys derive from the key of the
    previous host.
    """
    free = {seat.letter: seat_path(room, host_key, seat.letter) for seat in room.seats() if seat.free}
    opening = {seat: link for seat, link in free.items() if room.keys.role_for_key(link.partition("#")[2]) == seat}
    return {"invite": seat_path(room, host_key, SPECTATOR), **opening}
