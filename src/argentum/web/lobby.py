"""The page on which a table is set: the deck, the token, the seats with their links, the ways to play."""

from dataclasses import dataclass
from functools import cache

from argentum import bots
from argentum.display.scene import Portrait, portrait
from argentum.display.session import WATCH
from argentum.rules.boxes import resident_of
from argentum.rules.notation import SEATS
from argentum.rules.residents import BOXES, NUMBERS
from argentum.web.invitations import Invitation
from argentum.web.keys import derived
from argentum.web.room import Room
from argentum.words.site_texts import GONE, counts, deck_words, watching, without_seat

BOX_OF_LETTER = {box[0]: box for box in BOXES}


@dataclass(frozen=True)
class LobbySeat:
    """A seat before a game."""

    letter: str
    name: str
    bot: str
    here: bool
    yours: bool
    open: bool
    beside: bool  # somebody who shares the reader's device


@dataclass(frozen=True)
class Swap:
    """What a loser replaces in a rematch."""

    name: str
    seat: str
    number: int
    old: str
    new: str
    yours: bool  # the reader's, or of somebody who shares the device


@dataclass(frozen=True)
class LobbyRematch:
    """What is said of a rematch."""

    winner: str
    base: str  # the deck of the last game
    chooser: str  # the seat that may choose on this page: the reader, or those who share the device, in turn
    chooser_name: str  # of who shares it; empty for the reader alone
    may_keep: bool  # they have chosen nothing yet
    waiting: tuple[str, ...]  # who else has not
    swaps: tuple[Swap, ...]


@dataclass(frozen=True)
class Lobby:
    """All that the page shows."""

    table: str
    host: bool
    host_name: str
    code: str
    kind: str
    rows: tuple[tuple[Portrait, ...], ...]
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
    rematch: LobbyRematch | None
    commitment: str  # to the shuffles of the next game
    share: bool  # the reader has a seat, and adds a value to them
    seatless: str  # who is here without a seat, in words: the reader, or for the host how many


@cache
def choices() -> tuple[tuple[Portrait, ...], ...]:
    """For each number, the residents of all boxes."""
    return tuple([tuple([portrait(resident_of(box, number)) for box in BOXES]) for number in range(NUMBERS)])


@cache
def bot_menu() -> tuple[tuple[str, str, bool], ...]:
    """The bots, with what they are, which is the strongest, and what is missing for one; and whether it can play."""
    best = bots.strongest().partition(":")[0]
    about = [(name, bots.make(name).summary) for name in bots.names()]
    installed = [(name, f"{summary}; the strongest" if name == best else summary, True) for name, summary in about]
    return (*installed, *[(name, reason, False) for name, reason in bots.not_installed().items()])


def seat_link(room: Room, host: str, role: str) -> str:
    """The secret link of a seat, or of the onlookers, which follows from the host's key."""
    lock = 0 if role == WATCH else room.arrangement.locks[SEATS.index(role)]
    return f"/table/{room.name}#{derived(host, role, lock)}"


def links_of(room: Room, host: str) -> dict[str, str]:
    """The links that the host hands out: the invitation (`invite`), and by letter those of seats that are free.

    A new host has none of a seat that was free before: its key follows from that of the host who set the table.
    """
    free = {seat.letter: seat_link(room, host, seat.letter) for seat in room.seats() if seat.free}
    opening = {seat: link for seat, link in free.items() if room.doors.role_of(link.partition("#")[2]) == seat}
    return {"invite": seat_link(room, host, WATCH), **opening}


def lobby_of(room: Room, role: str, key: str, origin: str = "", beside: tuple[str, ...] = ()) -> Lobby:
    """The page as somebody sees it; only the host, by the host's key, sees the invitation."""
    one = room.arrangement
    host = role == one.host
    seats = [
        LobbySeat(
            seat.letter, seat.name, seat.bot, seat.here, seat.letter == role, seat.free, seat.letter in beside
        )
        for seat in room.seats()
    ]  # fmt: skip
    boxes = [box for box, count in counts(one.code).items() if count == NUMBERS]
    return Lobby(
        table=room.name,
        host=host,
        host_name=one.places[SEATS.index(one.host)].name,
        code=one.code,
        kind=boxes[0] if boxes else "mix",
        rows=choices(),
        counts=counts(one.code),
        deck_words=deck_words(one.code),
        token=one.chosen_token,
        token_chosen=bool(one.token),
        seats=tuple(seats),
        invitation=Invitation.of(origin, seat_link(room, key, WATCH)) if host else None,
        bots=bot_menu(),
        memory=one.memory,
        seconds=one.seconds,
        listed=one.listed,
        rematch=_rematch(room, (role, *beside)),
        commitment=room.play.commitment(True),
        share=role != WATCH,
        seatless=watching(bool(room.free_seats)) if role == WATCH else without_seat(room.doors.crowd(WATCH) * host),
    )


def _rematch(room: Room, roles: tuple[str, ...]) -> LobbyRematch | None:
    """What is said of a rematch to those on a device."""
    again = room.arrangement.rematch
    if again is None:
        return None
    names = {letter: place.name for letter, place in zip(SEATS, room.arrangement.places, strict=False)}
    swaps = [
        Swap(
            names[letter], letter, number, resident_of(BOX_OF_LETTER[again.base[number]], number).name,
            resident_of(box, number).name, letter in roles,
        )
        for letter, (number, box) in again.swaps.items()
    ]  # fmt: skip
    winner = names.get(again.winner, GONE)
    waiting = room.undecided()
    losers = [role for role in sorted(roles) if role not in (WATCH, again.winner)]
    open_ = [role for role in losers if role not in (*again.swaps, *room.swap_time.content)]
    chooser = (open_ or losers[-1:] or [""])[0]
    return LobbyRematch(
        winner=winner,
        base=again.base,
        chooser=chooser,
        chooser_name=names[chooser] if chooser and len(roles) > 1 else "",
        may_keep=chooser in open_[:-1] or chooser in [seat.letter for seat in waiting],
        waiting=tuple([seat.name for seat in waiting if seat.letter not in roles]),
        swaps=tuple(swaps),
    )
