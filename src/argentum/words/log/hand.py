"""The log of a card in hand: drawn or taken, discarded, or exchanged for others."""

from collections.abc import Sequence

from argentum.rules.residents import TIMING_DRAWN
from argentum.words.log.abilities import SOURCES
from argentum.words.log.phrases import Fact, Teller, Words


def hand(tell: Teller, group: Sequence[Fact]) -> tuple[str, Words]:
    """What became of a card in hand: the kind of action, and its sentence."""
    facts = {kind: [fact for fact in group if fact.event.kind == kind] for kind in {one.event.kind for one in group}}
    kind, words = _became(tell, group[0], facts)
    for fact in facts.get("guard ended", []):
        words += ["; ", tell.guard_over(fact)]
    return kind, [tell.who(group[0].event.seat), *words]


def _became(tell: Teller, head: Fact, facts: dict[str, list[Fact]]) -> tuple[str, Words]:
    if "failed" in facts:
        return "failed", _failed(tell, facts)
    if "placed" in facts:
        return "exchanged", _exchanged(tell, facts)
    if "stayed" in facts and len(facts.get("discarded", facts.get("added", []))) == 1:
        return "failed", _stayed(tell, facts)
    if "showed" in facts or "stayed" in facts:
        shown = facts.get("showed") or facts["stayed"]
        return "showed", [f" showed {_spots(tell, shown)}: ", *tell.cards(shown)]
    if "discarded" in facts:
        return "discarded", _discarded(tell, facts)
    if "added" in facts:
        return "exchanged", [" had to keep ", *tell.the(facts["added"][0]), f", at {tell.spot(facts['added'][0])}"]
    return head.event.kind, _came(tell, head)


def _spots(tell: Teller, facts: Sequence[Fact]) -> str:
    return tell.spots(facts[0].event.seat, [fact.event.spot for fact in facts])


def _came(tell: Teller, head: Fact) -> Words:
    """The card is drawn or taken, and no more so far."""
    if head.event.kind == "took":
        return [*_took(tell, head), " from the discard pile", _down(head)]
    return [" drew ", *tell.the(head), *_source(tell, head)]


def _took(tell: Teller, head: Fact) -> Words:
    return [" took ", *tell.the(head, "a facedown card")]


def _down(head: Fact) -> str:
    """How deep in the discard pile a card lay that an ability took (C10, A10)."""
    return "" if head.event.depth is None else f", {head.event.depth} down"


def _source(tell: Teller, head: Fact) -> Words:
    """Where a drawn card came from, if not from the top of the deck."""
    source = SOURCES.get(head.event.source)
    return [] if source is None else [source.format(whose=tell.seating.whose(head.event.seat))]


def _discarded(tell: Teller, facts: dict[str, list[Fact]]) -> Words:
    fact = facts["discarded"][0]
    number = fact.event.number
    source = _source(tell, facts["drew"][0]) if "drew" in facts else []
    timing = "" if number is None else tell.residents[number].timing
    unused = [", unused"] if timing == TIMING_DRAWN else []
    if fact.event.goes == "deck bottom":
        comma = "," * (source == [SOURCES["shown"]])
        return [" put ", *tell.the(fact), *source, f"{comma} under the deck", *unused]
    return [" discarded ", *tell.the(fact), *source, *unused]


def _exchanged(tell: Teller, facts: dict[str, list[Fact]]) -> Words:
    """One card or a set makes room for the card in hand (G10)."""
    left, placed = facts["left"], facts["placed"][0]
    spots = _spots(tell, left)
    if "took" in facts:
        words: Words = [*_took(tell, facts["took"][0]), *_from_below(facts["took"][0]), f" for {spots}"]
    elif placed.event.number is None:
        words = [f" exchanged {spots}"]
    else:
        words = [f" exchanged {spots} for ", *tell.the(placed)]
    source = _source(tell, facts["drew"][0]) if "drew" in facts else []
    if source:
        words += ["," * (not str(source[0]).startswith(",")), *source]
    under = left[0].event.goes == "deck bottom"
    words += [", putting " if under else ", discarding ", *tell.cards(left), " under the deck" * under]
    if len(left) > 1:
        words.append(f"; the new card is at {tell.spot(placed)}")
    for fact in facts.get("stayed", []):
        words += ["; ", *tell.the(fact), f" at {tell.spot(fact)} did not leave"]
    return words


def _from_below(head: Fact) -> Words:
    """From where in the discard pile, if not from its top."""
    return [f" from the discard pile{_down(head)},"] if head.event.depth is not None else []


def _tried(tell: Teller, facts: dict[str, list[Fact]], tried: Sequence[Fact]) -> Words:
    """An exchange that does not come off: of which cards, and for which, if it was taken."""
    spots = _spots(tell, tried)
    if "took" in facts:
        return [*_took(tell, facts["took"][0]), *_from_below(facts["took"][0]), f" for {spots}, but "]
    return [f" tried to exchange {spots}, but "]


def _failed(tell: Teller, facts: dict[str, list[Fact]]) -> Words:
    """The cards do not match (G11)."""
    shown, added = facts["showed"], facts.get("added", [])
    words: Words = [*_tried(tell, facts, shown), *tell.cards(shown), " do not match"]
    for place, fact in enumerate(added):
        words += ["; ", *tell.the(fact, "the card in hand" if place == 0 else "a card of the deck")]
        words.append(f" joined at {tell.spot(fact)}")
    return words


def _stayed(tell: Teller, facts: dict[str, list[Fact]]) -> Words:
    """Only cards that cling were to go, and none did (D4)."""
    words: Words = [*_tried(tell, facts, facts["stayed"]), *tell.cards(facts["stayed"]), " did not leave; "]
    if "discarded" in facts:
        return [*words, *tell.the(facts["discarded"][0]), " was discarded"]
    return [*words, *tell.the(facts["added"][0]), f" joined at {tell.spot(facts['added'][0])}"]
