"""Values of the lobby and of the invitation page."""

from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import urlsplit

from markupsafe import Markup

from argentum import bots
from argentum.display.scene import ResidentSummary, resident_summary
from argentum.display.session import SPECTATOR
from argentum.rooms.access import seat_path
from argentum.rooms.room import Room
from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, BOX_NAMES, cast_of, deck_code, is_published, resident_of
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import RESIDENTS_PER_BOX, Box, Cast
from argentum.words.site_texts import (
    BOT_LACKS_BOXES,
    FORMER_PLAYER,
    away_notice,
    deck_name,
    numbers_per_box,
    spectator_notice,
    unseated_notice,
)

QR_BORDER = 4  # white modules around a QR code


@dataclass(frozen=True)
class Invitation:
    """A link to a table, for players who claim a free seat and for spectators."""

    link: str
    address: str  # for display, without the key
    code: str  # QR code as SVG; empty if the page's origin is unknown

    @staticmethod
    def from_link(origin: str, link: str) -> "Invitation":
        """Build an invitation; `link` is a path on the server, `origin` that of the browser's page, or empty."""
        return Invitation(
            link, f"{urlsplit(origin).netloc}{link.partition('#')[0]}", qr_svg(origin + link) if origin else ""
        )


@lru_cache(1024)
def qr_svg(text: str) -> str:
    """Encode a text as a QR code in SVG."""
    import segno  # imported late: the static edition does not ship it

    return Markup(
        segno.make_qr(text, error="l").svg_inline(border=QR_BORDER, omitsize=True, svgclass=None, lineclass=None)
    )


@dataclass(frozen=True)
class InvitationSeat:
    letter: str
    name: str  # of the player; empty for a free seat
    bot: str
    here: bool


@dataclass(frozen=True)
class InvitationPage:
    table: str
    host: str
    deck: str
    playing: bool
    seats: tuple[InvitationSeat, ...]


def invitation_page(room: Room) -> InvitationPage:
    arrangement = room.arrangement
    seats = [
        InvitationSeat(seat.letter, seat.name if place.bot or place.claimed else "", place.bot, seat.here)
        for seat, place in zip(room.seats(), arrangement.seats, strict=True)
    ]
    return InvitationPage(
        room.name,
        arrangement.seats[SEAT_LETTERS.index(arrangement.host)].name,
        deck_name(arrangement.deck_code),
        room.playing,
        tuple(seats),
    )


@dataclass(frozen=True)
class LobbySeat:
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
    yours: bool  # of a seat on the reader's device


@dataclass(frozen=True)
class RematchPanel:
    """The part of the lobby in which each loser may replace one resident of the deck before a rematch."""

    winner: str
    base: str  # the deck of the last game
    choosing_seat: str  # the seat that may choose now, on the reader's device
    chooser_name: str  # name of its player if several seats share the device, else empty
    may_keep_deck: bool  # the choosing seat has not decided yet
    waiting_for: tuple[str, ...]  # names of players on other devices who have not decided
    swaps: tuple[SwapRow, ...]


@dataclass(frozen=True)
class LobbyPage:
    table: str
    host: bool
    host_name: str
    code: str
    kind: str
    rows: tuple[tuple[ResidentSummary | None, ...], ...]
    counts: dict[str, int]
    deck_words: str
    token: str
    token_chosen: bool
    seats: tuple[LobbySeat, ...]
    invitation: Invitation | None  # for the host
    bots: tuple[tuple[str, str, bool], ...]  # name, summary, whether it can play here
    memory: bool
    seconds: int
    away: str
    away_notice: str
    listed: bool
    rematch: RematchPanel | None
    commitment: str  # to the shuffles of the next game
    share: bool  # the reader's browser contributes a value to the shuffles
    seatless: str  # a sentence about spectators: for a spectator, or for the host with their number


@cache
def residents_by_number() -> tuple[tuple[ResidentSummary | None, ...], ...]:
    """Return, for each number, a column for each box: its resident, or None if the box inherits it from its base."""

    def column(box: Box, number: int) -> ResidentSummary | None:
        resident = box.residents[number]
        return resident_summary(resident) if resident.letter == box.letter else None

    return tuple([tuple([column(box, number) for box in ALL_BOXES]) for number in range(RESIDENTS_PER_BOX)])


@lru_cache(maxsize=64)
def bot_menu(cast: Cast | None = None) -> tuple[tuple[str, str, bool], ...]:
    """Return for each bot its name, a description, and whether it can play. If not, the description says why.

    With the cast of a deck, the description says which bots do not know all of its boxes.
    """
    best = bots.strongest(cast=cast).partition(":")[0]
    summaries = [
        (bot.name, bot.summary if cast is None or bot.knows_deck(cast) else BOT_LACKS_BOXES)
        for bot in map(bots.make, bots.names())
    ]
    installed = [(name, f"{summary}; the strongest" if name == best else summary, True) for name, summary in summaries]
    return (*installed, *[(name, reason, False) for name, reason in bots.not_installed().items()])


def lobby_page(room: Room, role: str, key: str, origin: str = "", local_seats: tuple[str, ...] = ()) -> LobbyPage:
    """Build the lobby for a role and the other seats on its device; only the host gets the invitation."""
    arrangement = room.arrangement
    is_host = role == arrangement.host
    cast = cast_of(arrangement.deck_code, arrangement.token_in_play)
    seats = [
        LobbySeat(
            seat.letter, seat.name, seat.bot, seat.here, seat.letter == role, seat.free, seat.letter in local_seats
        )
        for seat in room.seats()
    ]  # fmt: skip
    boxes = [name for name in BOX_NAMES if arrangement.deck_code == deck_code(name)]
    return LobbyPage(
        table=room.name,
        host=is_host,
        host_name=arrangement.seats[SEAT_LETTERS.index(arrangement.host)].name,
        code=arrangement.deck_code,
        kind=boxes[0] if boxes else "mix",
        rows=residents_by_number(),
        counts=numbers_per_box(arrangement.deck_code),
        deck_words=deck_name(arrangement.deck_code),
        token=arrangement.token_in_play,
        token_chosen=bool(arrangement.token),
        seats=tuple(seats),
        invitation=Invitation.from_link(origin, seat_path(room, key, SPECTATOR)) if is_host else None,
        bots=bot_menu(None if is_published(cast) else cast),
        memory=arrangement.memory,
        seconds=arrangement.turn_seconds,
        away=arrangement.away,
        away_notice=away_notice(arrangement.away, arrangement.turn_seconds),
        listed=arrangement.listed,
        rematch=_rematch_panel(room, (role, *local_seats)),
        commitment=room.commitment(True),
        share=role != SPECTATOR,
        seatless=spectator_notice(bool(room.free_seats))
        if role == SPECTATOR
        else unseated_notice(room.connection_count(SPECTATOR) * is_host),
    )


def _rematch_panel(room: Room, roles: tuple[str, ...]) -> RematchPanel | None:
    """Build the rematch panel for the roles on a device; None if no rematch is being set up."""
    rematch = room.arrangement.rematch
    if rematch is None:
        return None
    names = {letter: place.name for letter, place in zip(SEAT_LETTERS, room.arrangement.seats, strict=False)}
    swaps = [
        SwapRow(
            names[letter], letter, number, BOX_BY_LETTER[rematch.base_deck[number]].residents[number].name,
            resident_of(box, number).name, letter in roles,
        )
        for letter, (number, box) in rematch.swaps.items()
    ]  # fmt: skip
    winner = names.get(rematch.winner, FORMER_PLAYER)
    waiting = room.undecided()
    losers = [role for role in sorted(roles) if role not in (SPECTATOR, rematch.winner)]
    undecided = [role for role in losers if role not in rematch.swaps and not room.keeps_deck(role)]
    chooser = (undecided or losers[-1:] or [""])[0]
    return RematchPanel(
        winner=winner,
        base=rematch.base_deck,
        choosing_seat=chooser,
        chooser_name=names[chooser] if chooser and len(roles) > 1 else "",
        may_keep_deck=chooser in undecided[:-1] or chooser in [seat.letter for seat in waiting],
        waiting_for=tuple([seat.name for seat in waiting if seat.letter not in roles]),
        swaps=tuple(swaps),
    )
