"""What others did to cards since the reader's last turn, so that the cards can show it: who looked, for example."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from argentum.rules.events import Event
from argentum.words import site_texts

LOOK, SWITCH, PUT, TURN = "eye", "switch", "drawn", "again"
WORDS = {LOOK: site_texts.LOOKED, SWITCH: site_texts.SWITCHED, PUT: site_texts.PUT, TURN: site_texts.TURNED}
DEEDS = {"looked": LOOK, "placed": PUT, "added": PUT, "turned up": TURN, "turned down": TURN}
# The same for a line of the story, which also tells of what leaves no trace.
SIGNS = DEEDS | {"switched": SWITCH, "gave": SWITCH, "shifted": SWITCH, "called": "bell", "discarded": "leaf"}
SIGNS |= dict.fromkeys(("drew", "took", "showed", "stayed", "failed", "used", "ability"), "leaf")
MOST_TABLES = 4_096  # whose players' initials are kept
UNSETTLING = ("shifted", "gave", "removed", "shuffled")  # after them nobody can say which card lay where


class Trace(NamedTuple):
    """What was done to the card in a spot."""

    sign: str
    seat: str
    initial: str
    words: str


def traces_of(events: Sequence[Event], names: Sequence[str], letters: str, me: str) -> dict[str, Trace]:
    """The traces on the cards as they lie now, by spot; `letters` are the seats. What it shows, everybody was told.

    They stay until the reader's next turn is over. Whoever only watches sees those of the last turns of all others.
    """
    marks: dict[str, tuple[str, str]] = {}
    left: list[str] = []
    for event in events[_since(events, me, len(letters)) :]:
        left = _move(marks, left, event)
        if event.seat == me:
            continue
        if event.kind == "switched":
            marks[event.spot] = marks[event.to] = (SWITCH, event.seat)
        elif event.kind in DEEDS and event.spot:
            marks[event.spot] = (DEEDS[event.kind], event.seat)
    initials = dict(zip(letters, initials_of(tuple(names)), strict=True))
    named = dict(zip(letters, names, strict=True))
    return {
        spot: Trace(sign, seat, initials[seat], WORDS[sign].format(named[seat])) for spot, (sign, seat) in marks.items()
    }


@lru_cache(MOST_TABLES)
def initials_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """A letter for each name; two where two names begin alike. A space is none of them.

    >>> initials_of(("Ann", "bo", "Bess")), initials_of(("A Bell", "Ann"))
    (('A', 'bo', 'Be'), ('A', 'An'))
    """
    firsts = [name[:1].casefold() for name in names]
    return tuple(
        [
            name[:1].upper() if firsts.count(first) == 1 else name[:2].strip()
            for name, first in zip(names, firsts, strict=True)
        ]
    )


def _since(events: Sequence[Event], me: str, seats: int) -> int:
    """Where what is traced begins: after the reader's last turn that is over, but in this round."""
    starts: list[int] = []  # of turns since then, the last first
    for nth in range(len(events) - 1, -1, -1):
        if events[nth].kind == "dealt":
            return nth
        if events[nth].kind == "turn":
            if starts and (events[nth].seat == me or (not me and len(starts) == seats)):
                return starts[-1]
            starts.append(nth)
    return 0


def _move(marks: dict[str, tuple[str, str]], left: list[str], event: Event) -> list[str]:
    """Let marks go with their cards, as far as that is certain; the cards that left in this action so far."""
    if event.kind in ("turn", "drew", "took", "used", "ability"):
        return []
    if event.kind == "left":
        marks.pop(event.spot, None)
        return [*left, event.spot]
    if event.kind == "placed" and left == [event.spot]:  # one card for one: the others lie as they lay
        marks.pop(event.spot, None)
        return []
    if event.kind in UNSETTLING or (event.kind == "placed" and left):
        villages = {spot[0] for spot in (event.spot, event.to, event.village, *left) if spot}
        for spot in [spot for spot in marks if spot[0] in villages]:
            del marks[spot]
        return []
    return left
