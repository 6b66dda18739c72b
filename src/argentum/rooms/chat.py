"""Talk at a table: emotes, short lines and nudges. It is not part of the game, and nothing of it is saved."""

import json
import unicodedata
from collections import deque
from dataclasses import dataclass
from typing import Any

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.limits import TokenBucket
from argentum.words import errors as why

EMOTES = ("👍", "👏", "😄", "🤔", "😱", "🌙")
MAX_LINE_LENGTH = 120
MAX_LINES = 40  # lines
CHAT_BURST, CHAT_RATE = 5, 0.4  # lines from one seat at once, and a second


@dataclass(frozen=True)
class ChatLine:
    """Something said."""

    number: int
    role: str
    name: str
    kind: str  # say, emote, nudge
    text: str
    to: str = ""  # the seat that is nudged

    def visible_to(self, role: str) -> bool:
        """Onlookers talk among themselves; a nudge is for one seat."""
        return role == SPECTATOR if self.role == SPECTATOR else self.to in ("", role)

    def to_public(self) -> dict[str, Any]:
        """For a browser."""
        return {"number": self.number, "seat": self.role, "name": self.name, "kind": self.kind, "text": self.text}


class Chat:
    """What is said at one table."""

    def __init__(self) -> None:
        self.lines: deque[ChatLine] = deque(maxlen=MAX_LINES)
        self.line_count = 0
        self.disabled = False  # by the host
        self.hint_consents: set[str] = set()  # who agrees to hints, by the digests of their keys
        self._buckets: dict[str, TokenBucket] = {}

    def say(self, role: str, name: str, text: object) -> None:
        """Somebody says something short."""
        if not isinstance(text, str):
            raise Refused(why.SAY_TEXT)
        short = clean_line(text)
        if not short:
            raise Refused(why.SAY_LETTERS)
        self._add(role, name, "say", short)

    def emote(self, role: str, name: str, text: object) -> None:
        """Somebody shows a feeling."""
        if text not in EMOTES:
            raise Refused(why.INVALID_EMOTE.format(emotes=" ".join(EMOTES)))
        self._add(role, name, "emote", str(text))

    def nudge(self, role: str, name: str, to: str) -> None:
        """Somebody asks another to play on."""
        if role == SPECTATOR:
            raise Refused(why.ONLOOKERS_WATCH)
        self._add(role, name, "nudge", "", to)

    def _add(self, role: str, name: str, kind: str, text: str, to: str = "") -> None:
        if self.disabled and kind != "nudge":
            raise Refused(why.TALK_OFF)
        if not self._buckets.setdefault(role, TokenBucket(CHAT_BURST, CHAT_RATE)).try_take():
            raise Refused(why.TALK_FAST)
        self.line_count += 1
        self.lines.append(ChatLine(self.line_count, role, name, kind, text, to))

    def unread(self, role: str, heard: tuple[int, bool] | None) -> tuple[list[str], tuple[int, bool]]:
        """What a reader in a role has not heard yet, as messages; who has just come hears no old nudges."""
        now = (self.line_count, self.disabled)
        if heard == now:
            return [], now
        since = heard[0] if heard is not None else 0
        new = [line for line in self.lines if line.number > since and line.visible_to(role)]
        if heard is None:
            new = [line for line in new if line.kind == "say"]
        form = {"type": "talk", "you": role, "off": self.disabled, "old": heard is None}
        return [json.dumps({**form, "lines": [line.to_public() for line in new]}, ensure_ascii=False)], now


def clean_line(text: str) -> str:
    """A line as it is shown: short, in one line, and without signs that turn or hide others.

    >>> clean(" well  played" + chr(0x202E) + chr(10) + "!")
    'well played !'
    """
    plain = "".join([" " if sign.isspace() else sign for sign in text if sign.isspace() or _is_visible(sign)])
    return " ".join(plain.split())[:MAX_LINE_LENGTH].strip()


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign)[0] != "C" or sign == "\u200d"  # which joins emoji
