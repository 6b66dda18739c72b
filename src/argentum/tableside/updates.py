"""How a table stands, as JSON: what the protocol tells a seat, and the same read back. docs/protocol.md has it all."""

import json
from functools import lru_cache
from typing import Any, NamedTuple

from argentum.rules.boxes import cast_of
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.residents import Resident
from argentum.rules.scoring import Line
from argentum.rules.table import NO_SEAT
from argentum.rules.views import Card, View, view_of

VERSION = 1

# The fields of a view that differ from seat to seat, and those that do not.
OWN_FIELDS = ("seat", "legal", "villages", "private", "deck", "discard", "hand")
OPEN_FIELDS = tuple([name for name in View._fields if name not in OWN_FIELDS])

MARKS = ("up", "sideways", "covered", "passed")
CARD_MARKS = (*MARKS, "known_by")

# JSON without spaces. Card by card it is made once and kept: a table's update is mostly cards.
packed = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=4096)
def card_json(card: Card) -> str:
    """A card: its number (null: unknown), and only those marks that it has.

    >>> card_json(Card(7, up=False, known_by="A"))
    '{"number":7,"known_by":"A"}'
    """
    marks = {key: True for key in MARKS if getattr(card, key)}
    known = {"known_by": card.known_by} if card.known_by and not card.up else {}
    return packed({"number": card.number, **marks, **known})


def cards_json(cards: tuple[Card, ...]) -> str:
    """Several cards."""
    return f"[{','.join([card_json(card) for card in cards])}]"


def rows_json(rows: dict[str, tuple[Card, ...]]) -> str:
    """Several cards for each seat."""
    return "{" + ",".join([f'"{letter}":{cards_json(cards)}' for letter, cards in rows.items()]) + "}"


@lru_cache(maxsize=256)
def labels(residents: tuple[Resident, ...]) -> list[str]:
    """The labels of a deck's residents."""
    return [resident.label for resident in residents]


def view_json(view: View, open_fields: str = "") -> str:
    """A seat's view: the fields of :class:`argentum.View`; legal moves as their texts, residents as their labels."""
    form = {
        "seat": view.seat,
        "legal": [str(move) for move in view.legal],
        "deck": {
            "cards": len(view.deck),
            "known": {str(nth): card.number for nth, card in enumerate(view.deck) if card.number is not None},
        },
    }
    private = {letter: cards for letter, cards in view.private.items() if cards}
    hand = "null" if view.hand is None else card_json(view.hand)
    return (
        f"{packed(form)[:-1]},{open_fields or open_json(view)}"
        f',"villages":{rows_json(view.villages)},"private":{rows_json(private)}'
        f',"discard":{cards_json(view.discard)},"hand":{hand}}}'
    )


def open_json(view: View) -> str:
    """The fields of a view that are the same for every seat, without braces."""
    form = {key: getattr(view, key) for key in OPEN_FIELDS}
    form["residents"] = labels(view.residents)
    return packed(form)[1:-1]


def event_json(event: Event, public: Event) -> dict[str, Any]:
    """Something that happened; `public` is the same event as those who only watch were told it."""
    form = {key: value for key, value in event._asdict().items() if value is not None and value != ""}
    return form if event.number == public.number else {**form, "secret": True}


def reckoned_view(game: Game, seat: str) -> View:
    """The last table of the last finished round: every village is open to everybody (G15), and nothing else."""
    table = game.finished[-1]
    told, end = [view_of(table, game.names, viewer, NO_SEAT, [], False) for viewer in (NO_SEAT, 0)]
    return told._replace(seat=seat, villages=end.villages)


def reckoning_json(game: Game, seat: str) -> str:
    """How the last finished round was scored: its last table, and the score line by line."""
    view = reckoned_view(game, seat)
    lines = packed([line._asdict() for line in game.explain(view.round)])
    return f'{{"view":{view_json(view)},"lines":{lines}}}'


# The same read back.


class Told(NamedTuple):
    """An event as an update tells it, and as those who only watch were told it."""

    event: Event
    public: Event


class Reckoning(NamedTuple):
    """How a round was scored: a view of its last table, and the score line by line."""

    view: View
    lines: tuple[Line, ...]


def read_card(form: dict[str, Any]) -> Card:
    """A card of an update."""
    return Card(form["number"], **{"up": False, **{key: form[key] for key in CARD_MARKS if key in form}})


def read_view(form: dict[str, Any]) -> View:
    """The view of an update. Who knows cards of the deck, or faceup cards, is not in it."""
    given = {key: form[key] for key in View._fields}
    known = {int(place): number for place, number in form["deck"]["known"].items()}
    for key in ("names", "used", "resting", "named", "looking"):
        given[key] = tuple(form[key])
    for key in ("villages", "private"):
        given[key] = {seat: tuple([read_card(card) for card in form[key].get(seat, ())]) for seat in form["totals"]}
    given["legal"] = tuple([Move.of(move) for move in form["legal"]])
    given["discard"] = tuple([read_card(card) for card in form["discard"]])
    given["hand"] = None if form["hand"] is None else read_card(form["hand"])
    given["deck"] = tuple(
        [Card(known.get(nth), up=form["deck_up"] and nth == 0) for nth in range(form["deck"]["cards"])]
    )
    given["residents"] = tuple(cast_of(form["boxes"], form["token"]).residents)
    return View(**given)


def read_event(form: dict[str, Any]) -> Told:
    """An event of an update."""
    event = Event(
        form["kind"], form["seat"], form.get("spot", ""), form.get("number"), form.get("to", ""), form.get("value"),
        form["text"],
    )  # fmt: skip
    return Told(event, event._replace(number=None) if form.get("secret") else event)


def read_reckoning(form: dict[str, Any]) -> Reckoning:
    """The reckoning of an update."""
    lines = [Line(*[line[key] for key in Line._fields]) for line in form["lines"]]
    return Reckoning(read_view(form["view"]), tuple(lines))
