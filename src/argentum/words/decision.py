"""One moment of a game as its reader sees it: the view, what happened in this turn, and whose ability is at work."""

from collections.abc import Sequence
from typing import NamedTuple

from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.words.seating import Seating, seating_of

BEGIN = ("used", "ability", "token")


class Prompt(NamedTuple):
    """What the reader may do now, more quietly how or why, and the number of the resident whose ability asks."""

    title: str
    detail: str
    source: int | None


class Asker(NamedTuple):
    """The ability that was begun last: its label (D8; D14 for a token), its number, and the events since."""

    label: str
    number: int | None  # of the resident; None for a token
    since: tuple[Event, ...]

    def last(self, kind: str) -> Event | None:
        """The last event of a kind that it has brought."""
        return last_of(self.since, kind)


class Decision:
    """A moment of a game, with what the sentences about it lean on."""

    def __init__(self, view: View, events: Sequence[Event]) -> None:
        self.view = view
        self.now: list[Event] = this_turn(events)
        self.seating: Seating = seating_of(view)
        self.words = {move.verb for move in view.legal}  # what may be done, without what it is done to
        self.plain = {str(move) for move in view.legal if not move.spot}
        self.asker = _asker(view, self.now)

    def resident(self, number: int | None, unknown: str = "a card") -> str:
        """A resident by name, with the definite article; or what stands for a card that the reader does not know."""
        return unknown if number is None else f"the {self.view.residents[number].name}"

    @property
    def hand(self) -> str:
        """The card in hand, which its holder may not know (a facedown card that was taken, C11)."""
        return self.resident(None if self.view.hand is None else self.view.hand.number, "a facedown card")


def this_turn(events: Sequence[Event]) -> list[Event]:
    """The events of the turn (or of the first look, or the end of the round) that is going on."""
    starts = [place for place, event in enumerate(events) if event.kind in ("turn", "dealt", "round ended")]
    return list(events[starts[-1] :] if starts else events)


def last_of(events: Sequence[Event], *kinds: str) -> Event | None:
    """The last event of these kinds."""
    return next((event for event in reversed(events) if event.kind in kinds), None)


def _asker(view: View, now: list[Event]) -> Asker | None:
    """The ability of this turn that was begun last; but a Curator's that did its one thing is over (C2)."""
    for place in range(len(now) - 1, -1, -1):
        event, since = now[place], tuple(now[place + 1 :])
        if event.kind == "token":
            return Asker(f"{view.token[0].upper()}14", None, since)
        if event.kind in BEGIN and event.number is not None:
            label = view.residents[event.number].label
            if label != "C2" or last_of(since, "rotated", "left", "stayed") is None:
                return Asker(label, event.number, since)
    return None
