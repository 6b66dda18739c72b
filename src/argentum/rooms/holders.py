"""Track who has held which seat of a running game, so that nobody sees the cards of two seats.

The records are never saved, because they contain addresses.
"""

from collections.abc import Iterable
from typing import NamedTuple

from argentum.display.errors import Refused
from argentum.rooms.access import key_digest
from argentum.words import errors


class Identity(NamedTuple):
    """The known identifiers of a person at a connection."""

    address: str = ""  # empty behind a proxy that does not forward it
    device: str = ""  # the browser's own identifier
    keys: tuple[str, ...] = ()  # of the seats on the device
    invited: bool = False  # connected with a key

    @property
    def marks(self) -> set[str]:
        """The identifiers by which another connection of the same person is recognized."""
        return {mark for mark in (self.address, self.device, *map(key_digest, self.keys)) if mark}


UNKNOWN = Identity()


class SeatHolders:
    """The present and former holders of the seats of a running game."""

    def __init__(self) -> None:
        self.held_seats: set[str] = set()  # seats held since the game began
        # By seat: the marks of the present holder, if they have connected since the room was loaded.
        self.marks: dict[str, set[str]] = {}
        self.former_marks: dict[str, set[str]] = {}  # by seat: the marks of its former holders in this game
        self.has_unknown_holder = False  # a seat changed hands before the marks of its holder were known

    def start_game(self, seats: Iterable[str]) -> None:
        self.held_seats, self.former_marks, self.has_unknown_holder = set(seats), {}, False

    def retire_holder(self, seat: str) -> None:
        """Move the present holder of a seat to its former holders, who are remembered until the next game."""
        self.has_unknown_holder = self.has_unknown_holder or (seat in self.held_seats and seat not in self.marks)
        self.former_marks.setdefault(seat, set()).update(self.marks.pop(seat, ()))

    def record_holder(self, seat: str, identity: Identity) -> None:
        self.marks.setdefault(seat, set()).update(identity.marks)

    def check(self, seat: str, identity: Identity) -> None:
        """Raise `Refused` if a person who wants a free seat of a running game has held another seat.

        Friends in one house share an address. For a seat that nobody has held, they are told apart by their devices.
        For a seat whose cards a holder has seen, devices are not enough, because a program can send any device.
        """
        others = self.held_seats - {seat}
        marks = identity.marks
        if seat in self.held_seats:
            unidentified = not identity.address and not identity.device
            # After a restart, the holders of other seats are unknown until they connect.
            if unidentified or self.has_unknown_holder or not others <= self.marks.keys():
                raise Refused(errors.NOBODY_ELSE)
        elif identity.invited and identity.device:
            marks.discard(identity.address)
        if any([marks & (self.marks.get(other, set()) | self.former_marks.get(other, set())) for other in others]):
            raise Refused(errors.HELD_ANOTHER)
