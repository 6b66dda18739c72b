"""Event and action history as tokens (+ row_size)."""

from typing import Final

from argentum.observations.layout import OBSERVATION_SIZE
from argentum.rules.events import DESTINATIONS, END_REASONS, EVENT_KINDS, Event
from argentum.rules.notation import SEAT_LETTERS, parse_spot

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
OWN_ACTION_KIND: Final = len(EVENT_KINDS) + 1  # the kind of what a seat does itself: the value is its action
# What `word` may be, from 1: where a card goes or comes from, how a thing lies then, why a round ended. (`deck` is both
# a place and a reason; the kind tells which.)
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
_KIND_INDEX: Final = {kind: nth for nth, kind in enumerate(EVENT_KINDS, start=1)}
_SEAT_INDEX: Final = {letter: nth for nth, letter in enumerate(SEAT_LETTERS)}
_WORD_INDEX: Final = {"": 0, **{word: nth for nth, word in enumerate(DETAIL_WORDS, start=1)}}


def event_token(event: Event, seat: int, players: int) -> bytes:
    """An event as a seat was told it."""
    village, place = _relative_spot(event.spot, seat, players)
    to_village, to_place = _relative_spot(event.to, seat, players)
    if event.village:
        to_village = (_SEAT_INDEX[event.village] - seat) % players + 1
    value = 0
    for told in (event.depth, event.round, event.points):
        if told is not None:
            value = told
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
    """A seat's own act, for itself."""
    return bytes([OWN_ACTION_KIND, 1, 0, 0, 0, 0, 0, 0, action & 255, action >> 8, 0])


def _relative_spot(written: str, seat: int, players: int) -> tuple[int, int]:
    """A spot as a village, counted from a seat, and a place; 0 and 0 for none."""
    if not written:
        return 0, 0
    where = parse_spot(written)
    return ((where >> 6) - seat) % players + 1, (where & 63) + 1


class SeatHistory:
    """The last things that a seat was told and did, the latest last."""

    def __init__(self, seat: int, players: int, most: int) -> None:
        self.seat: Final = seat
        self.players: Final = players
        self.limit: Final = most  # tokens that it holds
        self.tokens: list[bytes] = []

    def copy(self) -> "SeatHistory":
        """The same memory, to be added to by itself."""
        new = SeatHistory(self.seat, self.players, self.limit)
        new.tokens = self.tokens[:]
        return new

    def add_event(self, event: Event) -> None:
        """The seat is told something."""
        self.append_token(event_token(event, self.seat, self.players))

    def add_action(self, action: int) -> None:
        """The seat does something."""
        self.append_token(action_token(action))

    def append_token(self, token: bytes) -> None:
        """Remember one thing more, and forget the oldest where there are too many."""
        self.tokens.append(token)
        if len(self.tokens) > 2 * self.limit + 8:
            self.tokens = self.tokens[-self.limit :]

    def to_bytes(self) -> bytes:
        """The tokens in a row; where there are too few yet, 0 before them."""
        last = self.tokens[-self.limit :] if self.limit else []
        return bytes(EVENT_TOKEN_SIZE * (self.limit - len(last))) + b"".join(last)


def observation_size(history: int) -> int:
    """The bytes of an observation with so much history."""
    return OBSERVATION_SIZE + EVENT_TOKEN_SIZE * history
