# mypyc: compile
"""Events of a game, as data.

Events are public except for the number of a card, which goes only to the viewers that knew it at that moment. Tables
record plain tuples (:data:`RawEvent`). A seat or watcher receives :class:`Event`, with named fields.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from argentum.rules.notation import SEAT_LETTERS, spot_text

# Kind, acting seat, spot or -1, number of the card or -1, bit mask of viewers that know it, value that depends on kind,
# number of the action
RawEvent: TypeAlias = tuple[int, int, int, int, int, int, int]

DEALT: Final = 0
LOOKED: Final = 1
TURN: Final = 2
DREW: Final = 3
TOOK: Final = 4
CALLED: Final = 5
DISCARDED: Final = 6
USED: Final = 7
SHOWED: Final = 8
FAILED: Final = 9
PLACED: Final = 10
ADDED: Final = 11
STAYED: Final = 12
LEFT: Final = 13
TURNED_UP: Final = 14
TURNED_DOWN: Final = 15
SWITCHED: Final = 16
SHIFTED: Final = 17
ROTATED: Final = 18
ABILITY: Final = 19
TOKEN: Final = 20
COVERED: Final = 21
REVERSED: Final = 22
SKIPPED: Final = 23
DECK_TURNED: Final = 24
KEPT: Final = 25
COUNTED: Final = 26
SHUFFLED: Final = 27
EXTRA_TURN: Final = 28
ROUND_ENDED: Final = 29
REVEALED: Final = 30
GAVE: Final = 31
REMOVED: Final = 32
SCORED: Final = 33
TOKEN_WENT: Final = 34
WON: Final = 35
DISPLAYED: Final = 36
GUARDED: Final = 37
GUARD_ENDED: Final = 38

EVENT_KINDS: Final = (
    "dealt",
    "looked",
    "turn",
    "drew",
    "took",
    "called",
    "discarded",
    "used",
    "showed",
    "failed",
    "placed",
    "added",
    "stayed",
    "left",
    "turned up",
    "turned down",
    "switched",
    "shifted",
    "rotated",
    "ability",
    "token",
    "covered",
    "reversed",
    "skipped",
    "deck turned",
    "kept",
    "counted",
    "shuffled",
    "extra turn",
    "round ended",
    "revealed",
    "gave",
    "removed",
    "scored",
    "token went",
    "won",
    "displayed",
    "guarded",
    "guard ended",
)

# Destinations of cards that leave a hand or a village.
TO_DISCARD: Final = 0
TO_DECK_BOTTOM: Final = 1
TO_DISCARD_BOTTOM: Final = 2
OUT_OF_ROUND: Final = 3
DESTINATIONS: Final = ("discard", "deck bottom", "discard bottom", "out")

# Sources of drawn cards. Higher values are places among the shown cards, from 1.
FROM_DECK: Final = -1
FROM_PRIVATE: Final = 0

# Reasons for the end of a round.
ENDED_BY_CALL: Final = 0
ENDED_BY_DECK: Final = 1
ENDED_BY_TURN_CAP: Final = 2
ENDED_BY_RESIDENTS: Final = 3
END_REASONS: Final = ("call", "deck", "turn cap", "residents")

EVENT_CACHE_SIZE: Final = 16_384  # entries


class Event(NamedTuple):
    """An event as a viewer receives it. `number` is None if the viewer may not know it."""

    kind: str
    seat: str  # the acting seat
    spot: str = ""  # of the card that the event is about
    number: int | None = None  # of the card
    to: str = ""  # the card's new spot, or the spot of the other card
    goes: str = ""  # where a card that leaves a hand or village goes: one of DESTINATIONS
    source: str = ""  # where a card outside the villages was drawn or looked at: deck, private, shown
    village: str = ""  # the seat whose village the event is about
    lies: str = ""  # the new state: sideways, upright; faceup, facedown; clockwise ...; active, idle
    depth: int | None = None  # of the card in the discard pile or deck, or its place among the shown, from 1
    token: str = ""
    round: int | None = None  # the round that is dealt
    points: int | None = None
    reason: str = ""  # why a round ended: one of END_REASONS
    action: int = 0  # number of the action that caused it; the events of an action follow each other


def event_for_viewer(raw: RawEvent, knows: bool, token: str) -> Event:
    """Return an event for a viewer; `knows` says whether that viewer knows the number of its card."""
    kind, seat, spot, number, _, extra, action = raw
    return _cached_event(kind, seat, spot, number if knows else -1, extra, token, action)


@lru_cache(EVENT_CACHE_SIZE)
def _cached_event(kind: int, seat: int, spot: int, number: int, extra: int, token: str, action: int) -> Event:
    """Build an event. The cache shares equal events between viewers, which saves memory on servers."""
    seen = number if number >= 0 else None
    written_spot = spot_text(spot) if spot >= 0 else ""
    fields = _extra_fields(kind, extra, token)
    return Event(EVENT_KINDS[kind], SEAT_LETTERS[seat], written_spot, seen, action=action, **fields)


def _extra_fields(kind: int, extra: int, token: str) -> dict[str, Any]:
    """Decode the last value of a raw event into fields, by kind."""
    if kind in (SWITCHED, SHIFTED, GAVE, GUARDED):
        return {"to": spot_text(extra)}
    if kind in (LEFT, DISCARDED, REMOVED):
        return {"goes": DESTINATIONS[extra]}
    if kind in _STATES:
        return {"lies": _STATES[kind][1 if extra > 0 else 0], **({"token": token} if kind == TOKEN_WENT else {})}
    if kind in (TOKEN, COVERED):
        return {"token": token}
    if kind == DREW:
        return _draw_fields(extra)
    if kind == LOOKED:
        return {"source": "deck", "depth": extra} if extra > 0 else {}
    if kind == TOOK:
        return {"depth": extra} if extra > 0 else {}
    if kind == DISPLAYED:
        return {"depth": extra}
    if kind == SHUFFLED:
        return {"village": SEAT_LETTERS[extra]}
    if kind == DEALT:
        return {"round": extra}
    if kind == SCORED:
        return {"points": extra}
    if kind == ROUND_ENDED:
        return {"reason": END_REASONS[extra]}
    return {}


_STATES: Final = {
    ROTATED: ("upright", "sideways"),
    REVERSED: ("counterclockwise", "clockwise"),
    DECK_TURNED: ("facedown", "faceup"),
    TOKEN_WENT: ("idle", "active"),
}


def _draw_fields(extra: int) -> dict[str, Any]:
    if extra > FROM_PRIVATE:
        return {"source": "shown", "depth": extra}
    return {"source": "private" if extra == FROM_PRIVATE else "deck"}
