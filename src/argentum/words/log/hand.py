"""The log of a card in hand: drawn or taken, discarded, or exchanged for others."""

from collections.abc import Sequence

from argentum.rules.residents import TIMING_DRAWN
from argentum.words.log.abilities import SOURCE_CLAUSES
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase


def hand_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> tuple[str, Phrase]:
    """What became of a card in hand: the kind of action, and its sentence."""
    facts = {
        kind: [fact for fact in group if fact.event.kind == kind] for kind in {member.event.kind for member in group}
    }
    kind, words = _outcome(phrases, group[0], facts)
    for fact in facts.get("guard ended", []):
        words += ["; ", phrases.guard_ended(fact)]
    return kind, [phrases.player(group[0].event.seat), *words]


def _outcome(phrases: LogPhrases, head: LoggedEvent, facts: dict[str, list[LoggedEvent]]) -> tuple[str, Phrase]:
    if "failed" in facts:
        return "failed", _failed(phrases, facts)
    if "placed" in facts:
        return "exchanged", _exchanged(phrases, facts)
    if "stayed" in facts and len(facts.get("discarded", facts.get("added", []))) == 1:
        return "failed", _stayed(phrases, facts)
    if "showed" in facts or "stayed" in facts:
        shown = facts.get("showed") or facts["stayed"]
        return "showed", [f" showed {_spots_phrase(phrases, shown)}: ", *phrases.cards(shown)]
    if "discarded" in facts:
        return "discarded", _discarded(phrases, facts)
    if "added" in facts:
        return "exchanged", [
            " had to keep ",
            *phrases.definite_card(facts["added"][0]),
            f", at {phrases.spot(facts['added'][0])}",
        ]
    return head.event.kind, _drawn_or_taken(phrases, head)


def _spots_phrase(phrases: LogPhrases, facts: Sequence[LoggedEvent]) -> str:
    return phrases.spots(facts[0].event.seat, [fact.event.spot for fact in facts])


def _drawn_or_taken(phrases: LogPhrases, head: LoggedEvent) -> Phrase:
    """The card is drawn or taken, and no more so far."""
    if head.event.kind == "took":
        return [*_took_phrase(phrases, head), " from the discard pile", _depth_clause(head)]
    return [" drew ", *phrases.definite_card(head), *_draw_source(phrases, head)]


def _took_phrase(phrases: LogPhrases, head: LoggedEvent) -> Phrase:
    return [" took ", *phrases.definite_card(head, "a facedown card")]


def _depth_clause(head: LoggedEvent) -> str:
    """How deep in the discard pile a card lay that an ability took (C10, A10)."""
    return "" if head.event.depth is None else f", {head.event.depth} down"


def _draw_source(phrases: LogPhrases, head: LoggedEvent) -> Phrase:
    """Where a drawn card came from, if not from the top of the deck."""
    source = SOURCE_CLAUSES.get(head.event.source)
    return [] if source is None else [source.format(whose=phrases.player_names.possessive(head.event.seat))]


def _discarded(phrases: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    fact = facts["discarded"][0]
    number = fact.event.number
    source = _draw_source(phrases, facts["drew"][0]) if "drew" in facts else []
    timing = "" if number is None else phrases.residents[number].timing
    unused = [", unused"] if timing == TIMING_DRAWN else []
    if fact.event.goes == "deck bottom":
        comma = "," * (source == [SOURCE_CLAUSES["shown"]])
        return [" put ", *phrases.definite_card(fact), *source, f"{comma} under the deck", *unused]
    return [" discarded ", *phrases.definite_card(fact), *source, *unused]


def _exchanged(phrases: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    """One card or a set makes room for the card in hand (G10)."""
    left, placed = facts["left"], facts["placed"][0]
    spots = _spots_phrase(phrases, left)
    if "took" in facts:
        words: Phrase = [*_took_phrase(phrases, facts["took"][0]), *_from_below(facts["took"][0]), f" for {spots}"]
    elif placed.event.number is None:
        words = [f" exchanged {spots}"]
    else:
        words = [f" exchanged {spots} for ", *phrases.definite_card(placed)]
    source = _draw_source(phrases, facts["drew"][0]) if "drew" in facts else []
    if source:
        words += ["," * (not str(source[0]).startswith(",")), *source]
    under = left[0].event.goes == "deck bottom"
    words += [", putting " if under else ", discarding ", *phrases.cards(left), " under the deck" * under]
    if len(left) > 1:
        words.append(f"; the new card is at {phrases.spot(placed)}")
    for fact in facts.get("stayed", []):
        words += ["; ", *phrases.definite_card(fact), f" at {phrases.spot(fact)} did not leave"]
    return words


def _from_below(head: LoggedEvent) -> Phrase:
    """From where in the discard pile, if not from its top."""
    return [f" from the discard pile{_depth_clause(head)},"] if head.event.depth is not None else []


def _tried_phrase(phrases: LogPhrases, facts: dict[str, list[LoggedEvent]], tried: Sequence[LoggedEvent]) -> Phrase:
    """An exchange that does not come off: of which cards, and for which, if it was taken."""
    spots = _spots_phrase(phrases, tried)
    if "took" in facts:
        return [*_took_phrase(phrases, facts["took"][0]), *_from_below(facts["took"][0]), f" for {spots}, but "]
    return [f" tried to exchange {spots}, but "]


def _failed(phrases: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    """The cards do not match (G11)."""
    shown, added = facts["showed"], facts.get("added", [])
    words: Phrase = [*_tried_phrase(phrases, facts, shown), *phrases.cards(shown), " do not match"]
    for place, fact in enumerate(added):
        words += ["; ", *phrases.definite_card(fact, "the card in hand" if place == 0 else "a card of the deck")]
        words.append(f" joined at {phrases.spot(fact)}")
    return words


def _stayed(phrases: LogPhrases, facts: dict[str, list[LoggedEvent]]) -> Phrase:
    """Only cards that cling were to go, and none did (D4)."""
    words: Phrase = [
        *_tried_phrase(phrases, facts, facts["stayed"]),
        *phrases.cards(facts["stayed"]),
        " did not leave; ",
    ]
    if "discarded" in facts:
        return [*words, *phrases.definite_card(facts["discarded"][0]), " was discarded"]
    return [*words, *phrases.definite_card(facts["added"][0]), f" joined at {phrases.spot(facts['added'][0])}"]
