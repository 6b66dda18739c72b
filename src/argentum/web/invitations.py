"""Inviting people to a table: one link for all free seats, its QR code, and a seat that moves to another device."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from markupsafe import Markup

from argentum.display.errors import Refused
from argentum.rules.notation import SEATS
from argentum.words.site_texts import deck_words

if TYPE_CHECKING:
    from argentum.web.room import Room

LONGEST_DEVICE = 40
QUIET = 4  # modules of white around a QR code


class Elsewhere(Refused):
    """A seat is open on another device."""


@dataclass(frozen=True)
class Invitation:
    """One link to a table: whoever opens it takes a free seat, or looks on."""

    link: str
    address: str  # as people read it, without the secret
    code: str  # its QR code, as SVG; empty where the page's own address is not known

    @staticmethod
    def of(origin: str, link: str) -> "Invitation":
        """The invitation to a table, for a browser whose page has this origin."""
        return Invitation(
            link, f"{urlsplit(origin).netloc}{link.partition('#')[0]}", drawn(origin + link) if origin else ""
        )


@lru_cache(1024)
def drawn(text: str) -> str:
    """A QR code as SVG."""
    import segno  # here, as the static edition invites nobody and comes without it

    return Markup(segno.make_qr(text, error="l").svg_inline(border=QUIET, omitsize=True, svgclass=None, lineclass=None))


@dataclass(frozen=True)
class Chair:
    """A seat, for somebody who is invited."""

    letter: str
    name: str  # of who sits there; empty for a free one
    bot: str
    here: bool


@dataclass(frozen=True)
class Welcome:
    """What somebody who is invited sees."""

    table: str
    host: str
    deck: str
    playing: bool
    chairs: tuple[Chair, ...]


def welcome_of(room: "Room") -> Welcome:
    """The page that asks somebody who is invited to take a seat."""
    one = room.arrangement
    chairs = [
        Chair(seat.letter, seat.name if place.bot or place.claimed else "", place.bot, seat.here)
        for seat, place in zip(room.seats(), one.places, strict=True)
    ]
    return Welcome(room.name, one.places[SEATS.index(one.host)].name, deck_words(one.code), room.playing, tuple(chairs))


def device(given: object) -> str:
    """What a browser calls itself, cut short; an empty string is a device of its own."""
    return given[:LONGEST_DEVICE] if isinstance(given, str) else ""
