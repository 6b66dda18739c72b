"""A seat's view and what it was told: in words and, for tensors, in numbers."""

from typing import Final, TypeAlias

from argentum.rules.events import KINDS, PLACES, Event
from argentum.rules.notation import SEATS, parse_spot
from argentum.rules.views import Card, View

# Something that a seat was told: what, who, where, which number, to or from where, value; each from 1, and 0 for none.
# Seats are counted clockwise from the one that is told, spots as the rules do (64 for each seat).
Row: TypeAlias = tuple[int, int, int, int, int, int]
OWN_MOVE: Final = len(KINDS) + 1  # the seat did something: the value is its action
SPOTS: Final = 64 * len(SEATS)
DIRECTIONS: Final = ("clockwise", "counterclockwise")
WORDS: Final = (*PLACES, "private deck", "sideways", "upright", *DIRECTIONS, "faceup", "facedown", "active", "idle")
PUBLIC: Final = ("boxes", "round", "turn", "to_move", "direction", "token", "token_seat", "token_state", "caller")
COUNTS: Final = ("previous", "turns", "extra_turns", "used", "resting", "named", "looking", "totals", "scores")


def told_row(event: Event, seat: int, players: int) -> Row:
    """An event as a seat was told it, in numbers."""
    return (
        KINDS.index(event.kind) + 1,
        (SEATS.index(event.seat) - seat) % players + 1,
        _spot(event.spot, seat, players),
        0 if event.number is None else event.number + 1,
        _other(event.to, seat, players),
        0 if event.value is None else event.value + (event.value >= 0),
    )


def _spot(written: str, seat: int, players: int) -> int:
    """A spot, its village counted from a seat; 0 for none."""
    if not written:
        return 0
    where = parse_spot(written)
    return ((where >> 6) - seat) % players * 64 + (where & 63) + 1


def _other(written: str, seat: int, players: int) -> int:
    """Where something goes: a spot, a village, or one of a few words."""
    if written in WORDS:
        return SPOTS + WORDS.index(written) + 1
    if len(written) == 1:
        return SPOTS + len(WORDS) + (SEATS.index(written) - seat) % players + 1
    return _spot(written, seat, players)


def view_text(view: View) -> str:
    """All that a view says, line by line; the names and the residents follow from the seats and the deck code."""
    lines = [f"seat: {view.seat or 'none'}"]
    lines += [f"{name}: {_plain(getattr(view, name))}" for name in PUBLIC]
    lines += [f"village {seat}: {_cards(cards)}" for seat, cards in view.villages.items()]
    lines += [f"private {seat}: {_cards(cards)}" for seat, cards in view.private.items() if cards]
    lines.append(f"deck: {len(view.deck)}{' faceup' * view.deck_up} {_known(view.deck)}".rstrip())
    lines.append(f"discard: {_cards(view.discard)}")
    if view.hand is not None:
        lines.append(f"hand {view.holder}: {_card(view.hand)}")
    lines += [f"{name}: {_plain(getattr(view, name))}" for name in COUNTS if getattr(view, name)]
    lines += ["the game is over" if view.over else "the round is over"] * view.round_over
    if view.legal:
        lines.append(f"legal: {', '.join([str(move) for move in view.legal])}")
    return "\n".join(lines)


def private_text(view: View, public: View) -> str:
    """What a seat knows of facedown cards: where each lies, and its number."""
    known = [
        f"{place}{nth}={card.number}"
        for (place, cards), (_, others) in zip(_places(view), _places(public), strict=True)
        for nth, (card, other) in enumerate(zip(cards, others, strict=True), 1)
        if card.number != other.number
    ]
    if view.hand is not None and public.hand is not None and view.hand.number != public.hand.number:
        known.append(f"hand={view.hand.number}")
    return " ".join(known)


def _places(view: View) -> list[tuple[str, tuple[Card, ...]]]:
    """Where cards lie, with the name of the place."""
    private = [(f"private {seat} ", cards) for seat, cards in view.private.items()]
    return [*view.villages.items(), ("deck ", view.deck), ("discard ", view.discard), *private]


def _card(card: Card) -> str:
    """A card as it is seen: `7^`, `?`, `7(A)` if A has seen it, `?!` if it is known to be above 4."""
    return f"{card}{f'({card.known_by})' if card.known_by and not card.up else ''}{'!' * card.passed}"


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join([_card(card) for card in cards])


def _known(deck: tuple[Card, ...]) -> str:
    """The cards of the deck that somebody has seen, or knows something of, with their depth."""
    return " ".join([f"{nth}:{_card(card)}" for nth, card in enumerate(deck, 1) if card.known_by or card.passed])


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return " ".join([f"{key}={one}" for key, one in value.items()])
    if isinstance(value, tuple):
        return " ".join([str(one) for one in value])
    return str(value) or "-"
