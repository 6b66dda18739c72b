"""The JSON protocol, version 1: what programs send and get. docs/protocol.md describes it."""

import json
from functools import lru_cache
from typing import Any

from argentum.rules.events import Event
from argentum.rules.residents import Resident
from argentum.rules.views import Card, View
from argentum.web.arrangement import Arrangement, Refused
from argentum.web.room import WATCH, Room
from argentum.web.scene import Seat

VERSION = 1
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


# The fields of a view that differ from seat to seat, and those that do not.
OWN_FIELDS = ("seat", "legal", "villages", "private", "deck", "discard", "hand")
OPEN_FIELDS = tuple([name for name in View._fields if name not in OWN_FIELDS])

# JSON without spaces. Card by card it is made once and kept: a table's update is mostly cards.
packed = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=4096)
def card_json(card: Card) -> str:
    """A card: its number (null: unknown), and only those marks that it has.

    >>> card_json(Card(7, up=False, known_by="A"))
    '{"number":7,"known_by":"A"}'
    """
    marks = {key: True for key in ("up", "sideways", "covered", "passed") if getattr(card, key)}
    known = {"known_by": card.known_by} if card.known_by and not card.up else {}
    return packed({"number": card.number, **marks, **known})


def cards_json(cards: tuple[Card, ...]) -> str:
    """Several cards."""
    return f"[{','.join([card_json(card) for card in cards])}]"


def rows_json(rows: dict[str, tuple[Card, ...]]) -> str:
    """Several cards for each seat."""
    return "{" + ",".join([f'"{letter}":{cards_json(cards)}' for letter, cards in rows.items()]) + "}"


@lru_cache(maxsize=256)
def labels(residents: tuple[Resident, ...]) -> list[str]:
    """The labels of a deck's residents."""
    return [resident.label for resident in residents]


def view_json(view: View, open_fields: str = "") -> str:
    """A seat's view: the fields of :class:`argentum.View`; legal moves as their texts, residents as their labels."""
    form = {
        "seat": view.seat,
        "legal": [str(move) for move in view.legal],
        "deck": {
            "cards": len(view.deck),
            "known": {str(nth): card.number for nth, card in enumerate(view.deck) if card.number is not None},
        },
    }
    private = {letter: cards for letter, cards in view.private.items() if cards}
    hand = "null" if view.hand is None else card_json(view.hand)
    return (
        f"{packed(form)[:-1]},{open_fields or open_json(view)}"
        f',"villages":{rows_json(view.villages)},"private":{rows_json(private)}'
        f',"discard":{cards_json(view.discard)},"hand":{hand}}}'
    )


def open_json(view: View) -> str:
    """The fields of a view that are the same for every seat, without braces."""
    form = {key: getattr(view, key) for key in OPEN_FIELDS}
    form["residents"] = labels(view.residents)
    return packed(form)[1:-1]


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


def event_json(event: Event) -> dict[str, Any]:
    """Something that happened."""
    form = event._asdict()
    return {key: value for key, value in form.items() if value is not None and value != ""}


def update_json(room: Room, role: str, since: int | None) -> tuple[str, int]:
    """The state of a table for a role, with what happened since (None: a new connection); and how much has happened."""
    form: dict[str, Any] = {"type": "update", "protocol": VERSION, "seat": "" if role == WATCH else role}
    told, view = 0, ""
    seats = room.seats()
    if room.game is not None and room.stage != "gathering":
        recall = room.recall(role)
        told = len(recall.events)
        # Whoever comes back to a table with memory is not told again what they once saw.
        again = since is None and room.arrangement.memory
        events = recall.public if again else recall.events[since or 0 :]
        form["choice"] = room.choice(role)
        form["clock"] = room.clock()
        form["events"] = [event_json(event) for event in events]
        open_fields = room.said("view", room.seq, lambda: open_json(recall.view))
        view = f',"view":{view_json(room.view(role), open_fields)}'
    table = room.said("table", (room.seq, *seats), lambda: table_json(room, seats))
    return f"{packed(form)[:-1]},{table}{view}}}", told


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
