"""The log of a card in hand: drawn or taken, discarded, or exchanged for others."""

from collections.abc import Sequence

from argentum.rules.residents import TIMING_DRAWN
from argentum.words.log.abilities import SOURCE_CLAUSES
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase


def hand_sentence(tell: LogPhrases, group: Sequence[LoggedEvent]) -> tuple[str, Phrase]:
    """What became of a card in hand: the kind of action, and its sentence."""
    facts = {kind: [fact for fact in group if fact.event.kind == kind] for kind in {one.event.kind for one in group}}
    kind, words = _outcome(tell, group[0], facts)
    for fact in facts.get("guard ended", []):
        words += ["; ", tell.guard_ended(fact)]
    return kind, [tell.player(group[0].event.seat), *words]


def _outcome(tell: LogPhrases, head: LoggedEvent, facts: dict[str, list[LoggedEvent]]) -> tuple[str, Phrase]:
    if "failed" in facts:
        return "failed", _failed(tell, facts)
    if "placed" in facts:
        return "exchanged", _exchanged(tell, facts)
    if "stayed" in facts and len(facts.get("discarded", facts.get("added", []))) == 1:
        return "failed", _stayed(tell, facts)
    if "showed" in facts or "stayed" in facts:
        shown = facts.get("showed") or facts["stayed"]
        return "showed", [f" showed {_spots_phrase(tell, shown)}: ", *tell.cards(shown)]
    if "discarded" in facts:
        return "discarded", _discarded(tell, facts)
    if "added" in facts:
        return "exchanged", [
            " had to keep ",
            *tell.definite_card(facts["added"][0]),
            f", at {tell.spot(facts['added'][0])}",
        ]
    return head.event.kind, _drawn_or_taken(tell, head)


def _spots_phrase(tell: LogPhrases, facts: Sequence[LoggedEvent]) -> str:
    return tell.spots(facts[0].event.seat, [fact.event.spot for fact in facts])


def _drawn_or_taken(tell: LogPhrases, head: LoggedEvent) -> Phrase:
    """The card is drawn or taken, and no more so far."""
    if head.event.kind == "took":
        return [*_took_phrase(tell, head), " from the discard pile", _depth_clause(head)]
    return [" drew ", *tell.definite_card(head), *_draw_source(tell, head)]


def _took_phrase(tell: LogPhrases, head: LoggedEvent) -> Phrase:
    return [" took ", *tell.definite_card(head, "a facedown card")]


def _depth_clause(head: LoggedEvent) -> str:
    """How deep in the discard pile a card lay that an ability took (C10, A10)."""
    return "" if head.event.depth is None else f", {head.event.depth} down"


def _draw_source(tell: LogPhrases, head: LoggedEvent) -> Phrase:
    """Where a drawn card came from, if not from the top of the deck."""
    source = SOURCE_CLAUSES.get(head.event.source)
    return [] if source is None else [source.format(whose=tell.player_names.possessive(head.event.seat))]


def _discarded(tell: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    fact = facts["discarded"][0]
    number = fact.event.number
    source = _draw_source(tell, facts["drew"][0]) if "drew" in facts else []
    timing = "" if number is None else tell.residents[number].timing
    unused = [", unused"] if timing == TIMING_DRAWN else []
    if fact.event.goes == "deck bottom":
        comma = "," * (source == [SOURCE_CLAUSES["shown"]])
        return [" put ", *tell.definite_card(fact), *source, f"{comma} under the deck", *unused]
    return [" discarded ", *tell.definite_card(fact), *source, *unused]


def _exchanged(tell: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    """One card or a set makes room for the card in hand (G10)."""
    left, placed = facts["left"], facts["placed"][0]
    spots = _spots_phrase(tell, left)
    if "took" in facts:
        words: Phrase = [*_took_phrase(tell, facts["took"][0]), *_from_below(facts["took"][0]), f" for {spots}"]
    elif placed.event.number is None:
        words = [f" exchanged {spots}"]
    else:
        words = [f" exchanged {spots} for ", *tell.definite_card(placed)]
    source = _draw_source(tell, facts["drew"][0]) if "drew" in facts else []
    if source:
        words += ["," * (not str(source[0]).startswith(",")), *source]
    under = left[0].event.goes == "deck bottom"
    words += [", putting " if under else ", discarding ", *tell.cards(left), " under the deck" * under]
    if len(left) > 1:
        words.append(f"; the new card is at {tell.spot(placed)}")
    for fact in facts.get("stayed", []):
        words += ["; ", *tell.definite_card(fact), f" at {tell.spot(fact)} did not leave"]
    return words


def _from_below(head: LoggedEvent) -> Phrase:
    """From where in the discard pile, if not from its top."""
    return [f" from the discard pile{_depth_clause(head)},"] if head.event.depth is not None else []


def _tried_phrase(tell: LogPhrases, facts: dict[str, list[LoggedEvent]], tried: Sequence[LoggedEvent]) -> Phrase:
    """An exchange that does not come off: of which cards, and for which, if it was taken."""
    spots = _spots_phrase(tell, tried)
    if "took" in facts:
        return [*_took_phrase(tell, facts["took"][0]), *_from_below(facts["took"][0]), f" for {spots}, but "]
    return [f" tried to exchange {spots}, but "]


def _failed(tell: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    """The cards do not match (G11)."""
    shown, added = facts["showed"], facts.get("added", [])
    words: Phrase = [*_tried_phrase(tell, facts, shown), *tell.cards(shown), " do not match"]
    for place, fact in enumerate(added):
        words += ["; ", *tell.definite_card(fact, "the card in hand" if place == 0 else "a card of the deck")]
        words.append(f" joined at {tell.spot(fact)}")
    return words


def _stayed(tell: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    """Only cards that cling were to go, and none did (D4)."""
    words: Phrase = [*_tried_phrase(tell, facts, facts["stayed"]), *tell.cards(facts["stayed"]), " did not leave; "]
    if "discarded" in facts:
        return [*words, *tell.definite_card(facts["discarded"][0]), " was discarded"]
    return [*words, *tell.definite_card(facts["added"][0]), f" joined at {tell.spot(facts['added'][0])}"]
