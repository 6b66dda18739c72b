"""Who has held which seat of a running game, so that nobody sees two hands. In memory only: it contains addresses."""

from collections.abc import Iterable
from typing import NamedTuple

from argentum.display.errors import Refused
from argentum.rooms.access import key_digest
from argentum.words import errors


class Identity(NamedTuple):
    """What distinguishes one person from another."""

    address: str = ""  # empty behind a proxy that does not say whose connection it is
    device: str = ""  # what a browser calls itself
    keys: tuple[str, ...] = ()  # of the seats on the device
    invited: bool = False  # by a link

    @property
    def marks(self) -> set[str]:
        """All parts that another connection of the same person may share."""
        return {mark for mark in (self.address, self.device, *map(key_digest, self.keys)) if mark}


UNKNOWN = Identity()


class SeatHolders:
    """The present and former holders of the seats of a running game."""

    def __init__(self) -> None:
        self.held: set[str] = set()  # seats held since the game began
        self.marks: dict[str, set[str]] = {}  # of those who hold a seat, as far as they came since the table was loaded
        self.left: dict[str, set[str]] = {}  # of those who held it before them in this game
        self.lost = False  # whether we do not know who held a seat before its present holder

    def begin(self, seats: Iterable[str]) -> None:
        self.held, self.left, self.lost = set(seats), {}, False

    def replace(self, seat: str) -> None:
        """Record that a seat changes hands; the former holder is remembered until the next game."""
        self.lost = self.lost or (seat in self.held and seat not in self.marks)
        self.left.setdefault(seat, set()).update(self.marks.pop(seat, ()))

    def note(self, seat: str, person: Identity) -> None:
        self.marks.setdefault(seat, set()).update(person.marks)

    def check(self, seat: str, person: Identity) -> None:
        """Refuse a free seat of a running game to whoever has held another one.

        Friends in one house share an address. Where nobody has sat yet, the device is enough to tell them apart; for a
        seat that somebody has held, it is not, as a program can send any device.
        """
        others = self.held - {seat}
        marks = person.marks
        if seat in self.held:
            nameless = not person.address and not person.device
            if nameless or self.lost or not others <= self.marks.keys():  # after a restart we have not seen them yet
                raise Refused(errors.NOBODY_ELSE)
        elif person.invited and person.device:
            marks.discard(person.address)
        if any([marks & (self.marks.get(other, set()) | self.left.get(other, set())) for other in others]):
            raise Refused(errors.HELD_ANOTHER)
