"""The chat of a room: lines, emotes and nudges, which are never saved."""

import json
import unicodedata
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.limits import TokenBucket
from argentum.rooms.protocol import Malformed
from argentum.words import errors, site_texts

if TYPE_CHECKING:
    from argentum.rooms.room import Room
    from argentum.rooms.visitor import ClientConnection

EMOTES = tuple(site_texts.EMOTE_LABELS)
MAX_LINE_LENGTH = 120
MAX_LINES = 40
CHAT_BURST, CHAT_RATE = 5, 0.4  # lines of one role: at once, and per second on average


@dataclass(frozen=True)
class ChatLine:
    number: int
    role: str
    name: str
    kind: str  # say, emote, nudge
    text: str
    to: str = ""  # the seat that is nudged

    def visible_to(self, role: str) -> bool:
        """Whether a role sees the line. Spectators chat among themselves, and a nudge is for one seat."""
        return role == SPECTATOR if self.role == SPECTATOR else self.to in ("", role)

    def to_public(self) -> dict[str, Any]:
        return {"number": self.number, "seat": self.role, "name": self.name, "kind": self.kind, "text": self.text}


class Chat:
    """The chat of one room, with rate limits per role."""

    def __init__(self) -> None:
        self.lines: deque[ChatLine] = deque(maxlen=MAX_LINES)
        self.line_count = 0
        self.disabled = False  # the host has turned the chat off
        self._buckets: dict[str, TokenBucket] = {}

    def say(self, role: str, name: str, text: object) -> None:
        if not isinstance(text, str):
            raise Refused(errors.SAY_TEXT)
        line = clean_line(text)
        if not line:
            raise Refused(errors.SAY_LETTERS)
        self._add(role, name, "say", line)

    def emote(self, role: str, name: str, text: object) -> None:
        if text not in EMOTES:
            raise Refused(errors.INVALID_EMOTE.format(emotes=" ".join(EMOTES)))
        self._add(role, name, "emote", str(text))

    def nudge(self, role: str, name: str, nudged_seat: str) -> None:
        """Remind a player that it is their turn."""
        self._add(role, name, "nudge", "", nudged_seat)

    def _add(self, role: str, name: str, kind: str, text: str, to: str = "") -> None:
        if self.disabled and kind != "nudge":
            raise Refused(errors.TALK_OFF)
        if not self._buckets.setdefault(role, TokenBucket(CHAT_BURST, CHAT_RATE)).try_take():
            raise Refused(errors.TALK_FAST)
        self.line_count += 1
        self.lines.append(ChatLine(self.line_count, role, name, kind, text, to))

    def unread_messages(self, role: str, seen: tuple[int, bool] | None) -> list[str]:
        """Return at most one JSON message with what is new since `seen`, earlier values of `line_count` and `disabled`.

        A new client passes None, and gets the last chat lines without emotes and nudges.
        """
        if seen == (self.line_count, self.disabled):
            return []
        since = seen[0] if seen is not None else 0
        new = [line for line in self.lines if line.number > since and line.visible_to(role)]
        if seen is None:
            new = [line for line in new if line.kind == "say"]
        message = {"type": "talk", "you": role, "off": self.disabled, "old": seen is None}
        return [json.dumps({**message, "lines": [line.to_public() for line in new]}, ensure_ascii=False)]


def clean_line(text: str) -> str:
    """Collapse whitespace, remove control characters and marks that change the direction of text, and truncate.

    >>> clean_line(" well  played" + chr(0x202E) + chr(10) + "!")
    'well played !'
    """
    visible = "".join(
        [
            " " if character.isspace() else character
            for character in text
            if character.isspace() or _is_visible(character)
        ]
    )
    return " ".join(visible.split())[:MAX_LINE_LENGTH].strip()


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] != "C" or character == "\u200d"  # U+200D joins emoji


# Message handlers.


async def handle_say(client: "ClientConnection", room: "Room", message: dict[str, Any]) -> None:
    room.say(client.visitor.role, message["text"])


async def handle_emote(client: "ClientConnection", room: "Room", message: dict[str, Any]) -> None:
    room.emote(client.visitor.role, message["text"])


async def handle_nudge(client: "ClientConnection", room: "Room", message: dict[str, Any]) -> None:
    room.arrangement.seat_index(message["seat"])
    room.nudge(client.visitor.role, message["seat"])


async def handle_disable_chat(_client: "ClientConnection", room: "Room", message: dict[str, Any]) -> None:
    """Turn the chat off or on."""
    if not isinstance(message["off"], bool):
        raise Malformed("off is true or false")
    room.disable_chat(message["off"])
