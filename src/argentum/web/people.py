"""The people at a table, for each page: who is here, and what the reader may do about a seat."""

import json
from collections.abc import Sequence
from typing import Any

from argentum.display.session import WATCH
from argentum.rules.notation import SEATS
from argentum.web.keys import digest
from argentum.web.room import GATHERING, Room
from argentum.words.site_texts import whereabouts


class Companion:
    """Another seat on the same device: it is held while the page shows somebody else's."""

    def __init__(self, role: str, key: str) -> None:
        self.role = role
        self.key = key

    def touch(self) -> None:
        """The page is told by whoever shows it."""


def people_json(room: Room, role: str, beside: Sequence[str] = ()) -> str:
    """Every seat and its state; with what a reader may do about it, for which the seat's own page has no place."""
    host, gathering = room.arrangement.host, room.stage == GATHERING
    rows: list[dict[str, Any]] = []
    for seat, place in zip(room.seats(), room.arrangement.places, strict=True):
        person, mine = place.claimed and not place.bot, seat.letter in (role, *beside)
        may = {
            "nudge": person and seat.here and not mine and role != WATCH,
            "free": person and role == host != seat.letter and (gathering or room.may_free(seat.letter)),
            "host": person and seat.here and role == host != seat.letter,
        }
        rows.append(
            {
                "seat": seat.letter,
                "name": seat.name,
                "state": whereabouts(place.bot, place.claimed, seat.here, seat.stand_in),
                "yours": mine,
                "host": seat.letter == host,
                "talks": person and seat.here and not mine,
                "may": [what for what, allowed in may.items() if allowed],
            }
        )
    form: dict[str, Any] = {"type": "people", "host": role == host, "seats": rows}
    form |= {"take_over": may_take_over(room, role), "hints": agreement(room, role)}
    return json.dumps(form, ensure_ascii=False)


def moment_of(room: Room, role: str, beside: Sequence[str]) -> tuple[object, ...]:
    """All that may change :func:`people_json`; seldom does any of it change with a move."""
    return room.seats(), room.arrangement, room.absent, room.stage == GATHERING, room.talk.agreed, role, beside


def may_take_over(room: Room, role: str) -> bool:
    """Whether somebody may make themselves the host: when the host has been away for long enough."""
    host = room.arrangement.host
    return role not in (WATCH, host) and host in room.absent and not room.doors.here(SEATS.index(host))


def agreement(room: Room, role: str) -> dict[str, int]:
    """Whether the people at a table agree to hints: for one alone there is nothing to agree on."""
    seats = people(room)
    agreed = [seat for seat in seats if room.doors.digests.get(seat, "") in room.talk.agreed]
    asked = len(seats) > 1 and role in seats and not room.arrangement.memory
    return {"asked": asked, "yours": role in agreed, "agreed": len(agreed), "people": len(seats)}


def people(room: Room) -> list[str]:
    """The seats in which people have sat down."""
    places = zip(SEATS, room.arrangement.places, strict=False)
    return [seat for seat, place in places if place.claimed and not place.bot]


def agree(room: Room, roles: Sequence[str], on: bool) -> None:
    """Somebody agrees to hints, or no longer does. It holds as long as they have the seat."""
    mine = {room.doors.digests[role] for role in roles if role != WATCH}
    room.talk.agreed = room.talk.agreed | mine if on else room.talk.agreed - mine


def key_of(room: Room, seat: object) -> str:
    """The key by which somebody sits in a seat now; an empty string if nobody is there."""
    keys = [str(getattr(reader, "key", "")) for reader in room.doors.readers if reader.role == seat]
    return next((key for key in keys if digest(key) == room.doors.digests.get(str(seat))), "")
