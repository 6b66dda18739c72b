"""A seat's view and what it was told, as lines of plain data."""

from typing import Final

from argentum.rules.events import Event
from argentum.rules.views import Card, View

PUBLIC_FIELDS: Final = (
    "boxes",
    "round",
    "turn",
    "to_move",
    "direction",
    "token",
    "token_seat",
    "token_state",
    "caller",
)
OPTIONAL_FIELDS: Final = (
    *(
        "previous",
        "turns",
        "extra_turns",
        "used",
        "resting",
        "guards",
        "named",
        "looking",
        "totals",
        "scores",
        "reason",
    ),
    *("token_was", "winner"),
)


def event_text(event: Event) -> str:
    """An event as somebody was told it: `looked A spot=A1 number=12`."""
    facts = [
        f"{name}={value}" for name, value in zip(event._fields[2:], event[2:], strict=True) if value not in ("", None)
    ]
    return " ".join([event.kind, event.seat, *facts])


def view_text(view: View) -> str:
    """All that a view says, line by line; the names and the residents follow from the seats and the deck code."""
    lines = [f"seat: {view.seat or 'none'}"]
    lines += [f"{name}: {_value_text(getattr(view, name))}" for name in PUBLIC_FIELDS]
    lines += [f"village {seat}: {_cards(cards)}" for seat, cards in view.villages.items()]
    lines += [f"private {seat}: {_cards(cards)}" for seat, cards in view.private.items() if cards]
    lines.append(f"deck: {len(view.deck)}{' faceup' * view.deck_up} {_known_deck_cards(view.deck)}".rstrip())
    lines.append(f"discard: {_cards(view.discard)}")
    lines += [f"shown: {_cards(view.shown)}"] * bool(view.shown)
    if view.asking is not None:
        asking = view.asking
        lines.append(f"asked {asking.seat}: {asking.label} {asking.step} {_value_text(asking.picked)}".rstrip(" -"))
    if view.hand is not None:
        lines.append(f"hand {view.holder}: {_card(view.hand)}")
    lines += [f"{name}: {_value_text(getattr(view, name))}" for name in OPTIONAL_FIELDS if getattr(view, name)]
    lines += ["the game is over" if view.over else "the round is over"] * view.round_over
    if view.legal:
        lines.append(f"legal: {', '.join([str(move) for move in view.legal])}")
    return "\n".join(lines)


def private_text(view: View, public: View) -> str:
    """What a seat knows of facedown cards: where each lies, and its number."""
    known = [
        f"{place}{spot_number}={card.number}"
        for (place, cards), (_, others) in zip(_card_locations(view), _card_locations(public), strict=True)
        for spot_number, (card, other) in enumerate(zip(cards, others, strict=True), 1)
        if card.number != other.number
    ]
    if view.hand is not None and public.hand is not None and view.hand.number != public.hand.number:
        known.append(f"hand={view.hand.number}")
    return " ".join(known)


def _card_locations(view: View) -> list[tuple[str, tuple[Card, ...]]]:
    """Return each location's label and its cards."""
    private = [(f"private {seat} ", cards) for seat, cards in view.private.items()]
    return [*view.villages.items(), ("deck ", view.deck), ("discard ", view.discard), ("shown ", view.shown), *private]


def _card(card: Card) -> str:
    """A card as it is seen: `7^`, `?`, `7(A)` if A has seen it, `?!` if it is known to be above 4."""
    return f"{card}{f'({card.known_by})' if card.known_by and not card.up else ''}{'!' * card.passed}"


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join([_card(card) for card in cards])


def _known_deck_cards(deck: tuple[Card, ...]) -> str:
    """The cards of the deck that somebody has seen, or knows something of, with their depth."""
    return " ".join([f"{depth}:{_card(card)}" for depth, card in enumerate(deck, 1) if card.known_by or card.passed])


def _value_text(value: object) -> str:
    if isinstance(value, dict):
        return " ".join([f"{key}={item}" for key, item in value.items()])
    if isinstance(value, tuple):
        return " ".join([">".join(item) if isinstance(item, tuple) else str(item) for item in value])
    return str(value) or "-"
