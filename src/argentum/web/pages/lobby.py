"""Lobby and invitation pages as values."""

from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import urlsplit

from markupsafe import Markup

from argentum import bots
from argentum.display.scene import ResidentSummary, resident_summary
from argentum.display.session import SPECTATOR
from argentum.rooms.access import seat_path
from argentum.rooms.room import Room
from argentum.rules.boxes import BOX_BY_LETTER, BOX_NAMES, resident_of
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.words.site_texts import FORMER_PLAYER, deck_name, numbers_per_box, spectator_notice, unseated_notice

QR_BORDER = 4  # modules of white around a QR code


@dataclass(frozen=True)
class Invitation:
    """A link to a table: whoever opens it claims a free seat or watches."""

    link: str
    address: str  # for display, without the key
    code: str  # QR code as SVG; empty if the page's origin is unknown

    @staticmethod
    def of(origin: str, link: str) -> "Invitation":
        """Build the invitation for a browser whose page has this origin."""
        return Invitation(
            link, f"{urlsplit(origin).netloc}{link.partition('#')[0]}", qr_svg(origin + link) if origin else ""
        )


@lru_cache(1024)
def qr_svg(text: str) -> str:
    """A QR code as SVG."""
    import segno  # imported late: the static edition has no invitations and does not ship it

    return Markup(
        segno.make_qr(text, error="l").svg_inline(border=QR_BORDER, omitsize=True, svgclass=None, lineclass=None)
    )


@dataclass(frozen=True)
class InvitationSeat:
    """A seat on the invitation page."""

    letter: str
    name: str  # of the player; empty for a free seat
    bot: str
    here: bool


@dataclass(frozen=True)
class InvitationPage:
    """Template data of the invitation page."""

    table: str
    host: str
    deck: str
    playing: bool
    chairs: tuple[InvitationSeat, ...]


def invitation_page(room: "Room") -> InvitationPage:
    """Build the page that offers the free seats."""
    arrangement = room.arrangement
    chairs = [
        InvitationSeat(seat.letter, seat.name if place.bot or place.claimed else "", place.bot, seat.here)
        for seat, place in zip(room.seats(), arrangement.seats, strict=True)
    ]
    return InvitationPage(
        room.name,
        arrangement.seats[SEAT_LETTERS.index(arrangement.host)].name,
        deck_name(arrangement.deck_code),
        room.playing,
        tuple(chairs),
    )


@dataclass(frozen=True)
class LobbySeat:
    """A seat in the lobby."""

    letter: str
    name: str
    bot: str
    here: bool
    yours: bool
    open: bool
    is_local: bool  # on the reader's device


@dataclass(frozen=True)
class SwapRow:
    """A resident that a loser replaces for the rematch."""

    name: str
    seat: str
    number: int
    old: str
    new: str
    yours: bool  # the reader's, or a local seat's


@dataclass(frozen=True)
class RematchPanel:
    """What is said of a rematch."""

    winner: str
    base: str  # the deck of the last game
    choosing_seat: str  # the seat that may choose on this page: the reader, or those who share the device, in turn
    chooser_name: str  # of who shares it; empty for the reader alone
    may_keep_deck: bool  # they have chosen nothing yet
    waiting_for: tuple[str, ...]  # who else has not
    swaps: tuple[SwapRow, ...]


@dataclass(frozen=True)
class LobbyPage:
    """All that the page shows."""

    table: str
    host: bool
    host_name: str
    code: str
    kind: str
    rows: tuple[tuple[ResidentSummary, ...], ...]
    counts: dict[str, int]
    deck_words: str
    token: str
    token_chosen: bool
    seats: tuple[LobbySeat, ...]
    invitation: "Invitation | None"  # for the host
    bots: tuple[tuple[str, str, bool], ...]  # name, summary, whether it can play here
    memory: bool
    seconds: int
    listed: bool
    rematch: RematchPanel | None
    commitment: str  # to the shuffles of the next game
    share: bool  # the reader has a seat, and adds a value to them
    seatless: str  # who is here without a seat, in words: the reader, or for the host how many


@cache
def residents_by_number() -> tuple[tuple[ResidentSummary, ...], ...]:
    """For each number, the residents of all boxes."""
    return tuple(
        [
            tuple([resident_summary(resident_of(box, number)) for box in BOX_NAMES])
            for number in range(RESIDENTS_PER_BOX)
        ]
    )


@cache
def bot_menu() -> tuple[tuple[str, str, bool], ...]:
    """The bots, with what they are, which is the strongest, and what is missing for one; and whether it can play."""
    best = bots.strongest().partition(":")[0]
    about = [(name, bots.make(name).summary) for name in bots.names()]
    installed = [(name, f"{summary}; the strongest" if name == best else summary, True) for name, summary in about]
    return (*installed, *[(name, reason, False) for name, reason in bots.not_installed().items()])


def lobby_page(room: Room, role: str, key: str, origin: str = "", local_seats: tuple[str, ...] = ()) -> LobbyPage:
    """Build the lobby for a role; only the host gets the invitation."""
    arrangement = room.arrangement
    host = role == arrangement.host
    seats = [
        LobbySeat(
            seat.letter, seat.name, seat.bot, seat.here, seat.letter == role, seat.free, seat.letter in local_seats
        )
        for seat in room.seats()
    ]  # fmt: skip
    boxes = [box for box, count in numbers_per_box(arrangement.deck_code).items() if count == RESIDENTS_PER_BOX]
    return LobbyPage(
        table=room.name,
        host=host,
        host_name=arrangement.seats[SEAT_LETTERS.index(arrangement.host)].name,
        code=arrangement.deck_code,
        kind=boxes[0] if boxes else "mix",
        rows=residents_by_number(),
        counts=numbers_per_box(arrangement.deck_code),
        deck_words=deck_name(arrangement.deck_code),
        token=arrangement.token_in_play,
        token_chosen=bool(arrangement.token),
        seats=tuple(seats),
        invitation=Invitation.of(origin, seat_path(room, key, SPECTATOR)) if host else None,
        bots=bot_menu(),
        memory=arrangement.memory,
        seconds=arrangement.turn_seconds,
        listed=arrangement.listed,
        rematch=_rematch(room, (role, *local_seats)),
        commitment=room.play.commitment(True),
        share=role != SPECTATOR,
        seatless=spectator_notice(bool(room.free_seats))
        if role == SPECTATOR
        else unseated_notice(room.access.count(SPECTATOR) * host),
    )


def _rematch(room: Room, roles: tuple[str, ...]) -> RematchPanel | None:
    """Build the rematch panel for the roles on a device."""
    again = room.arrangement.rematch
    if again is None:
        return None
    names = {letter: place.name for letter, place in zip(SEAT_LETTERS, room.arrangement.seats, strict=False)}
    swaps = [
        SwapRow(
            names[letter], letter, number, BOX_BY_LETTER[again.base_deck[number]].residents[number].name,
            resident_of(box, number).name, letter in roles,
        )
        for letter, (number, box) in again.swaps.items()
    ]  # fmt: skip
    winner = names.get(again.winner, FORMER_PLAYER)
    waiting = room.undecided()
    losers = [role for role in sorted(roles) if role not in (SPECTATOR, again.winner)]
    open_ = [role for role in losers if role not in (*again.swaps, *room.rematch_timer.kept_by)]
    chooser = (open_ or losers[-1:] or [""])[0]
    return RematchPanel(
        winner=winner,
        base=again.base_deck,
        choosing_seat=chooser,
        chooser_name=names[chooser] if chooser and len(roles) > 1 else "",
        may_keep_deck=chooser in open_[:-1] or chooser in [seat.letter for seat in waiting],
        waiting_for=tuple([seat.name for seat in waiting if seat.letter not in roles]),
        swaps=tuple(swaps),
    )
