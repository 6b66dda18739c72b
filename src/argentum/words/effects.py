"""The log of an ability: whose it was, and what came of it."""

from collections.abc import Sequence

from argentum.words.decision import BEGIN
from argentum.words.entries import joined
from argentum.words.telling import Fact, Teller, Words


def ability(tell: Teller, group: Sequence[Fact]) -> Words:
    """An ability or a token at work."""
    place = next(nth for nth, fact in enumerate(group) if fact.event.kind in BEGIN)
    head, before, after = group[place], group[:place], list(group[place + 1 :])
    what: Words = [tell.token] if head.event.kind == "token" else tell.the(head)
    if head.event.kind == "used" and head.event.spot:
        what.append(f" at {tell.spot(head)}")
    what += [words for fact in before for words in _before(tell, fact)]
    looks = [fact for fact in after if fact.event.kind == "looked"]
    clauses = [words for words in [_clause(tell, fact, head, after) for fact in after] if words]
    who = tell.who(head.event.seat)
    if looks:
        spots = tell.spots(head.event.seat, [fact.event.spot for fact in looks])
        told: Words = [who, f" looked at {spots} with ", *what, *tell.seen(looks)]
        return [*told, "; ", *joined(clauses, "; ")] if clauses else told
    return [who, " used ", *what, *([": ", *joined(clauses, "; ")] if clauses else [])]


def _before(tell: Teller, fact: Fact) -> Words:
    """Where the card came from, and went, where that is not as usual."""
    if fact.event.to == "private deck":
        return [f" from {tell.seating.whose(fact.event.seat)} own deck"]
    return [", now under the deck"] if fact.event.kind == "discarded" and fact.event.to == "deck" else []


def moved(tell: Teller, group: Sequence[Fact]) -> Words:
    """Cards that a Village Idiot moves, after a Curator came between (C2)."""
    return joined([phrase(tell, fact, PHRASES["shifted"]) for fact in group], "; ")


def _clause(tell: Teller, fact: Fact, head: Fact, after: list[Fact]) -> Words:
    """What one event of an ability adds to its sentence."""
    kind = fact.event.kind
    if kind == "counted":  # all of them at the first
        counted = [one for one in after if one.event.kind == "counted"]
        return [*tell.cards(counted), " came onto the discard pile"] if fact is counted[0] else []
    if kind == "left":
        return phrase(tell, fact, LEAVES[fact.event.to])
    if kind == "kept" and fact.event.number is not None:
        return phrase(tell, fact, PHRASES[kind] + ", {card}")
    if kind in PHRASES:
        return phrase(tell, fact, ITSELF[kind] if _is_itself(tell, fact, head, after) else PHRASES[kind])
    return []


def _is_itself(tell: Teller, fact: Fact, head: Fact, after: list[Fact]) -> bool:
    """Whether an event is about the very card whose ability is at work: a Pixie, a Zombie, a Gremlin..."""
    event = fact.event
    if event.kind == "turned down":
        return head.event.kind == "ability" and event.spot == head.event.spot and fact is after[0]
    if event.kind not in ("added", "placed") or event.number is None or event.number != head.event.number:
        return False
    return head.event.kind == "ability" or tell.residents[event.number].stays  # a Golem may put in another (C11)


def phrase(tell: Teller, fact: Fact, template: str) -> Words:
    """A template filled in for a fact."""
    event, seating = fact.event, tell.seating
    names_spots = event.kind in ("switched", "shifted")
    filled = template.format(
        card="\0",
        spot=seating.spot(event.spot) if event.spot else "",
        village=seating.village(event.to if event.kind == "shuffled" else event.spot[:1] or event.seat),
        place=event.spot[1:],
        to=seating.spot(event.to) if names_spots else event.to,
        whose=seating.whose(event.seat),
        other=seating.whose(next(seat for seat in tell.seats if seat != event.seat)),
        takes=seating.does(event.seat, "take"),
    )
    before, card, behind = filled.partition("\0")
    if not card:
        return [filled]
    if event.kind == "turned up":
        return [before, *tell.one(fact), behind]
    return [before, *tell.the(fact, UNKNOWN.get(event.kind, "the card")), behind]


ITSELF = {
    "turned down": "it turned facedown",
    "placed": "it took {spot}",
    "added": "it joined {village}, at spot {place}",
}
UNKNOWN = {"placed": "a facedown card", "added": "a card"}
LEAVES = {
    "pile": "{card} of {spot} was discarded",
    "deck": "{card} of {spot} went to the bottom of the deck",
    "bottom of the pile": "{card} of {spot} went to the bottom of the discard pile",
}
PHRASES = {
    "turned up": "{spot} turned faceup, {card}",
    "turned down": "{card} at {spot} turned facedown",
    "switched": "{spot} and {to} changed places",
    "shifted": "{card} of {spot} moved to {to}",
    "rotated": "{spot} turned {to}",
    "placed": "{card} took {spot}",
    "added": "{card} joined {village}, at spot {place}",
    "stayed": "{card} at {spot} did not leave",
    "covered": "it lies on {spot}",
    "reversed": "play goes {to}",
    "skipped": "{other} turn is skipped",
    "deck turned": "the deck lies {to}",
    "kept": "one more card in {whose} own deck",
    "shuffled": "the facedown cards of {village} were shuffled",
    "extra turn": "{takes} another turn",
    "discarded": "{card} was discarded",
}
