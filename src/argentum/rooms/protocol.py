"""The JSON protocol's errors, and the field values that several handlers parse."""

import json
from typing import Any

from argentum.display.errors import Refused


class Malformed(Refused):
    """A message of the wrong form."""


def error_json(code: str, message: str, seq: int | None = None, message_id: object = None) -> str:
    """Write an error message; `message_id` is that of the message it answers."""
    payload: dict[str, Any] = {"type": "error", "code": code, "message": message}
    if isinstance(message_id, str | int):
        payload["id"] = message_id
    if seq is not None:
        payload["seq"] = seq
    return json.dumps(payload)  # ASCII: it may quote half a character


def replay_index(at: object) -> int | None:
    """Parse the position of a replay; None leaves the replay."""
    if isinstance(at, str) and at.isdecimal():
        at = int(at[:6])
    if at is None or (isinstance(at, int) and not isinstance(at, bool)):
        return at
    raise Malformed("at is a number, or null to leave the replay")


def replay_viewer(seat: object) -> str | None:
    """Parse the seat whose view a replay shows: empty for all cards open, None for no change."""
    if seat is None or (isinstance(seat, str) and len(seat) <= 1):
        return seat
    raise Malformed("eyes is a seat, or empty")
