"""Views and events as text, for the observation strings of OpenSpiel."""

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
    """Format an event, without the number of its action: `looked A spot=A1 number=12`."""
    fields = [
        f"{name}={value}"
        for name, value in zip(event._fields, event, strict=True)
        if name not in ("kind", "seat", "action") and value not in ("", None)
    ]
    return " ".join([event.kind, event.seat, *fields])


def view_text(view: View) -> str:
    """Format a view without names and residents, which follow from the seats and the deck code."""
    lines = [f"seat: {view.seat or 'none'}"]
    lines += [f"{name}: {_value_text(getattr(view, name))}" for name in PUBLIC_FIELDS]
    lines += [f"village {seat}: {_cards_text(cards)}" for seat, cards in view.villages.items()]
    lines += [f"private {seat}: {_cards_text(cards)}" for seat, cards in view.private.items() if cards]
    lines.append(f"deck: {len(view.deck)}{' faceup' * view.deck_up} {_known_deck_cards(view.deck)}".rstrip())
    lines.append(f"discard: {_cards_text(view.discard)}")
    lines += [f"shown: {_cards_text(view.shown)}"] * bool(view.shown)
    if view.asking is not None:
        asking = view.asking
        lines.append(f"asked {asking.seat}: {asking.label} {asking.step} {_value_text(asking.picked)}".rstrip(" -"))
    if view.hand is not None:
        lines.append(f"hand {view.holder}: {_card_text(view.hand)}")
    lines += [f"{name}: {_value_text(getattr(view, name))}" for name in OPTIONAL_FIELDS if getattr(view, name)]
    lines += ["the game is over" if view.over else "the round is over"] * view.round_over
    if view.legal:
        lines.append(f"legal: {', '.join([str(move) for move in view.legal])}")
    return "\n".join(lines)


def private_text(view: View, public_view: View) -> str:
    """List the cards that the seat of `view` knows and `public_view` does not show: `A1=12 deck 1=7`."""
    known = [
        f"{location}{place}={card.number}"
        for (location, cards), (_, public_cards) in zip(
            _card_locations(view), _card_locations(public_view), strict=True
        )
        for place, (card, public_card) in enumerate(zip(cards, public_cards, strict=True), 1)
        if card.number != public_card.number
    ]
    if view.hand is not None and public_view.hand is not None and view.hand.number != public_view.hand.number:
        known.append(f"hand={view.hand.number}")
    return " ".join(known)


def _card_locations(view: View) -> list[tuple[str, tuple[Card, ...]]]:
    """Return for each village, pile and private deck the prefix of its place names, and its cards."""
    private = [(f"private {seat} ", cards) for seat, cards in view.private.items()]
    return [*view.villages.items(), ("deck ", view.deck), ("discard ", view.discard), ("shown ", view.shown), *private]


def _card_text(card: Card) -> str:
    """Format a card: `7^` faceup, `?` unknown, `7(A)` seen by A, `?!` known to be above 4."""
    return f"{card}{f'({card.known_by})' if card.known_by and not card.up else ''}{'!' * card.passed}"


def _cards_text(cards: tuple[Card, ...]) -> str:
    return " ".join([_card_text(card) for card in cards])


def _known_deck_cards(deck: tuple[Card, ...]) -> str:
    """List the cards of the deck that a seat has seen or knows to be above 4: `depth:card`."""
    return " ".join(
        [f"{depth}:{_card_text(card)}" for depth, card in enumerate(deck, 1) if card.known_by or card.passed]
    )


def _value_text(value: object) -> str:
    if isinstance(value, dict):
        return " ".join([f"{key}={item}" for key, item in value.items()])
    if isinstance(value, tuple):
        return " ".join([">".join(item) if isinstance(item, tuple) else str(item) for item in value])
    return str(value) or "-"
