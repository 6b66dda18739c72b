"""Actions before and after a game: settings, the host's role, seats, rematches and the start of a game."""

import json
from dataclasses import replace
from math import ceil
from typing import Any

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.records.fairness import VALUE_PATTERN
from argentum.rooms.access import derive_key, key_digest, new_key
from argentum.rooms.arrangement import Rematch
from argentum.rooms.game_room import LOBBY, OVER
from argentum.rooms.room import Room
from argentum.rooms.visitor import ClientConnection
from argentum.words import errors

SECONDS_PER_HOUR = 3600
MAX_LOG_ENTRIES = 20_000  # some fifty games; a table with more entries starts no game


async def arrange(room: Room, role: str, change: dict[str, Any], key: str = "") -> None:
    """Change the settings of a table. Players other than the host may change only their own name.

    `key` is the host's, from which a seat that is freed gets a new key; the old one becomes invalid.
    """
    _require_change_allowed(room, role)
    async with room.exclusive():
        new = room.arrangement
        if not change:
            raise Refused(errors.WHAT_TO_CHANGE)
        if "name" in change:
            new = new.with_name(room.seat_index(role), change["name"])
        settings = {field: value for field, value in change.items() if field != "name"}
        if settings:
            if role != room.arrangement.host:
                raise Refused(errors.HOST_CHANGES)
            if room.stage != LOBBY:
                _require_freeable_seat(room, settings)
            new = new.with_changes(settings)
        await room.save_arrangement(new, room.rotated_digests(key, new))


async def transfer_host(room: Room, role: str, new_host: str, key: str) -> None:
    """Make another player, whose key is `key`, the host. If the host is absent, any player may take over.

    Invitations that the former host has sent stay valid.
    """
    _require_change_allowed(room, role)
    async with room.exclusive():
        host, seat_config = room.arrangement.host, room.arrangement.seats[room.arrangement.person_seat_index(new_host)]
        if role != host and (role != new_host or room.is_connected(host)):
            raise Refused(errors.HOST_HANDS_OVER)
        if role != host:
            _require_absent(room, host)
        if new_host == host or not seat_config.claimed or room.keys.digest_of(new_host) != key_digest(key):
            raise Refused(errors.HAND_OVER_TO)
        invites = {f"{SPECTATOR} {new_host}": key_digest(derive_key(key, SPECTATOR))}
        await room.save_arrangement(room.arrangement.with_host(new_host, takes_over=role != host), invites)


async def swap(room: Room, role: str, number: object, box: object = None) -> None:
    """Replace a number of the deck before a rematch.

    If `number` is None, undo the seat's swap; if there is none, record that the seat keeps the deck unchanged.
    """
    _require_change_allowed(room, role)
    async with room.exclusive():
        new = room.arrangement.with_swap(role, number, box)
        rematch = room.arrangement.rematch
        await room.save_arrangement(new)
        room.record_swap_decision(role, number is None and rematch is not None and role not in rematch.swaps)


async def open_rematch(room: Room, role: str) -> None:
    """Open the lobby of a rematch with the same players."""
    async with room.exclusive():
        room.seat_index(role)
        if room.stage != OVER or room.game is None:
            raise Refused(errors.NO_REMATCH_YET)
        _require_log_space(room)
        rematch = Rematch(room.arrangement.deck_code, room.game.winner)
        await room.save_arrangement(replace(room.arrangement, rematch=rematch, guided=False))
        room.start_rematch_timer()


def add_shuffle_value(room: Room, role: str, value: object) -> None:
    """Set a seat's contribution to the shuffles of the next game."""
    if room.stage != LOBBY:
        raise Refused(errors.ALREADY_DEALT)
    if not isinstance(value, str) or not VALUE_PATTERN.fullmatch(value):
        raise Refused(errors.INVALID_VALUE)
    room.add_shuffle_value(role, value)


async def start(room: Room) -> None:
    """Start the game; raise `Refused` unless every loser has decided about a swap."""
    async with room.exclusive():
        if room.stage != LOBBY:
            raise Refused(errors.GAME_ALREADY_STARTED)
        _require_log_space(room)
        room.require_swap_decisions()
        await room.start_game()


def _require_change_allowed(room: Room, role: str) -> None:
    """Raise `Refused` if a seat makes changes too fast, or if the log is full."""
    if not room.allow_change(role):
        raise Refused(errors.CHANGES_FAST)
    _require_log_space(room)


def _require_log_space(room: Room) -> None:
    if room.seq >= MAX_LOG_ENTRIES:
        raise Refused(errors.TABLE_FULL)


def _require_freeable_seat(room: Room, change: dict[str, Any]) -> None:
    """Raise `Refused` unless a change after the start of a game only frees the seat of an absent player."""
    if change.keys() != {"seat", "bot"} or change["bot"] != "":
        raise Refused(errors.GAME_STARTED)
    seat = room.arrangement.person_seat_index(change["seat"])
    seat_config = room.arrangement.seats[seat]
    if room.is_present(change["seat"]):
        raise Refused(errors.IS_HERE.format(name=seat_config.name))
    if room.playing and change["seat"] in room.arrangement.deposed:
        raise Refused(errors.WAS_HOST.format(name=seat_config.name))
    if seat_config.claimed:
        _require_absent(room, change["seat"])


def _require_absent(room: Room, letter: str) -> None:
    """Raise `Refused` unless the player of a seat has been away for so long that others may act for them."""
    if letter not in room.absent_seats:
        name = room.arrangement.seats[room.arrangement.seat_index(letter)].name
        remaining = room.grace_left(letter)
        if remaining > SECONDS_PER_HOUR:
            raise Refused(errors.MAY_TAKE_A_DAY.format(name=name, left=ceil(remaining / SECONDS_PER_HOUR)))
        raise Refused(errors.MAY_RETURN.format(name=name, left=ceil(remaining)))


# Message handlers.


async def handle_arrange(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    await arrange(room, client.visitor.role, message, client.visitor.key)


async def handle_transfer_host(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    seat = message["seat"]
    await transfer_host(room, client.visitor.role, str(seat), room.key_in_use(seat))


async def handle_swap(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    await swap(room, message.get("seat", client.visitor.role), message["number"], message.get("box"))


async def handle_add_shuffle_value(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    add_shuffle_value(room, client.visitor.role, message["value"])


async def handle_start(_client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    await start(room)


async def handle_rematch(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    """Open the lobby of a rematch, or show it if another player has opened it."""
    if room.arrangement.rematch is None:
        await open_rematch(room, client.visitor.role)
    client.visitor.reader.leave_game_end(room)
    client.visitor.notify()


async def handle_claim_seat(client: ClientConnection, room: Room, message: dict[str, Any]) -> str:
    """Claim a free seat for a spectator, who becomes its player; reply with the seat's key."""
    visitor = client.visitor
    key = await client.registry.assign_seat(room, visitor.identity, message.get("name"), message["seat"])
    seat = room.keys.role_for_key(key)
    visitor.take_seat(room, seat, key)
    return json.dumps({"type": "seat", "seat": seat, "key": key})


async def handle_add_local_seat(client: ClientConnection, room: Room, message: dict[str, Any]) -> str | None:
    """Claim a seat for another player on the same device, and reply with its key; or rename such a seat."""
    visitor, seat, name = client.visitor, message["seat"], message.get("name")
    room.arrangement.seat_index(seat)
    existing = next((local for local in visitor.local_seats if local.role == seat), None)
    if existing is not None:
        await arrange(room, existing.role, {"name": name}, existing.key)
        return None
    if room.playing:
        raise Refused(errors.BESIDE_LATER)
    key = new_key()
    await room.claim_seat(key, name, seat, visitor.identity)
    visitor.take_seat(room, str(seat), key)
    return json.dumps({"type": "seat", "seat": seat, "key": key, "beside": True})
