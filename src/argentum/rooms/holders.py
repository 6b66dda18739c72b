"""Track who has held which seat of a running game, so that nobody sees the cards of two seats.

This is never saved, because it contains addresses.
"""

from collections.abc import Iterable
from typing import NamedTuple

from argentum.display.errors import Refused
from argentum.rooms.access import key_digest
from argentum.words import errors


class Identity(NamedTuple):
    """The known identifiers of a person."""

    address: str = ""  # empty behind a proxy that does not forward it
    device: str = ""  # the browser's own identifier
    keys: tuple[str, ...] = ()  # of the seats on the device
    invited: bool = False  # came by a link

    @property
    def marks(self) -> set[str]:
        """The identifiers that other connections of the same person may share."""
        return {mark for mark in (self.address, self.device, *map(key_digest, self.keys)) if mark}


UNKNOWN = Identity()


class SeatHolders:
    """The present and former holders of the seats of a running game."""

    def __init__(self) -> None:
        self.held: set[str] = set()  # seats held since the game began
        self.marks: dict[str, set[str]] = {}  # of the present holder of a seat, if seen since the room was loaded
        self.former_marks: dict[str, set[str]] = {}  # of former holders of a seat in this game
        self.has_unknown_holder = False  # whether a seat changed hands before its holder was seen

    def begin(self, seats: Iterable[str]) -> None:
        self.held, self.former_marks, self.has_unknown_holder = set(seats), {}, False

    def replace(self, seat: str) -> None:
        """Record that a seat changes hands; the former holder is remembered until the next game."""
        self.has_unknown_holder = self.has_unknown_holder or (seat in self.held and seat not in self.marks)
        self.former_marks.setdefault(seat, set()).update(self.marks.pop(seat, ()))

    def record(self, seat: str, person: Identity) -> None:
        self.marks.setdefault(seat, set()).update(person.marks)

    def check(self, seat: str, person: Identity) -> None:
        """Refuse a free seat of a running game to a person who has held another one.

        Friends in one house share an address. For a seat that nobody has held, different devices are enough to tell
        them apart. For one that somebody has held, they are not, as a program can send any device.
        """
        others = self.held - {seat}
        marks = person.marks
        if seat in self.held:
            unidentified = not person.address and not person.device
            if (
                unidentified or self.has_unknown_holder or not others <= self.marks.keys()
            ):  # after a restart we have not seen them yet
                raise Refused(errors.NOBODY_ELSE)
        elif person.invited and person.device:
            marks.discard(person.address)
        if any([marks & (self.marks.get(other, set()) | self.former_marks.get(other, set())) for other in others]):
            raise Refused(errors.HELD_ANOTHER)
