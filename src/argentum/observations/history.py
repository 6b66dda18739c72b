# mypyc: compile
"""The history of a seat: the events that it saw and its own actions, encoded as tokens.

:func:`event_token` defines the tokens. `_encode.c` writes the same ones, with the table of :func:`extra_meanings`.
"""

from contextlib import suppress
from typing import Final, Protocol

from argentum.observations.layout import OBSERVATION_SIZE
from argentum.rules.events import DESTINATIONS, END_REASONS, EVENT_KINDS, Event, RawEvent, event_for_viewer
from argentum.rules.notation import SEAT_LETTERS, parse_spot, place_of, seat_of

EVENT_COLUMNS: Final = (
    "kind",
    "seat",
    "village",
    "place",
    "number",
    "to village",
    "to place",
    "word",
    "value",
    "value times 256",
    "below 0",
)
EVENT_TOKEN_SIZE: Final = len(EVENT_COLUMNS)
OWN_ACTION_KIND: Final = len(EVENT_KINDS) + 1  # an action of the seat itself; its number is in `value`
# The values of column `word`, from 1: destinations, sources, orientations and end reasons. Duplicates are dropped:
# `deck` is both a source and a reason.
DETAIL_WORDS: Final = tuple(
    dict.fromkeys(
        [
            *DESTINATIONS,
            *("deck", "private", "shown"),
            *("upright", "sideways", "counterclockwise", "clockwise", "facedown", "faceup", "idle", "active"),
            *END_REASONS,
        ]
    )
)
_KIND_INDEX: Final = {kind: number for number, kind in enumerate(EVENT_KINDS, start=1)}
_SEAT_INDEX: Final = {letter: seat for seat, letter in enumerate(SEAT_LETTERS)}
_WORD_INDEX: Final = {"": 0, **{word: number for number, word in enumerate(DETAIL_WORDS, start=1)}}


def event_token(event: Event, seat: int, players: int) -> bytes:
    """Encode an event as a token. Seats and villages are numbered clockwise from `seat`, which is 1; 0 is none."""
    village, place = _relative_spot(event.spot, seat, players)
    to_village, to_place = _relative_spot(event.to, seat, players)
    if event.village:
        to_village = (_SEAT_INDEX[event.village] - seat) % players + 1
    value = 0
    for amount in (event.depth, event.round, event.points):
        if amount is not None:
            value = amount
    return bytes(
        [
            _KIND_INDEX[event.kind],
            (_SEAT_INDEX[event.seat] - seat) % players + 1,
            village,
            place,
            0 if event.number is None else event.number + 1,
            to_village,
            to_place,
            _WORD_INDEX[event.goes or event.source or event.lies or event.reason],
            abs(value) & 255,
            abs(value) >> 8,
            1 if value < 0 else 0,
        ]
    )


def action_token(action: int) -> bytes:
    """Encode an own action of the observing seat as a token."""
    return bytes([OWN_ACTION_KIND, 1, 0, 0, 0, 0, 0, 0, action & 255, action >> 8, 0])


def _relative_spot(text: str, seat: int, players: int) -> tuple[int, int]:
    """Return the village of a spot, clockwise from `seat`, and the place, both from 1; 0 and 0 for an empty text."""
    if not text:
        return 0, 0
    spot = parse_spot(text)
    return (seat_of(spot) - seat) % players + 1, place_of(spot) + 1


# What the last value of a raw event means in its token. The C writer has the same numbers.
EXTRA_NONE: Final = 0
EXTRA_SPOT: Final = 1  # the second spot
EXTRA_VILLAGE: Final = 2
EXTRA_VALUE: Final = 3
EXTRA_RANGE: Final = (-1, 4)  # Beyond this range, larger values mean the same as its ends.


def extra_meanings() -> list[list[tuple[int, int]]]:
    """Return the meaning of the last value of a raw event, indexed by event kind and value (`EXTRA_RANGE`).

    A meaning is the column `word` and one of the EXTRA constants: 0 and EXTRA_NONE for values that the kind lacks.
    """
    meanings: list[list[tuple[int, int]]] = []
    for kind in range(len(EVENT_KINDS)):
        meanings.append([])
        for extra in range(EXTRA_RANGE[0], EXTRA_RANGE[1] + 1):
            meaning = 0, EXTRA_NONE
            with suppress(IndexError, KeyError):
                meaning = _extra_meaning(event_for_viewer((kind, 0, -1, -1, 0, extra, 0), False, ""))
            meanings[-1].append(meaning)
    return meanings


def _extra_meaning(event: Event) -> tuple[int, int]:
    word = _WORD_INDEX[event.goes or event.source or event.lies or event.reason]
    if event.to:
        return word, EXTRA_SPOT
    if event.village:
        return word, EXTRA_VILLAGE
    has_value = any([amount is not None for amount in (event.depth, event.round, event.points)])
    return word, EXTRA_VALUE if has_value else EXTRA_NONE


class History(Protocol):
    """The last events and actions of a game that each seat knows of."""

    def add_events(self, events: list[RawEvent], first: int) -> None:
        """Append the events from index `first` on to the history of each seat, as that seat knows them."""

    def append_token(self, seat: int, token: bytes) -> None:
        """Append a token to the history of a seat."""

    def tokens(self, seat: int) -> bytes:
        """Return the last tokens of a seat, oldest first, padded with 0 at the front."""


class PlainHistory:
    """The history of a game without the C writer. It keeps `limit` tokens of each seat."""

    def __init__(self, players: int, limit: int) -> None:
        self.players: Final = players
        self.limit: Final = limit
        self.tokens_of: Final[list[list[bytes]]] = [[] for _ in range(players)]

    def add_events(self, events: list[RawEvent], first: int) -> None:
        """Append the events from index `first` on to the history of each seat, as that seat knows them."""
        for raw in events[first:]:
            for seat in range(self.players):
                event = event_for_viewer(raw, raw[4] >> seat & 1 == 1, "")
                self.append_token(seat, event_token(event, seat, self.players))

    def append_token(self, seat: int, token: bytes) -> None:
        """Append a token to the history of a seat."""
        tokens = self.tokens_of[seat]
        tokens.append(token)
        del tokens[: -self.limit]

    def tokens(self, seat: int) -> bytes:
        """Return the last tokens of a seat, oldest first, padded with 0 at the front."""
        tokens = self.tokens_of[seat]
        return bytes(EVENT_TOKEN_SIZE * (self.limit - len(tokens))) + b"".join(tokens)


def observation_size(history: int) -> int:
    """Return the size in bytes of an observation with `history` tokens of events and actions."""
    return OBSERVATION_SIZE + EVENT_TOKEN_SIZE * history
