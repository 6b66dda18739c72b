# mypyc: compile, optimize
"""Write and read the protocol's updates (docs/protocol.md)."""

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

PROTOCOL_VERSION = 3
SUPPORTED_PROTOCOLS = (2, PROTOCOL_VERSION)
DEFAULT_PROTOCOL = 2  # of clients that do not say which version they speak

# The fields of a view that differ between seats, and the fields that are the same for all seats.
SEAT_FIELDS = ("seat", "asking", "legal", "villages", "private", "deck", "shown", "discard", "hand")
CAST_FIELD = "cast"  # is not written: it follows from the deck code and the token
PUBLIC_FIELDS = tuple([name for name in View._fields if name not in SEAT_FIELDS and name != CAST_FIELD])
# Fields that are tuples in a view and lists in JSON.
TUPLE_FIELDS = ("names", "used", "resting", "named", "looking")

CARD_FLAGS = ("up", "sideways", "covered", "passed")
CARD_FIELDS = (*CARD_FLAGS, "known_by")

# JSON without spaces. An update is mostly cards, so their texts are cached. Short texts of letters and numbers, such as
# moves, are written without the encoder, whose overhead would exceed the work.
to_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


# Views and events.


@lru_cache(maxsize=4096)
def card_json(card: Card) -> str:
    """Write a card: its number, null if unknown, and the flags that are set.

    >>> card_json(Card(7, up=False, known_by="A"))
    '{"number":7,"known_by":"A"}'
    """
    flags = {key: True for key in CARD_FLAGS if getattr(card, key)}
    known_by = {"known_by": card.known_by} if card.known_by and not card.up else {}
    return to_json({"number": card.number, **flags, **known_by})


def cards_json(cards: tuple[Card, ...]) -> str:
    return f"[{','.join([card_json(card) for card in cards])}]"


def villages_json(villages: dict[str, tuple[Card, ...]]) -> str:
    return "{" + ",".join([f'"{letter}":{cards_json(cards)}' for letter, cards in villages.items()]) + "}"


@lru_cache(maxsize=256)
def resident_labels(residents: tuple[Resident, ...]) -> list[str]:
    return [resident.label for resident in residents]


@lru_cache(maxsize=4096)
def question_json(asking: Asking | None) -> str:
    if asking is None:
        return "null"
    return to_json({**asking._asdict(), "picked": [str(move) for move in asking.picked]})


def view_json(view: View, public_fields: str = "") -> str:
    """Write a view. `public_fields` is from :func:`public_view_json`, which is called if it is empty."""
    legal = ",".join([f'"{move}"' for move in view.legal])
    known = ",".join([f'"{index}":{card.number}' for index, card in enumerate(view.deck) if card.number is not None])
    private = {letter: cards for letter, cards in view.private.items() if cards}
    hand = "null" if view.hand is None else card_json(view.hand)
    return (
        f'{{"seat":"{view.seat}","asking":{question_json(view.asking)},"legal":[{legal}]'
        f',"deck":{{"cards":{len(view.deck)},"known":{{{known}}}}},{public_fields or public_view_json(view)}'
        f',"villages":{villages_json(view.villages)},"private":{villages_json(private)}'
        f',"shown":{cards_json(view.shown)},"discard":{cards_json(view.discard)},"hand":{hand}}}'
    )


def public_view_json(view: View) -> str:
    """Write the fields of a view that are the same for all seats, without braces."""
    payload = {key: getattr(view, key) for key in PUBLIC_FIELDS}
    payload["residents"] = resident_labels(view.residents)
    return to_json(payload)[1:-1]


def event_json(event: Event, public: Event) -> str:
    """Write the fields of an event that are set.

    `public` is the event as spectators see it. If only the viewer knows the card, `"secret": true` is added.
    """
    return _event_json(event, event.number != public.number)


@lru_cache(maxsize=4096)
def _event_json(event: Event, secret: bool) -> str:
    # Cached, because most events are the same for all viewers of a table.
    payload = {key: value for key, value in event._asdict().items() if value is not None and value != ""}
    return to_json({**payload, "secret": True} if secret else payload)


def round_scoring_json(scoring: RoundScoring) -> str:
    return f'{{"view":{view_json(scoring.view)},"lines":{to_json([line._asdict() for line in scoring.lines])}}}'


# Updates.


def seats_json(seats: Sequence[SeatInfo], arrangement: Mapping[str, Any]) -> str:
    """Write the seats and the arrangement, without braces. Callers can cache them, as moves rarely change them."""
    return to_json({"seats": [seat._asdict() for seat in seats], "arrangement": arrangement})[1:-1]


def table_fields_json(table: str, seq: int, stage: str, seats_fields: str, game: Game | None) -> str:
    """Write the fields that are the same for all viewers, without braces; `seats_fields` is from :func:`seats_json`."""
    fields = f"{to_json({'table': table, 'seq': seq, 'stage': stage})[1:-1]},{seats_fields}"
    if game is None:
        return fields
    payload: dict[str, Any] = {"scores": game.scores, "winner": game.winner} if game.over else {"scores": game.scores}
    return f"{fields},{to_json(payload)[1:-1]}"


def update_json(
    role: str,
    table_fields: str,
    session: GameSession | None,
    since: int | None,
    clock: float | None = None,
    protocol: int = PROTOCOL_VERSION,
) -> tuple[str, int]:
    """Write an update for a role, with the events from index `since`; return it with the number of events so far.

    `table_fields` is from :func:`table_fields_json`. For a new viewer, `since` is None: the update has all events, but
    not the scoring of the last round. In memory mode, it has the events as spectators see them.
    """
    head = f'{{"type":"update","protocol":{protocol},"seat":"{seat_of(role)}"'
    if session is None:
        return f"{head},{table_fields}}}", 0
    memory = session.memory_of(role)
    is_held, start = role in session.held, since or 0
    event_count = len(session.public_events() if is_held else memory.events)  # without the events of a held move
    events = memory.events[start:event_count]
    # Only events with a face can be secret, so public events are built only if there are some.
    has_faces = any([event.number is not None for event in events])
    public = session.public_events()[start:] if has_faces else events
    if since is None and session.memory_mode:
        events = public
    choice = session.choice_number(role)
    head += f',"choice":{"null" if choice is None else choice},"clock":{"null" if clock is None else clock}'
    events_text = ",".join([event_json(*pair) for pair in zip(events, public, strict=True)])
    public_fields = (
        public_view_json(memory.view) if is_held else session.cached_text("view", lambda: public_view_json(memory.view))
    )
    round_ended = since is not None and any([event.kind == "token went" for event in events])
    scoring = round_scoring_json(round_scoring(session.game, seat_of(role))) if round_ended else "null"
    view = view_json(session.view(role), public_fields)
    return f'{head},"events":[{events_text}],{table_fields},"view":{view},"reckoning":{scoring}}}', event_count


# Reading.


class ObservedEvent(NamedTuple):
    """An event as one viewer and as spectators see it."""

    event: Event
    public: Event


def read_card(payload: dict[str, Any]) -> Card:
    return Card(payload["number"], **{"up": False, **{key: payload[key] for key in CARD_FIELDS if key in payload}})


def read_cards(payloads: Sequence[dict[str, Any]]) -> tuple[Card, ...]:
    return tuple([read_card(payload) for payload in payloads])


def read_question(payload: dict[str, Any] | None) -> Asking | None:
    if payload is None:
        return None
    picked = tuple([Move.of(move) for move in payload["picked"]])
    return Asking(payload["seat"], payload["label"], payload["step"], picked, tuple(payload["depths"]))


def read_view(payload: dict[str, Any]) -> View:
    """Read a view. Cards of the deck and faceup cards get no `known_by`, because updates do not contain it."""
    fields = {key: payload[key] for key in View._fields if key != CAST_FIELD}
    known = {int(index): number for index, number in payload["deck"]["known"].items()}
    for key in TUPLE_FIELDS:
        fields[key] = tuple(payload[key])
    for key in ("villages", "private"):
        fields[key] = {seat: read_cards(payload[key].get(seat, ())) for seat in payload["totals"]}
    for key in ("shown", "discard"):
        fields[key] = read_cards(payload[key])
    fields["guards"] = tuple([tuple(pair) for pair in payload["guards"]])
    fields["asking"] = read_question(payload["asking"])
    fields["legal"] = tuple([Move.of(move) for move in payload["legal"]])
    fields["hand"] = None if payload["hand"] is None else read_card(payload["hand"])
    fields["deck"] = tuple(
        [Card(known.get(index), up=payload["deck_up"] and index == 0) for index in range(payload["deck"]["cards"])]
    )
    cast = cast_of(payload["boxes"], payload["token"])
    fields[CAST_FIELD], fields["residents"] = cast, tuple(cast.residents)
    return View(**fields)


def read_event(payload: dict[str, Any]) -> ObservedEvent:
    event = Event(**{key: payload[key] for key in Event._fields if key in payload})
    return ObservedEvent(event, event._replace(number=None) if payload.get("secret") else event)


def read_round_scoring(payload: dict[str, Any]) -> RoundScoring:
    lines = [ScoreLine(**{key: line[key] for key in ScoreLine._fields}) for line in payload["lines"]]
    return RoundScoring(read_view(payload["view"]), tuple(lines))
