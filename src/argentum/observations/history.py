# mypyc: compile
"""The history of a seat: the events that it saw and its own actions, encoded as tokens."""

from typing import Final

from argentum.observations.layout import OBSERVATION_SIZE
from argentum.rules.events import DESTINATIONS, END_REASONS, EVENT_KINDS, Event
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


class SeatHistory:
    """The last events and actions of a seat as tokens, oldest first."""

    def __init__(self, seat: int, players: int, limit: int) -> None:
        self.seat: Final = seat
        self.players: Final = players
        self.limit: Final = limit  # number of tokens
        self.tokens: list[bytes] = []

    def copy(self) -> "SeatHistory":
        copied = SeatHistory(self.seat, self.players, self.limit)
        copied.tokens = self.tokens[:]
        return copied

    def add_event(self, event: Event) -> None:
        self.append_token(event_token(event, self.seat, self.players))

    def add_action(self, action: int) -> None:
        self.append_token(action_token(action))

    def append_token(self, token: bytes) -> None:
        """Append a token. Old tokens are dropped several at a time, because that is faster."""
        self.tokens.append(token)
        if len(self.tokens) > 2 * self.limit + 8:
            self.tokens = self.tokens[-self.limit :]

    def to_bytes(self) -> bytes:
        """Return the last `limit` tokens, padded with 0 at the front."""
        last = self.tokens[-self.limit :] if self.limit else []
        return bytes(EVENT_TOKEN_SIZE * (self.limit - len(last))) + b"".join(last)


def observation_size(history: int) -> int:
    """Return the size in bytes of an observation with `history` tokens of events and actions."""
    return OBSERVATION_SIZE + EVENT_TOKEN_SIZE * history
