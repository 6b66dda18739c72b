"""The log of an ability: whose it was, and what came of it."""

from collections.abc import Sequence
from itertools import groupby

from argentum.words.log.entries import join_phrases
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase

ABILITY_KINDS = ("used", "ability", "token")


def ability_sentence(tell: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """An ability or a token at work."""
    place = next(nth for nth, fact in enumerate(group) if fact.event.kind in ABILITY_KINDS)
    head, before, after = group[place], group[:place], list(group[place + 1 :])
    subject: Phrase = [tell.token] if head.event.kind == "token" else tell.definite_card(head)
    if head.event.kind == "used" and head.event.spot:
        subject.append(f" at {tell.spot(head)}")
    subject += [words for fact in before for words in _source_clause(tell, fact)]
    who = tell.player(head.event.seat)
    runs = [list(run) for _, run in groupby(after, key=_run_key)]
    if runs and runs[0][0].event.kind == "looked":
        looks = runs.pop(0)
        opening: Phrase = [who, f" looked at {tell.looked_at(looks)} with ", *subject, *tell.looked_at_result(looks)]
        between = "; "
    else:
        opening, between = [who, " used ", *subject], ": "
    clauses = [words for run in runs for words in _clauses(tell, run, head, after)]
    return [*opening, between, *join_phrases(clauses, "; ")] if clauses else opening


def _run_key(fact: LoggedEvent) -> tuple[str, str]:
    """What makes events that follow each other one clause."""
    return fact.event.kind, fact.event.source


def _source_clause(tell: LogPhrases, fact: LoggedEvent) -> Phrase:
    """Where the card came from, and went, where that is not as usual."""
    event = fact.event
    if event.kind == "drew":
        return [SOURCE_CLAUSES.get(event.source, "").format(whose=tell.player_names.possessive(event.seat))]
    return [", now under the deck"] if event.kind == "discarded" and event.goes == "deck bottom" else []


def shifted_sentence(tell: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """Cards that move on, after another ability came between (C2)."""
    return join_phrases([fill_phrase(tell, fact, EVENT_CLAUSES["shifted"]) for fact in group], "; ")


def _clauses(tell: LogPhrases, run: list[LoggedEvent], head: LoggedEvent, after: list[LoggedEvent]) -> list[Phrase]:
    """What events of one kind that follow each other add to an ability's sentence."""
    kind = run[0].event.kind
    if kind == "counted":
        return [[*tell.cards(run), " came onto the discard pile"]]
    if kind == "looked":
        return [[f"then looked at {tell.looked_at(run)}", *tell.looked_at_result(run)]]
    if kind == "showed":
        return _showed(tell, run, {fact.event.kind for fact in after})
    if kind == "left" and len(run) > 1:
        goes = LEAVING_CLAUSES[run[0].event.goes].format(were="were")
        return [[*tell.cards(run), f" of {tell.player_names.spots_phrase([fact.event.spot for fact in run])} {goes}"]]
    if kind == "left":
        return [fill_phrase(tell, run[0], "{card} of {spot} " + LEAVING_CLAUSES[run[0].event.goes].format(were="was"))]
    if kind == "guard ended":
        return [[tell.guard_ended(fact)] for fact in run]
    return [words for words in [_clause(tell, fact, head, after) for fact in run] if words]


def _showed(tell: LogPhrases, run: list[LoggedEvent], kinds: set[str]) -> list[Phrase]:
    """Several cards are shown (G10, D5); once they have left, that tells which they were."""
    if "left" in kinds:
        return []
    spots = tell.player_names.spots_phrase([fact.event.spot for fact in run])
    if "failed" in kinds:
        return [[*tell.cards(run), f" of {spots} do not match"]]
    return [[f"{spots} showed ", *tell.cards(run)]]


def _clause(tell: LogPhrases, fact: LoggedEvent, head: LoggedEvent, after: list[LoggedEvent]) -> Phrase:
    """What one event of an ability adds to its sentence."""
    kind = fact.event.kind
    own = tell.texts_for(head).log_phrases.get(kind)
    if own:
        return fill_phrase(tell, fact, own)
    if kind == "kept" and fact.event.number is not None:
        return fill_phrase(tell, fact, EVENT_CLAUSES[kind] + ", {card}")
    if kind in EVENT_CLAUSES:
        return fill_phrase(
            tell, fact, OWN_CARD_CLAUSES[kind] if _is_itself(tell, fact, head, after) else EVENT_CLAUSES[kind]
        )
    return []


def _is_itself(tell: LogPhrases, fact: LoggedEvent, head: LoggedEvent, after: list[LoggedEvent]) -> bool:
    """Whether an event is about the very card whose ability is at work: one that turns itself down, or that joins."""
    event = fact.event
    if event.kind == "turned down":
        return head.event.kind == "ability" and event.spot == head.event.spot and fact is after[0]
    if event.kind not in ("added", "placed") or event.number is None or event.number != head.event.number:
        return False
    return (
        head.event.kind == "ability" or tell.residents[event.number].joins_village
    )  # a Golem may put in another (C11)


def fill_phrase(tell: LogPhrases, fact: LoggedEvent, template: str) -> Phrase:
    """A template filled in for a fact."""
    event, seating = fact.event, tell.player_names
    filled = template.format(
        card="\0",
        spot=seating.spot_phrase(event.spot) if event.spot else "",
        village=seating.village_phrase(event.village or event.spot[:1] or event.seat),
        place=event.spot[1:],
        to=seating.spot_phrase(event.to) if event.to else "",
        lies=event.lies,
        whose=seating.possessive(event.seat),
        other=seating.possessive(next(seat for seat in tell.seats if seat != event.seat)),
        takes=seating.with_verb(event.seat, "take"),
    )
    before, card, behind = filled.partition("\0")
    if not card:
        return [filled]
    if event.kind == "turned up":
        return [before, *tell.indefinite_card(fact), behind]
    return [before, *tell.definite_card(fact, UNKNOWN_CARD.get(event.kind, "the card")), behind]


SOURCE_CLAUSES = {"private": " from {whose} own deck", "shown": ", shown beside the deck"}
OWN_CARD_CLAUSES = {
    "turned down": "it turned facedown",
    "placed": "it took {spot}",
    "added": "it joined {village}, at spot {place}",
}
UNKNOWN_CARD = {"placed": "a facedown card", "added": "a card"}
LEAVING_CLAUSES = {
    "discard": "{were} discarded",
    "deck bottom": "went to the bottom of the deck",
    "discard bottom": "went to the bottom of the discard pile",
}
EVENT_CLAUSES = {
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
