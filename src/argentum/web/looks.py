"""Cards that a reader has just looked at, for the moment in which they turn towards the reader."""

from collections.abc import Sequence
from typing import NamedTuple

from argentum import words
from argentum.display.scene import Portrait, portrait
from argentum.rules.events import Event
from argentum.rules.views import View


class Look(NamedTuple):
    """A card in a village, and what the reader saw there."""

    place: str
    portrait: Portrait


def looks_of(events: Sequence[Event], view: View) -> list[Look]:
    """The cards of villages that the reader of a view looked at in these events; none for whoever only watches."""
    return [
        Look(event.spot, portrait(view.residents[event.number]))
        for event in events
        if event.kind == "looked" and event.seat == view.seat and event.spot and event.number is not None
    ]


def title_of(looks: Sequence[Look], nth: int, view: View) -> str:
    """Which card one of them is, in words."""
    return words.looked_at(looks[nth].place, nth + 1, len(looks), view)
