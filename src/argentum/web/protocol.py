"""The JSON protocol, version 1: what programs send and get. docs/protocol.md describes it."""

import json
from typing import Any

from argentum.rules.events import Event
from argentum.tableside.scene import Seat
from argentum.tableside.updates import VERSION as VERSION
from argentum.tableside.updates import event_json, open_json, packed, reckoning_json, view_json
from argentum.web.arrangement import Arrangement, Refused
from argentum.web.room import WATCH, Room

LONGEST_MESSAGE = 4096
# What each message may hold besides its type, and which of it must be there.
FIELDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "sit": (frozenset({"table", "token", "protocol", "format", "name"}), frozenset({"table"})),
    "move": (frozenset({"choice", "move", "id"}), frozenset({"choice", "move"})),
    "arrange": (
        frozenset({"boxes", "number", "box", "token", "seats", "seat", "bot", "memory", "seconds", "listed", "name"}),
        frozenset(),
    ),
    "swap": (frozenset({"number", "box"}), frozenset({"number"})),
    "start": (frozenset(), frozenset()),
    "rematch": (frozenset(), frozenset()),
    "back": (frozenset(), frozenset()),
    "seen": (frozenset({"round"}), frozenset({"round"})),
    "replay": (frozenset({"at"}), frozenset()),
    "record": (frozenset(), frozenset()),
}


class Malformed(Refused):
    """A message that cannot be read."""


def read_message(text: str | bytes) -> dict[str, Any]:
    """A client's message, checked for its form; what is wrong with it is said in words."""
    if isinstance(text, bytes):
        raise Malformed("messages are text, not bytes")
    if len(text) > LONGEST_MESSAGE:
        raise Malformed(f"a message has at most {LONGEST_MESSAGE} characters; this one has {len(text)}")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("a message is one JSON object") from None
    if not isinstance(message, dict):
        raise Malformed("a message is one JSON object")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Malformed(f"the type of a message is one of {', '.join(FIELDS)}")
    allowed, needed = FIELDS[kind]
    unknown = message.keys() - allowed - {"type"}
    if unknown:
        raise Malformed(f"{kind} does not have {', '.join(sorted(unknown))[:60]}")
    missing = needed - message.keys()
    if missing:
        raise Malformed(f"{kind} needs {', '.join(sorted(missing))}")
    return message


def error(code: str, message: str, seq: int | None = None, answers: object = None) -> str:
    """An error, for the client; with the id of the message that it answers, if that had one."""
    form: dict[str, Any] = {"type": "error", "code": code, "message": message}
    if isinstance(answers, str | int):
        form["id"] = answers
    if seq is not None:
        form["seq"] = seq
    return json.dumps(form)  # ASCII: it may quote half a character


def seat_json(seat: Seat) -> dict[str, Any]:
    """Who sits where."""
    return {
        "letter": seat.letter, "name": seat.name, "bot": seat.bot, "here": seat.here, "stand_in": seat.stand_in,
    }  # fmt: skip


def arrangement_json(one: Arrangement) -> dict[str, Any]:
    """How a table is set; before a rematch, with what the losers replace."""
    form: dict[str, Any] = {
        "boxes": one.code, "token": one.chosen_token, "memory": one.memory, "seconds": one.seconds,
        "listed": one.listed,
    }  # fmt: skip
    if one.rematch is not None:
        form["rematch"] = {"winner": one.rematch.winner, "swaps": one.rematch.swaps}
    return form


def update_json(room: Room, role: str, since: int | None) -> tuple[str, int]:
    """The state of a table for a role, with what happened since (None: a new connection); and how much has happened."""
    form: dict[str, Any] = {"type": "update", "protocol": VERSION, "seat": "" if role == WATCH else role}
    told, view = 0, ""
    seats = room.seats()
    if room.game is not None and room.stage != "gathering":
        recall = room.recall(role)
        told = len(recall.events)
        start = since or 0
        events = recall.events[start:]
        # Only what shows a face can be a secret; what everybody was told is made once for all, and only for that.
        faces = any([event.number is not None for event in events])
        public = room.public()[start:] if faces else events
        if since is None and room.arrangement.memory:
            events = public  # whoever comes back to a table with memory is not told again what they once saw
        form["choice"] = room.choice(role)
        form["clock"] = room.clock()
        form["events"] = [event_json(*both) for both in zip(events, public, strict=True)]
        open_fields = room.said("view", room.seq, lambda: open_json(recall.view))
        view = f',"view":{view_json(room.view(role), open_fields)},"reckoning":{_reckoning(room, role, events, since)}'
    table = room.said("table", (room.seq, *seats), lambda: table_json(room, seats))
    return f"{packed(form)[:-1]},{table}{view}}}", told


def _reckoning(room: Room, role: str, events: list[Event], since: int | None) -> str:
    """How a round was scored, in the update that tells of its end; those who come later are not told again."""
    if since is None or room.game is None or not any([event.kind == "token went" for event in events]):
        return "null"
    return reckoning_json(room.game, "" if role == WATCH else role)


def table_json(room: Room, seats: list[Seat]) -> str:
    """What is the same for every reader of a table, without braces."""
    form: dict[str, Any] = {
        "table": room.name,
        "seq": room.seq,
        "stage": room.stage,
        "seats": [seat_json(seat) for seat in seats],
        "arrangement": arrangement_json(room.arrangement),
    }
    if room.game is not None and room.stage != "gathering":
        form["scores"] = room.game.scores
        if room.game.over:
            form["winner"] = room.game.winner
    return packed(form)[1:-1]
