"""Errors of the JSON protocol, and parsers of fields that several messages have."""

import json
from typing import Any

from argentum.display.errors import Refused


class Malformed(Refused):
    """Raised for a message with an invalid type, field or value."""


def error_json(code: str, message: str, seq: int | None = None, message_id: object = None) -> str:
    """Return an error message as JSON; `message_id` is the id of the message that it answers."""
    payload: dict[str, Any] = {"type": "error", "code": code, "message": message}
    if isinstance(message_id, str | int):
        payload["id"] = message_id
    if seq is not None:
        payload["seq"] = seq
    return json.dumps(payload)  # in ASCII, because the message may quote a lone surrogate


def parse_replay_index(at: object) -> int | None:
    """Parse the index of a replay's position; None means to leave the replay."""
    if isinstance(at, str) and at.isdecimal():
        at = int(at[:6])
    if at is None or (isinstance(at, int) and not isinstance(at, bool)):
        return at
    raise Malformed("at is a number, or null to leave the replay")


def parse_replay_viewer(seat: object) -> str | None:
    """Parse the seat whose known cards a replay shows; empty to show all cards, None for no change."""
    if seat is None or (isinstance(seat, str) and len(seat) <= 1):
        return seat
    raise Malformed("eyes is a seat, or empty")
