# mypyc: compile
"""Log sentences of draws, discards and exchanges."""

from collections.abc import Sequence

from argentum.rules.residents import TIMING_DRAWN
from argentum.words.log.abilities import SOURCE_CLAUSES
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase


def hand_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> tuple[str, Phrase]:
    """Return the kind and the sentence of an action with a card in hand."""
    events_by_kind = {
        kind: [logged for logged in group if logged.event.kind == kind]
        for kind in {member.event.kind for member in group}
    }
    kind, words = _outcome_phrase(phrases, group[0], events_by_kind)
    for logged in events_by_kind.get("guard ended", []):
        words += ["; ", phrases.guard_ended_phrase(logged)]
    return kind, [phrases.player(group[0].event.seat), *words]


def _outcome_phrase(
    phrases: LogPhrases, head: LoggedEvent, events_by_kind: dict[str, list[LoggedEvent]]
) -> tuple[str, Phrase]:
    if "failed" in events_by_kind:
        return "failed", _failed_phrase(phrases, events_by_kind)
    if "placed" in events_by_kind:
        return "exchanged", _exchanged_phrase(phrases, events_by_kind)
    if "stayed" in events_by_kind and len(events_by_kind.get("discarded", events_by_kind.get("added", []))) == 1:
        return "failed", _stayed_phrase(phrases, events_by_kind)
    if "showed" in events_by_kind or "stayed" in events_by_kind:
        shown = events_by_kind.get("showed") or events_by_kind["stayed"]
        return "showed", [f" showed {_spots_phrase(phrases, shown)}: ", *phrases.cards_phrase(shown)]
    if "discarded" in events_by_kind:
        return "discarded", _discarded_phrase(phrases, events_by_kind)
    if "added" in events_by_kind:
        return "exchanged", [
            " had to keep ",
            *phrases.definite_card(events_by_kind["added"][0]),
            f", at {phrases.spot_phrase(events_by_kind['added'][0])}",
        ]
    return head.event.kind, _drawn_or_taken_phrase(phrases, head)


def _spots_phrase(phrases: LogPhrases, logged_events: Sequence[LoggedEvent]) -> str:
    return phrases.spots_phrase(logged_events[0].event.seat, [logged.event.spot for logged in logged_events])


def _drawn_or_taken_phrase(phrases: LogPhrases, head: LoggedEvent) -> Phrase:
    """Describe a draw or take whose card is still in hand."""
    if head.event.kind == "took":
        return [*_took_phrase(phrases, head), " from the discard pile", _depth_clause(head)]
    return [" drew ", *phrases.definite_card(head), *_draw_source_phrase(phrases, head)]


def _took_phrase(phrases: LogPhrases, head: LoggedEvent) -> Phrase:
    return [" took ", *phrases.definite_card(head, "a facedown card")]


def _depth_clause(head: LoggedEvent) -> str:
    """Return a clause such as ", 3 down" for a card that an ability took from the discard pile (C10, A10)."""
    return "" if head.event.depth is None else f", {head.event.depth} down"


def _draw_source_phrase(phrases: LogPhrases, head: LoggedEvent) -> Phrase:
    """Return a phrase for the source of a drawn card; empty for the top of the deck."""
    source = SOURCE_CLAUSES.get(head.event.source)
    return [] if source is None else [source.format(whose=phrases.player_names.possessive(head.event.seat))]


def _discarded_phrase(phrases: LogPhrases, events_by_kind: dict[str, list[LoggedEvent]]) -> Phrase:
    logged = events_by_kind["discarded"][0]
    number = logged.event.number
    source = _draw_source_phrase(phrases, events_by_kind["drew"][0]) if "drew" in events_by_kind else []
    timing = "" if number is None else phrases.residents[number].timing
    unused = [", unused"] if timing == TIMING_DRAWN else []
    if logged.event.goes == "deck bottom":
        comma = "," * (source == [SOURCE_CLAUSES["shown"]])
        return [" put ", *phrases.definite_card(logged), *source, f"{comma} under the deck", *unused]
    return [" discarded ", *phrases.definite_card(logged), *source, *unused]


def _exchanged_phrase(phrases: LogPhrases, events_by_kind: dict[str, list[LoggedEvent]]) -> Phrase:
    """Describe an exchange of one card or a set (G10)."""
    left_events, placed_event = events_by_kind["left"], events_by_kind["placed"][0]
    spots = _spots_phrase(phrases, left_events)
    if "took" in events_by_kind:
        words: Phrase = [
            *_took_phrase(phrases, events_by_kind["took"][0]),
            *_depth_phrase(events_by_kind["took"][0]),
            f" for {spots}",
        ]
    elif placed_event.event.number is None:
        words = [f" exchanged {spots}"]
    else:
        words = [f" exchanged {spots} for ", *phrases.definite_card(placed_event)]
    source = _draw_source_phrase(phrases, events_by_kind["drew"][0]) if "drew" in events_by_kind else []
    if source:
        words += ["," * (not str(source[0]).startswith(",")), *source]
    goes_under_deck = left_events[0].event.goes == "deck bottom"
    words += [
        ", putting " if goes_under_deck else ", discarding ",
        *phrases.cards_phrase(left_events),
        " under the deck" * goes_under_deck,
    ]
    if len(left_events) > 1:
        words.append(f"; the new card is at {phrases.spot_phrase(placed_event)}")
    for logged in events_by_kind.get("stayed", []):
        words += ["; ", *phrases.definite_card(logged), f" at {phrases.spot_phrase(logged)} did not leave"]
    return words


def _depth_phrase(head: LoggedEvent) -> Phrase:
    """Return a phrase for the depth at which an ability took a card from the discard pile; empty for a main action."""
    return [f" from the discard pile{_depth_clause(head)},"] if head.event.depth is not None else []


def _attempt_phrase(
    phrases: LogPhrases, events_by_kind: dict[str, list[LoggedEvent]], tried_events: Sequence[LoggedEvent]
) -> Phrase:
    """Return the beginning of a sentence about a failed exchange; `tried_events` are about the named cards."""
    spots = _spots_phrase(phrases, tried_events)
    if "took" in events_by_kind:
        return [
            *_took_phrase(phrases, events_by_kind["took"][0]),
            *_depth_phrase(events_by_kind["took"][0]),
            f" for {spots}, but ",
        ]
    return [f" tried to exchange {spots}, but "]


def _failed_phrase(phrases: LogPhrases, events_by_kind: dict[str, list[LoggedEvent]]) -> Phrase:
    """Describe an exchange of cards that do not match (G11)."""
    shown_events, added_events = events_by_kind["showed"], events_by_kind.get("added", [])
    words: Phrase = [
        *_attempt_phrase(phrases, events_by_kind, shown_events),
        *phrases.cards_phrase(shown_events),
        " do not match",
    ]
    for place, logged in enumerate(added_events):
        words += ["; ", *phrases.definite_card(logged, "the card in hand" if place == 0 else "a card of the deck")]
        words.append(f" joined at {phrases.spot_phrase(logged)}")
    return words


def _stayed_phrase(phrases: LogPhrases, events_by_kind: dict[str, list[LoggedEvent]]) -> Phrase:
    """Describe an exchange of clinging cards only, which all stayed (D4)."""
    words: Phrase = [
        *_attempt_phrase(phrases, events_by_kind, events_by_kind["stayed"]),
        *phrases.cards_phrase(events_by_kind["stayed"]),
        " did not leave; ",
    ]
    if "discarded" in events_by_kind:
        return [*words, *phrases.definite_card(events_by_kind["discarded"][0]), " was discarded"]
    return [
        *words,
        *phrases.definite_card(events_by_kind["added"][0]),
        f" joined at {phrases.spot_phrase(events_by_kind['added'][0])}",
    ]
