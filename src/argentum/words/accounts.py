"""How one action is told: which kind of sentence, and those that stand by themselves."""

from collections.abc import Callable, Sequence

from argentum.words.effects import BEGIN, ability, moved
from argentum.words.entries import Chip, Part, as_sentence, joined
from argentum.words.hands import hand
from argentum.words.seating import signed
from argentum.words.sentences import why
from argentum.words.telling import Fact, Teller, Words


def account(tell: Teller, group: Sequence[Fact]) -> tuple[str, tuple[Part, ...]]:
    """The kind of an action, and its sentence; no words where there is nothing to tell."""
    kind = next((fact.event.kind for fact in group if fact.event.kind in BEGIN), group[0].event.kind)
    if kind == "turn":
        return kind, ()
    if kind in BEGIN:
        return kind, as_sentence(ability(tell, group))
    if kind in ALONE:
        return kind, as_sentence(ALONE[kind](tell, group))
    kind, words = hand(tell, group)
    return kind, as_sentence(words)


def _dealt(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    starts = " start" if event.seat == tell.seating.me else " starts"
    return [f"round {event.round} begins: ", tell.who(event.seat), starts]


def _looked(tell: Teller, group: Sequence[Fact]) -> Words:
    looks = list(group) if group[0].event.source else sorted(group, key=lambda fact: fact.event.spot)
    return [tell.who(group[0].event.seat), f" looked at {tell.looked_at(looks)}", *tell.seen(looks)]


def _called(tell: Teller, group: Sequence[Fact]) -> Words:
    seat = group[0].event.seat
    others = [other for other in tell.seats if other != seat]
    rest = tell.seating.does(others[0], "have") if len(others) == 1 else "everyone else has"
    return [tell.who(seat), f" called for a vote: {rest} one more turn"]


def _displayed(tell: Teller, group: Sequence[Fact]) -> Words:
    """Cards come to lie beside the deck (A1)."""
    return [*tell.cards(group), f" {'was' if len(group) == 1 else 'were'} turned up beside the deck"]


def _round_ended(tell: Teller, group: Sequence[Fact]) -> Words:
    return [f"the round is over: {why(group[0].event.reason, tell.residents)}"]


def _revealed(tell: Teller, group: Sequence[Fact]) -> Words:
    cards: list[Words] = [[f"{tell.spot(fact)}, ", *tell.one(fact)] for fact in group]
    return [tell.who(group[0].event.seat), " revealed ", *joined(cards, "; ")]


def _with(tell: Teller) -> Words:
    """The resident that acts after the reveal (G15)."""
    return [] if tell.closer is None else [" with the ", Chip(tell.closer, False)]


def _gave(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    card: Words = [*tell.the(group[0]), f" of {tell.spot(group[0])}"]
    return [tell.who(event.seat), " gave ", *card, f" to {tell.seating.name(event.to[0])}", *_with(tell)]


def _removed(tell: Teller, group: Sequence[Fact]) -> Words:
    card: Words = [*tell.the(group[0]), f" of {tell.spot(group[0])}"]
    return [tell.who(group[0].event.seat), " left out ", *card, *_with(tell)]


def _scored(tell: Teller, group: Sequence[Fact]) -> Words:
    first, *others = group
    scores: list[Words] = [[tell.who(first.event.seat), f" scored {signed(first.event.points or 0)}"]]
    scores += [[tell.who(fact.event.seat), f" {signed(fact.event.points or 0)}"] for fact in others]
    return joined(scores, ", ", " and ")


def _token_went(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    return [f"{tell.token} goes to ", tell.who(event.seat), ", ready for use" if event.lies == "active" else ", idle"]


ALONE: dict[str, Callable[[Teller, Sequence[Fact]], Words]] = {
    "dealt": _dealt,
    "looked": _looked,
    "called": _called,
    "shifted": moved,
    "displayed": _displayed,
    "guard ended": lambda tell, group: joined([[tell.guard_over(fact)] for fact in group], "; "),
    "round ended": _round_ended,
    "revealed": _revealed,
    "gave": _gave,
    "removed": _removed,
    "scored": _scored,
    "token went": _token_went,
    "won": lambda tell, group: [tell.who(group[0].event.seat), " won the game"],
}
