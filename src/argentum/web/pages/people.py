"""The message with the list of people, which only pages get."""

import json
from collections.abc import Sequence
from typing import Any

from argentum.display.session import SPECTATOR
from argentum.rooms.game_room import LOBBY
from argentum.rooms.hints import consent_status
from argentum.rooms.room import Room
from argentum.words.site_texts import seat_status


def people_json(room: Room, role: str, local_seats: Sequence[str] = ()) -> str:
    """Return the list of seats as JSON: the state of each, and the actions that the reader may take."""
    host, in_lobby = room.arrangement.host, room.stage == LOBBY
    rows: list[dict[str, Any]] = []
    for seat, place in zip(room.seats(), room.arrangement.seats, strict=True):
        person, yours = place.claimed and not place.bot, seat.letter in (role, *local_seats)
        may = {
            "nudge": person and seat.here and not yours and role != SPECTATOR,
            "free": person and role == host != seat.letter and (in_lobby or room.may_free(seat.letter)),
            "host": person and seat.here and role == host != seat.letter,
        }
        rows.append(
            {
                "seat": seat.letter,
                "name": seat.name,
                "state": seat_status(place.bot, place.claimed, seat.here, seat.stand_in),
                "yours": yours,
                "host": seat.letter == host,
                "talks": person and seat.here and not yours,
                "may": [action for action, allowed in may.items() if allowed],
            }
        )
    payload: dict[str, Any] = {"type": "people", "host": role == host, "seats": rows}
    payload |= {"take_over": room.may_take_over(role), "hints": consent_status(room, role)}
    return json.dumps(payload, ensure_ascii=False)
