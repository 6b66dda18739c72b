"""Track who has held which seat of a running game, so that nobody sees the cards of two seats.

The records are never saved, because they contain addresses.
"""

from collections.abc import Set
from typing import NamedTuple

from argentum.display.errors import Refused
from argentum.rooms.access import key_digest
from argentum.words import errors


class Identity(NamedTuple):
    """What is known about the person at a connection."""

    address: str = ""  # empty behind a proxy that does not forward it
    device: str = ""  # the browser's own identifier
    keys: tuple[str, ...] = ()  # of the seats on the device
    invited: bool = False  # connected with a key

    @property
    def identifiers(self) -> set[str]:
        """The identifiers by which another connection of the same person is recognized."""
        return {text for text in (self.address, self.device, *map(key_digest, self.keys)) if text}


UNKNOWN = Identity()


class SeatHolders:
    """The present and former holders of the seats of a running game."""

    def __init__(self) -> None:
        # By seat: the identifiers of the present holder, if they have connected since the room was loaded.
        self.identifiers: dict[str, set[str]] = {}
        self.former_identifiers: dict[str, set[str]] = {}  # by seat: the identifiers of its former holders in this game
        self.has_unknown_holder = False  # a seat changed hands before the identifiers of its holder were known

    def start_game(self) -> None:
        self.former_identifiers, self.has_unknown_holder = {}, False

    def retire_holder(self, seat: str, held_seats: Set[str]) -> None:
        """Make the present holder of a seat a former one, whose identifiers are kept until the next game."""
        self.has_unknown_holder = self.has_unknown_holder or (seat in held_seats and seat not in self.identifiers)
        self.former_identifiers.setdefault(seat, set()).update(self.identifiers.pop(seat, ()))

    def record_holder(self, seat: str, identity: Identity) -> None:
        self.identifiers.setdefault(seat, set()).update(identity.identifiers)

    def check(self, seat: str, identity: Identity, held_seats: Set[str]) -> None:
        """Raise `Refused` if a person who claims a free seat of a running game has, or may have, held another seat.

        `held_seats` are those that anybody has held since the game began.

        Friends in one house share an address. For a seat that nobody has held, invited players are told apart by their
        devices. For a seat whose cards a holder has seen, that is not enough, because a client can send any device
        identifier.
        """
        others = held_seats - {seat}
        identifiers = identity.identifiers
        if seat in held_seats:
            unidentified = not identity.address and not identity.device
            # After a restart, the holders of other seats are unknown until they connect.
            if unidentified or self.has_unknown_holder or not others <= self.identifiers.keys():
                raise Refused(errors.NOBODY_ELSE)
        elif identity.invited and identity.device:
            identifiers.discard(identity.address)
        if any(
            [
                identifiers & (self.identifiers.get(other, set()) | self.former_identifiers.get(other, set()))
                for other in others
            ]
        ):
            raise Refused(errors.HELD_ANOTHER)
