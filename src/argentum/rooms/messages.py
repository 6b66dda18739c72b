"""Messages of the JSON protocol other than updates: fields, parsing, errors. docs/protocol.md describes them all."""

import json
from typing import Any

from argentum.display.errors import Refused
from argentum.display.updates import PROTOCOL_VERSION

__all__ = ["MAX_MESSAGE_LENGTH", "PROTOCOL_VERSION", "REGISTRY", "Malformed", "error_json", "read_message"]

MAX_MESSAGE_LENGTH = 4096
# What each message may hold besides its type, and which of it must be there.
REGISTRY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "sit": (
        frozenset(
            {
                "table",
                "key",
                "protocol",
                "format",
                "name",
                "device",
                "move",
                "talk",
                "beside",
                "game",
                "build",
                "reloaded",
            }
        ),
        frozenset({"table"}),
    ),
    "take": (frozenset({"seat", "name"}), frozenset({"seat"})),
    "watch": (frozenset(), frozenset()),
    "beside": (frozenset({"seat", "name"}), frozenset({"seat"})),
    "lift": (frozenset({"seat"}), frozenset({"seat"})),
    "host": (frozenset({"seat"}), frozenset({"seat"})),
    "move": (frozenset({"choice", "move", "hold", "id"}), frozenset({"choice", "move"})),
    "undo": (frozenset(), frozenset()),
    "arrange": (
        frozenset({"boxes", "number", "box", "token", "seats", "seat", "bot", "memory", "seconds", "listed", "name"}),
        frozenset(),
    ),
    "swap": (frozenset({"number", "box", "seat"}), frozenset({"number"})),
    "value": (frozenset({"value"}), frozenset({"value"})),
    "start": (frozenset(), frozenset()),
    "rematch": (frozenset(), frozenset()),
    "result": (frozenset(), frozenset()),
    "back": (frozenset(), frozenset()),
    "pace": (frozenset({"pace"}), frozenset({"pace"})),
    "ahead": (frozenset(), frozenset()),
    "looked": (frozenset(), frozenset()),
    "seen": (frozenset({"round"}), frozenset({"round"})),
    "replay": (frozenset({"at", "eyes"}), frozenset()),
    "say": (frozenset({"text"}), frozenset({"text"})),
    "emote": (frozenset({"text"}), frozenset({"text"})),
    "nudge": (frozenset({"seat"}), frozenset({"seat"})),
    "quiet": (frozenset({"off"}), frozenset({"off"})),
    "agree": (frozenset({"on"}), frozenset({"on"})),
    "review": (frozenset({"at"}), frozenset()),
    "keep": (frozenset(), frozenset()),
    "play_on": (frozenset({"at"}), frozenset({"at"})),
    "hint": (frozenset(), frozenset()),
    "picks": (frozenset({"spots"}), frozenset({"spots"})),
    "record": (frozenset(), frozenset()),
}


class Malformed(Refused):
    """A message of the wrong form."""


def read_message(text: str | bytes) -> dict[str, Any]:
    """Parse a message and check its fields; raise `Malformed` with the reason."""
    if isinstance(text, bytes):
        raise Malformed("messages are text, not bytes")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Malformed(f"a message has at most {MAX_MESSAGE_LENGTH} characters; this one has {len(text)}")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("a message is one JSON object") from None
    if not isinstance(message, dict):
        raise Malformed("a message is one JSON object")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in REGISTRY:
        raise Malformed(f"the type of a message is one of {', '.join(REGISTRY)}")
    allowed, needed = REGISTRY[kind]
    unknown = message.keys() - allowed - {"type"}
    if unknown:
        raise Malformed(f"{kind} does not have {', '.join(sorted(unknown))[:60]}")
    missing = needed - message.keys()
    if missing:
        raise Malformed(f"{kind} needs {', '.join(sorted(missing))}")
    return message


def error_json(code: str, message: str, seq: int | None = None, message_id: object = None) -> str:
    """Write an error message; `message_id` is that of the message it answers."""
    payload: dict[str, Any] = {"type": "error", "code": code, "message": message}
    if isinstance(message_id, str | int):
        payload["id"] = message_id
    if seq is not None:
        payload["seq"] = seq
    return json.dumps(payload)  # ASCII: it may quote half a character
