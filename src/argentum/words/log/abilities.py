"""Log sentences of abilities and tokens."""

from collections.abc import Sequence
from itertools import groupby

from argentum.words.log.entries import join_phrases
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase

ABILITY_KINDS = ("used", "ability", "token")


def ability_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    place = next(index for index, fact in enumerate(group) if fact.event.kind in ABILITY_KINDS)
    head, before, after = group[place], group[:place], list(group[place + 1 :])
    subject: Phrase = [phrases.token] if head.event.kind == "token" else phrases.definite_card(head)
    if head.event.kind == "used" and head.event.spot:
        subject.append(f" at {phrases.spot(head)}")
    subject += [words for fact in before for words in _source_clause(phrases, fact)]
    player = phrases.player(head.event.seat)
    runs = [list(run) for _, run in groupby(after, key=_run_key)]
    if runs and runs[0][0].event.kind == "looked":
        looks = runs.pop(0)
        opening: Phrase = [
            player,
            f" looked at {phrases.looked_at(looks)} with ",
            *subject,
            *phrases.looked_at_result(looks),
        ]
        between = "; "
    else:
        opening, between = [player, " used ", *subject], ": "
    clauses = [words for run in runs for words in _clauses(phrases, run, head, after)]
    return [*opening, between, *join_phrases(clauses, "; ")] if clauses else opening


def _run_key(fact: LoggedEvent) -> tuple[str, str]:
    """Group key: consecutive events with the same key share a clause."""
    return fact.event.kind, fact.event.source


def _source_clause(phrases: LogPhrases, fact: LoggedEvent) -> Phrase:
    """Say where the card came from and went, unless that is the deck and the discard pile."""
    event = fact.event
    if event.kind == "drew":
        return [SOURCE_CLAUSES.get(event.source, "").format(whose=phrases.player_names.possessive(event.seat))]
    return [", now under the deck"] if event.kind == "discarded" and event.goes == "deck bottom" else []


def shifted_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """Return the sentence for cards that move on after an ability interrupted the move (C2)."""
    return join_phrases([fill_phrase(phrases, fact, EVENT_CLAUSES["shifted"]) for fact in group], "; ")


def _clauses(phrases: LogPhrases, run: list[LoggedEvent], head: LoggedEvent, after: list[LoggedEvent]) -> list[Phrase]:
    """Return the clauses of consecutive events of one kind."""
    kind = run[0].event.kind
    if kind == "counted":
        return [[*phrases.cards(run), " came onto the discard pile"]]
    if kind == "looked":
        return [[f"then looked at {phrases.looked_at(run)}", *phrases.looked_at_result(run)]]
    if kind == "showed":
        return _showed(phrases, run, {fact.event.kind for fact in after})
    if kind == "left" and len(run) > 1:
        destination = LEAVING_CLAUSES[run[0].event.goes].format(were="were")
        return [
            [
                *phrases.cards(run),
                f" of {phrases.player_names.spots_phrase([fact.event.spot for fact in run])} {destination}",
            ]
        ]
    if kind == "left":
        return [
            fill_phrase(phrases, run[0], "{card} of {spot} " + LEAVING_CLAUSES[run[0].event.goes].format(were="was"))
        ]
    if kind == "guard ended":
        return [[phrases.guard_ended(fact)] for fact in run]
    return [words for words in [_clause(phrases, fact, head, after) for fact in run] if words]


def _showed(phrases: LogPhrases, run: list[LoggedEvent], kinds: set[str]) -> list[Phrase]:
    """Return the clause for shown cards (G10, D5); empty if the cards also left, because that clause names them."""
    if "left" in kinds:
        return []
    spots = phrases.player_names.spots_phrase([fact.event.spot for fact in run])
    if "failed" in kinds:
        return [[*phrases.cards(run), f" of {spots} do not match"]]
    return [[f"{spots} showed ", *phrases.cards(run)]]


def _clause(phrases: LogPhrases, fact: LoggedEvent, head: LoggedEvent, after: list[LoggedEvent]) -> Phrase:
    kind = fact.event.kind
    own = phrases.texts_for(head).log_phrases.get(kind)
    if own:
        return fill_phrase(phrases, fact, own)
    if kind == "kept" and fact.event.number is not None:
        return fill_phrase(phrases, fact, EVENT_CLAUSES[kind] + ", {card}")
    if kind in EVENT_CLAUSES:
        return fill_phrase(
            phrases, fact, OWN_CARD_CLAUSES[kind] if _is_itself(phrases, fact, head, after) else EVENT_CLAUSES[kind]
        )
    return []


def _is_itself(phrases: LogPhrases, fact: LoggedEvent, head: LoggedEvent, after: list[LoggedEvent]) -> bool:
    """Whether an event is about the card whose ability is used: it turns itself facedown, or joins a village."""
    event = fact.event
    if event.kind == "turned down":
        return head.event.kind == "ability" and event.spot == head.event.spot and fact is after[0]
    if event.kind not in ("added", "placed") or event.number is None or event.number != head.event.number:
        return False
    return (
        head.event.kind == "ability" or phrases.residents[event.number].joins_village
    )  # a Golem may put in another (C11)


def fill_phrase(phrases: LogPhrases, fact: LoggedEvent, template: str) -> Phrase:
    event, seating = fact.event, phrases.player_names
    filled = template.format(
        card="\0",
        spot=seating.spot_phrase(event.spot) if event.spot else "",
        village=seating.village_phrase(event.village or event.spot[:1] or event.seat),
        place=event.spot[1:],
        to=seating.spot_phrase(event.to) if event.to else "",
        lies=event.lies,
        whose=seating.possessive(event.seat),
        other=seating.possessive(next(seat for seat in phrases.seats if seat != event.seat)),
        takes=seating.with_verb(event.seat, "take"),
    )
    before, card, behind = filled.partition("\0")
    if not card:
        return [filled]
    if event.kind == "turned up":
        return [before, *phrases.indefinite_card(fact), behind]
    return [before, *phrases.definite_card(fact, UNKNOWN_CARD.get(event.kind, "the card")), behind]


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
