"""How one action is told: which kind of sentence, and those that stand by themselves."""

from collections.abc import Callable, Sequence

from argentum.words.decision import BEGIN
from argentum.words.effects import ability, moved
from argentum.words.entries import Chip, Part, as_sentence, joined
from argentum.words.hands import hand
from argentum.words.telling import Fact, Teller, Words


def account(tell: Teller, group: Sequence[Fact]) -> tuple[str, tuple[Part, ...]]:
    """The kind of an action, and its sentence; no words where there is nothing to tell."""
    kind = next((fact.event.kind for fact in group if fact.event.kind in BEGIN), group[0].event.kind)
    if kind in FIXED:
        return kind, FIXED[kind]
    if kind in BEGIN:
        return kind, as_sentence(ability(tell, group))
    if kind in ALONE:
        return kind, as_sentence(ALONE[kind](tell, group))
    kind, words = hand(tell, group)
    return kind, as_sentence(words)


def _dealt(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    return [
        f"round {event.value} begins: ",
        tell.who(event.seat),
        " start" if event.seat == tell.seating.me else " starts",
    ]


def _looked(tell: Teller, group: Sequence[Fact]) -> Words:
    seat, looks = group[0].event.seat, sorted(group, key=lambda fact: fact.event.spot)
    return [tell.who(seat), f" looked at {tell.spots(seat, [fact.event.spot for fact in looks])}", *tell.seen(looks)]


def _called(tell: Teller, group: Sequence[Fact]) -> Words:
    seat = group[0].event.seat
    others = [other for other in tell.seats if other != seat]
    rest = tell.seating.does(others[0], "have") if len(others) == 1 else "everyone else has"
    return [tell.who(seat), f" called for a vote: {rest} one more turn"]


def _revealed(tell: Teller, group: Sequence[Fact]) -> Words:
    cards: list[Words] = [[f"{tell.spot(fact)}, ", *tell.one(fact)] for fact in group]
    return [tell.who(group[0].event.seat), " revealed ", *joined(cards, "; ")]


def _gave(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    card: Words = [*tell.the(group[0]), f" of {tell.spot(group[0])}"]
    return [tell.who(event.seat), " gave ", *card, f" to {tell.seating.name(event.to[0])} with the ", Chip(0, False)]


def _removed(tell: Teller, group: Sequence[Fact]) -> Words:
    card: Words = [*tell.the(group[0]), f" of {tell.spot(group[0])}"]
    return [tell.who(group[0].event.seat), " left out ", *card, " with the ", Chip(0, False)]


def _scored(tell: Teller, group: Sequence[Fact]) -> Words:
    first, *others = group
    scores: list[Words] = [[tell.who(first.event.seat), f" scored {first.event.value}"]]
    scores += [[tell.who(fact.event.seat), f" {fact.event.value}"] for fact in others]
    return joined(scores, ", ", " and ")


def _token_went(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    return [f"{tell.token} goes to ", tell.who(event.seat), ", ready for use" if event.to == "active" else ", idle"]


FIXED: dict[str, tuple[Part, ...]] = {"turn": (), "round ended": ("The round is over.",)}
ALONE: dict[str, Callable[[Teller, Sequence[Fact]], Words]] = {
    "dealt": _dealt,
    "looked": _looked,
    "called": _called,
    "shifted": moved,
    "revealed": _revealed,
    "gave": _gave,
    "removed": _removed,
    "scored": _scored,
    "token went": _token_went,
    "won": lambda tell, group: [tell.who(group[0].event.seat), " won the game"],
}
