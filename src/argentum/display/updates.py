"""How a table stands, as JSON: what the protocol tells a seat, and the same read back. docs/protocol.md has it all."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from argentum.display.results import RoundScoring, round_scoring
from argentum.display.scene import SeatInfo
from argentum.display.session import GameSession, seat_of
from argentum.rules.boxes import cast_of
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.residents import Resident
from argentum.rules.scoring import ScoreLine
from argentum.rules.views import Asking, Card, View

PROTOCOL_VERSION = 2

# The fields of a view that differ from seat to seat, and those that do not.
SEAT_FIELDS = ("seat", "asking", "legal", "villages", "private", "deck", "shown", "discard", "hand")
PUBLIC_FIELDS = tuple([name for name in View._fields if name not in SEAT_FIELDS])
# Those that a view has as tuples, which JSON has as lists.
TUPLE_FIELDS = ("names", "used", "resting", "named", "looking")

CARD_FLAGS = ("up", "sideways", "covered", "passed")
CARD_FIELDS = (*CARD_FLAGS, "known_by")

# JSON without spaces. Card by card it is made once and kept: a table's update is mostly cards. (An encoder costs more
# than it writes, where that is a few numbers and letters; moves are plain letters too.)
to_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


# A seat's view, and what happened.


@lru_cache(maxsize=4096)
def card_json(card: Card) -> str:
    """A card: its number (null: unknown), and only those marks that it has.

    >>> card_json(Card(7, up=False, known_by="A"))
    '{"number":7,"known_by":"A"}'
    """
    marks = {key: True for key in CARD_FLAGS if getattr(card, key)}
    known = {"known_by": card.known_by} if card.known_by and not card.up else {}
    return to_json({"number": card.number, **marks, **known})


def cards_json(cards: tuple[Card, ...]) -> str:
    """Several cards."""
    return f"[{','.join([card_json(card) for card in cards])}]"


def villages_json(rows: dict[str, tuple[Card, ...]]) -> str:
    """Several cards for each seat."""
    return "{" + ",".join([f'"{letter}":{cards_json(cards)}' for letter, cards in rows.items()]) + "}"


@lru_cache(maxsize=256)
def resident_labels(residents: tuple[Resident, ...]) -> list[str]:
    """The labels of a deck's residents."""
    return [resident.label for resident in residents]


@lru_cache(maxsize=4096)
def asking_json(asking: Asking | None) -> str:
    """What is asked, with the moves that were made in answer to it so far as their texts."""
    if asking is None:
        return "null"
    return to_json({**asking._asdict(), "picked": [str(move) for move in asking.picked]})


def view_json(view: View, open_fields: str = "") -> str:
    """A seat's view: the fields of :class:`argentum.View`; moves as their texts, residents as their labels."""
    legal = ",".join([f'"{move}"' for move in view.legal])
    known = ",".join([f'"{nth}":{card.number}' for nth, card in enumerate(view.deck) if card.number is not None])
    private = {letter: cards for letter, cards in view.private.items() if cards}
    hand = "null" if view.hand is None else card_json(view.hand)
    return (
        f'{{"seat":"{view.seat}","asking":{asking_json(view.asking)},"legal":[{legal}]'
        f',"deck":{{"cards":{len(view.deck)},"known":{{{known}}}}},{open_fields or public_view_json(view)}'
        f',"villages":{villages_json(view.villages)},"private":{villages_json(private)}'
        f',"shown":{cards_json(view.shown)},"discard":{cards_json(view.discard)},"hand":{hand}}}'
    )


def public_view_json(view: View) -> str:
    """The fields of a view that are the same for every seat, without braces."""
    form = {key: getattr(view, key) for key in PUBLIC_FIELDS}
    form["residents"] = resident_labels(view.residents)
    return to_json(form)[1:-1]


def event_json(event: Event, public: Event) -> str:
    """Something that happened, with the fields that it has.

    `public` is the same event as those who only watch were told it; what it does not tell them is a secret.
    """
    return _event_json(event, event.number != public.number)


@lru_cache(maxsize=4096)
def _event_json(event: Event, secret: bool) -> str:
    """The same; most events are told to every reader of a table alike."""
    form = {key: value for key, value in event._asdict().items() if value is not None and value != ""}
    return to_json({**form, "secret": True} if secret else form)


def round_scoring_json(end: RoundScoring) -> str:
    """How a round was scored: its last table, and the score line by line."""
    return f'{{"view":{view_json(end.view)},"lines":{to_json([line._asdict() for line in end.lines])}}}'


# A whole update.


def seats_json(seats: Sequence[SeatInfo], arrangement: Mapping[str, Any]) -> str:
    """Who sits at a table, and its settings, without braces: hardly any move changes that."""
    return to_json({"seats": [seat._asdict() for seat in seats], "arrangement": arrangement})[1:-1]


def table_fields_json(table: str, seq: int, stage: str, party: str, game: Game | None) -> str:
    """What is the same for every reader of a table, without braces; `game` is the one that is played, or just was.

    `party` is from :func:`party_json`.
    """
    told = f"{to_json({'table': table, 'seq': seq, 'stage': stage})[1:-1]},{party}"
    if game is None:
        return told
    form: dict[str, Any] = {"scores": game.scores, "winner": game.winner} if game.over else {"scores": game.scores}
    return f"{told},{to_json(form)[1:-1]}"


def update_json(
    role: str, table: str, sitting: GameSession | None, since: int | None, clock: float | None = None
) -> tuple[str, int]:
    """The state of a table for a role, with what happened since so many events; and how many there are now.

    `table` is from :func:`table_json`. Who has just come gives None: with memory, they are not told again what they
    once saw, and of no round how it was scored.
    """
    head = f'{{"type":"update","protocol":{PROTOCOL_VERSION},"seat":"{seat_of(role)}"'
    if sitting is None:
        return f"{head},{table}}}", 0
    recall = sitting.memory_of(role)
    held, start = role in sitting.held, since or 0
    happened = len(sitting.public_events() if held else recall.events)  # what is held back has not happened yet
    events = recall.events[start:happened]
    # Only what shows a face can be a secret; what everybody was told is made once for all, and only for that.
    faces = any([event.number is not None for event in events])
    public = sitting.public_events()[start:] if faces else events
    if since is None and sitting.memory_mode:
        events = public
    choice = sitting.choice_number(role)
    head += f',"choice":{"null" if choice is None else choice},"clock":{"null" if clock is None else clock}'
    told = ",".join([event_json(*both) for both in zip(events, public, strict=True)])
    open_fields = (
        public_view_json(recall.view) if held else sitting.cached_text("view", lambda: public_view_json(recall.view))
    )
    ended = since is not None and any([event.kind == "token went" for event in events])
    reckoning = round_scoring_json(round_scoring(sitting.game, seat_of(role))) if ended else "null"
    view = view_json(sitting.view(role), open_fields)
    return f'{head},"events":[{told}],{table},"view":{view},"reckoning":{reckoning}}}', happened


# The same read back.


class ObservedEvent(NamedTuple):
    """An event as an update tells it, and as those who only watch were told it."""

    event: Event
    public: Event


def read_card(form: dict[str, Any]) -> Card:
    """A card of an update."""
    return Card(form["number"], **{"up": False, **{key: form[key] for key in CARD_FIELDS if key in form}})


def read_cards(forms: Sequence[dict[str, Any]]) -> tuple[Card, ...]:
    """Several cards of an update."""
    return tuple([read_card(form) for form in forms])


def read_asking(form: dict[str, Any] | None) -> Asking | None:
    """What an update says is asked."""
    if form is None:
        return None
    picked = tuple([Move.of(move) for move in form["picked"]])
    return Asking(form["seat"], form["label"], form["step"], picked, tuple(form["depths"]))


def read_view(form: dict[str, Any]) -> View:
    """The view of an update. Who knows cards of the deck, or faceup cards, is not in it."""
    given = {key: form[key] for key in View._fields}
    known = {int(place): number for place, number in form["deck"]["known"].items()}
    for key in TUPLE_FIELDS:
        given[key] = tuple(form[key])
    for key in ("villages", "private"):
        given[key] = {seat: read_cards(form[key].get(seat, ())) for seat in form["totals"]}
    for key in ("shown", "discard"):
        given[key] = read_cards(form[key])
    given["guards"] = tuple([tuple(pair) for pair in form["guards"]])
    given["asking"] = read_asking(form["asking"])
    given["legal"] = tuple([Move.of(move) for move in form["legal"]])
    given["hand"] = None if form["hand"] is None else read_card(form["hand"])
    given["deck"] = tuple(
        [Card(known.get(nth), up=form["deck_up"] and nth == 0) for nth in range(form["deck"]["cards"])]
    )
    given["residents"] = tuple(cast_of(form["boxes"], form["token"]).residents)
    return View(**given)


def read_event(form: dict[str, Any]) -> ObservedEvent:
    """An event of an update."""
    event = Event(**{key: form[key] for key in Event._fields if key in form})
    return ObservedEvent(event, event._replace(number=None) if form.get("secret") else event)


def read_round_scoring(form: dict[str, Any]) -> RoundScoring:
    """The reckoning of an update."""
    lines = [ScoreLine(**{key: line[key] for key in ScoreLine._fields}) for line in form["lines"]]
    return RoundScoring(read_view(form["view"]), tuple(lines))
