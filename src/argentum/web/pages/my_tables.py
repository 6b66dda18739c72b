"""States of the tables that a browser remembers."""

from collections.abc import Iterable
from typing import Any

from argentum.display.errors import Refused
from argentum.display.results import game_result
from argentum.display.session import SPECTATOR, seat_of
from argentum.rooms.game_room import LOBBY, OVER
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.words import site_texts
from argentum.words.site_texts import deck_name

MAX_TABLES = 12


def parse_tables(text: str) -> list[tuple[str, str]]:
    """Parse tables and keys as the landing page sends them: `name key name key`."""
    fields = text.split()[: 2 * MAX_TABLES]
    return list(zip(fields[::2], fields[1::2], strict=False))


async def table_states(
    registry: RoomRegistry, tables: Iterable[tuple[str, str]], address: str = ""
) -> list[dict[str, Any]]:
    """Return the state of each table, as its key allows, and reset the expiry of finished games.

    Unknown tables and invalid keys are left out. `address` is that of the client.
    """
    states = []
    for name, key in tables:
        room = await registry.find_or_copy(name, address)
        role = room.keys.role_for_key(key) if room is not None else ""
        if room is None or not role:
            continue
        try:
            room.keys.check(role, key, room.arrangement)
        except Refused:
            continue
        await registry.record_visit(room)
        states.append({"name": name, **_table_state(room, role)})
    return states


def _table_state(room: Room, role: str) -> dict[str, Any]:
    """Return a table's stage and round, whether it is the reader's turn, and two lines of status text."""
    you = seat_of(role)
    seats = zip(room.seats(), room.arrangement.seats, strict=True)
    others = [seat.name for seat, place in seats if seat.letter != you and (place.bot or place.claimed)]
    free = sum([not place.bot and not place.claimed for place in room.arrangement.seats])
    if room.stage == LOBBY or room.game is None:
        details = f"{site_texts.other_players(others)} · {deck_name(room.arrangement.deck_code)}"
        return {"stage": LOBBY, "turn": False, "round": 0, "state": site_texts.waiting_status(free), "words": details}
    common = {"stage": room.stage, "turn": False, "round": room.game.round}
    if room.stage == OVER:
        rows = game_result(room.seats(), room.game.scores, room.game.winner, you).rows
        rank = next((row.rank for row in rows if row.yours), 0)
        details = site_texts.totals_text([(row.name, row.total, row.yours) for row in rows])
        return {**common, "state": site_texts.finished_status(rank), "words": details}
    turn = room.choice_number(role) is not None
    waiting_for = [
        seat.name
        for seat in room.seats()
        if not seat.bot and not seat.free and room.choice_number(seat.letter) is not None
    ]
    details = site_texts.game_progress(room.game.round, ROUNDS_PER_GAME, others)
    return {
        **common,
        "turn": turn,
        "state": site_texts.game_status(turn, role == SPECTATOR, waiting_for),
        "words": details,
    }
