"""The log of an ability: whose it was, and what came of it."""

from collections.abc import Sequence
from itertools import groupby

from argentum.words.log.entries import joined
from argentum.words.log.phrases import Fact, Teller, Words

BEGIN = ("used", "ability", "token")


def ability(tell: Teller, group: Sequence[Fact]) -> Words:
    """An ability or a token at work."""
    place = next(nth for nth, fact in enumerate(group) if fact.event.kind in BEGIN)
    head, before, after = group[place], group[:place], list(group[place + 1 :])
    what: Words = [tell.token] if head.event.kind == "token" else tell.the(head)
    if head.event.kind == "used" and head.event.spot:
        what.append(f" at {tell.spot(head)}")
    what += [words for fact in before for words in _before(tell, fact)]
    who = tell.who(head.event.seat)
    runs = [list(run) for _, run in groupby(after, key=_run)]
    if runs and runs[0][0].event.kind == "looked":
        looks = runs.pop(0)
        opening: Words = [who, f" looked at {tell.looked_at(looks)} with ", *what, *tell.seen(looks)]
        between = "; "
    else:
        opening, between = [who, " used ", *what], ": "
    clauses = [words for run in runs for words in _clauses(tell, run, head, after)]
    return [*opening, between, *joined(clauses, "; ")] if clauses else opening


def _run(fact: Fact) -> tuple[str, str]:
    """What makes events that follow each other one clause."""
    return fact.event.kind, fact.event.source


def _before(tell: Teller, fact: Fact) -> Words:
    """Where the card came from, and went, where that is not as usual."""
    event = fact.event
    if event.kind == "drew":
        return [SOURCES.get(event.source, "").format(whose=tell.seating.whose(event.seat))]
    return [", now under the deck"] if event.kind == "discarded" and event.goes == "deck bottom" else []


def moved(tell: Teller, group: Sequence[Fact]) -> Words:
    """Cards that move on, after another ability came between (C2)."""
    return joined([phrase(tell, fact, PHRASES["shifted"]) for fact in group], "; ")


def _clauses(tell: Teller, run: list[Fact], head: Fact, after: list[Fact]) -> list[Words]:
    """What events of one kind that follow each other add to an ability's sentence."""
    kind = run[0].event.kind
    if kind == "counted":
        return [[*tell.cards(run), " came onto the discard pile"]]
    if kind == "looked":
        return [[f"then looked at {tell.looked_at(run)}", *tell.seen(run)]]
    if kind == "showed":
        return _showed(tell, run, {fact.event.kind for fact in after})
    if kind == "left" and len(run) > 1:
        goes = LEAVE[run[0].event.goes].format(were="were")
        return [[*tell.cards(run), f" of {tell.seating.spots([fact.event.spot for fact in run])} {goes}"]]
    if kind == "left":
        return [phrase(tell, run[0], "{card} of {spot} " + LEAVE[run[0].event.goes].format(were="was"))]
    if kind == "guard ended":
        return [[tell.guard_over(fact)] for fact in run]
    return [words for words in [_clause(tell, fact, head, after) for fact in run] if words]


def _showed(tell: Teller, run: list[Fact], kinds: set[str]) -> list[Words]:
    """Several cards are shown (G10, D5); once they have left, that tells which they were."""
    if "left" in kinds:
        return []
    spots = tell.seating.spots([fact.event.spot for fact in run])
    if "failed" in kinds:
        return [[*tell.cards(run), f" of {spots} do not match"]]
    return [[f"{spots} showed ", *tell.cards(run)]]


def _clause(tell: Teller, fact: Fact, head: Fact, after: list[Fact]) -> Words:
    """What one event of an ability adds to its sentence."""
    kind = fact.event.kind
    own = tell.voice(head).says.get(kind)
    if own:
        return phrase(tell, fact, own)
    if kind == "kept" and fact.event.number is not None:
        return phrase(tell, fact, PHRASES[kind] + ", {card}")
    if kind in PHRASES:
        return phrase(tell, fact, ITSELF[kind] if _is_itself(tell, fact, head, after) else PHRASES[kind])
    return []


def _is_itself(tell: Teller, fact: Fact, head: Fact, after: list[Fact]) -> bool:
    """Whether an event is about the very card whose ability is at work: one that turns itself down, or that joins."""
    event = fact.event
    if event.kind == "turned down":
        return head.event.kind == "ability" and event.spot == head.event.spot and fact is after[0]
    if event.kind not in ("added", "placed") or event.number is None or event.number != head.event.number:
        return False
    return (
        head.event.kind == "ability" or tell.residents[event.number].joins_village
    )  # a Golem may put in another (C11)


def phrase(tell: Teller, fact: Fact, template: str) -> Words:
    """A template filled in for a fact."""
    event, seating = fact.event, tell.seating
    filled = template.format(
        card="\0",
        spot=seating.spot(event.spot) if event.spot else "",
        village=seating.village(event.village or event.spot[:1] or event.seat),
        place=event.spot[1:],
        to=seating.spot(event.to) if event.to else "",
        lies=event.lies,
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


SOURCES = {"private": " from {whose} own deck", "shown": ", shown beside the deck"}
ITSELF = {
    "turned down": "it turned facedown",
    "placed": "it took {spot}",
    "added": "it joined {village}, at spot {place}",
}
UNKNOWN = {"placed": "a facedown card", "added": "a card"}
LEAVE = {
    "discard": "{were} discarded",
    "deck bottom": "went to the bottom of the deck",
    "discard bottom": "went to the bottom of the discard pile",
}
PHRASES = {
    "turned up": "{spot} turned faceup, {card}",
    "turned down": "{card} at {spot} turned facedown",
    "switched": "{spot} and {to} traded places",
    "shifted": "{card} of {spot} moved to {to}",
    "rotated": "{spot} turned {lies}",
    "placed": "{card} took {spot}",
    "added": "{card} joined {village}, at spot {place}",
    "stayed": "{card} at {spot} did not leave",
    "covered": "it lies on {spot}",
    "guarded": "it guards {to}",
    "reversed": "play goes {lies}",
    "skipped": "{other} turn is skipped",
    "deck turned": "the deck lies {lies}",
    "kept": "one more card in {whose} own deck",
    "shuffled": "the facedown cards of {village} were shuffled",
    "extra turn": "{takes} another turn",
    "discarded": "{card} was discarded",
}
