# mypyc: compile
"""Log sentences of abilities and tokens."""

from collections.abc import Sequence
from itertools import groupby

from argentum.words.log.entries import join_phrases
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase

ABILITY_KINDS = ("used", "ability", "token")


def ability_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """Describe the use of an ability or token with its effects; `group` contains the events of the action."""
    place = next(index for index, logged in enumerate(group) if logged.event.kind in ABILITY_KINDS)
    head, before, after = group[place], group[:place], list(group[place + 1 :])
    subject: Phrase = [phrases.token] if head.event.kind == "token" else phrases.definite_card(head)
    if head.event.kind == "used" and head.event.spot:
        subject.append(f" at {phrases.spot_phrase(head)}")
    subject += [words for logged in before for words in _source_clause(phrases, logged)]
    player = phrases.player(head.event.seat)
    runs = [list(run) for _, run in groupby(after, key=_run_key)]
    if runs and runs[0][0].event.kind == "looked":
        looks = runs.pop(0)
        opening: Phrase = [
            player,
            f" looked at {phrases.looked_at_phrase(looks)} with ",
            *subject,
            *phrases.looked_at_cards_phrase(looks),
        ]
        between = "; "
    else:
        opening, between = [player, " used ", *subject], ": "
    clauses = [words for run in runs for words in _run_clauses(phrases, run, head, after)]
    return [*opening, between, *join_phrases(clauses, "; ")] if clauses else opening


def _run_key(logged: LoggedEvent) -> tuple[str, str]:
    """Return a key for grouping: consecutive events with the same key share a clause."""
    return logged.event.kind, logged.event.source


def _source_clause(phrases: LogPhrases, logged: LoggedEvent) -> Phrase:
    """Return a clause for the source or destination of the used card; empty for the deck's top and the discard pile."""
    event = logged.event
    if event.kind == "drew":
        return [SOURCE_CLAUSES.get(event.source, "").format(whose=phrases.player_names.possessive(event.seat))]
    return [", now under the deck"] if event.kind == "discarded" and event.goes == "deck bottom" else []


def shifted_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """Describe cards that move on after another ability interrupted a Village Idiot (C2)."""
    return join_phrases([fill_phrase(phrases, logged, EVENT_CLAUSES["shifted"]) for logged in group], "; ")


def _run_clauses(
    phrases: LogPhrases, run: list[LoggedEvent], head: LoggedEvent, after: list[LoggedEvent]
) -> list[Phrase]:
    """Return the clauses for a run, consecutive events of the same kind.

    `head` is the use of the ability or token; `after` are all later events of the action, including the run.
    """
    kind = run[0].event.kind
    if kind == "counted":
        return [[*phrases.cards_phrase(run), " came onto the discard pile"]]
    if kind == "looked":
        return [[f"then looked at {phrases.looked_at_phrase(run)}", *phrases.looked_at_cards_phrase(run)]]
    if kind == "showed":
        return _showed_clauses(phrases, run, {logged.event.kind for logged in after})
    if kind == "left" and len(run) > 1:
        destination = LEAVING_CLAUSES[run[0].event.goes].format(were="were")
        return [
            [
                *phrases.cards_phrase(run),
                f" of {phrases.player_names.spots_phrase([logged.event.spot for logged in run])} {destination}",
            ]
        ]
    if kind == "left":
        return [
            fill_phrase(phrases, run[0], "{card} of {spot} " + LEAVING_CLAUSES[run[0].event.goes].format(were="was"))
        ]
    if kind == "guard ended":
        return [[phrases.guard_ended_phrase(logged)] for logged in run]
    return [words for words in [_event_clause(phrases, logged, head, after) for logged in run] if words]


def _showed_clauses(phrases: LogPhrases, run: list[LoggedEvent], kinds: set[str]) -> list[Phrase]:
    """Return the clause for shown cards (G10, D5); empty if the cards also left, because that clause names them."""
    if "left" in kinds:
        return []
    spots = phrases.player_names.spots_phrase([logged.event.spot for logged in run])
    if "failed" in kinds:
        return [[*phrases.cards_phrase(run), f" of {spots} do not match"]]
    return [[f"{spots} showed ", *phrases.cards_phrase(run)]]


def _event_clause(phrases: LogPhrases, logged: LoggedEvent, head: LoggedEvent, after: list[LoggedEvent]) -> Phrase:
    kind = logged.event.kind
    own_template = phrases.texts_for(head).log_phrases.get(kind)
    if own_template:
        return fill_phrase(phrases, logged, own_template)
    if kind == "kept" and logged.event.number is not None:
        return fill_phrase(phrases, logged, EVENT_CLAUSES[kind] + ", {card}")
    if kind in EVENT_CLAUSES:
        return fill_phrase(
            phrases,
            logged,
            OWN_CARD_CLAUSES[kind] if _is_about_used_card(phrases, logged, head, after) else EVENT_CLAUSES[kind],
        )
    return []


def _is_about_used_card(phrases: LogPhrases, logged: LoggedEvent, head: LoggedEvent, after: list[LoggedEvent]) -> bool:
    """Whether an event is about the used card itself, which turns facedown or joins a village."""
    event = logged.event
    if event.kind == "turned down":
        return head.event.kind == "ability" and event.spot == head.event.spot and logged is after[0]
    if event.kind not in ("added", "placed") or event.number is None or event.number != head.event.number:
        return False
    return (
        head.event.kind == "ability" or phrases.residents[event.number].joins_village
    )  # a Golem may put another Golem into a village (C11)


def fill_phrase(phrases: LogPhrases, logged: LoggedEvent, template: str) -> Phrase:
    """Fill in the fields of a template for an event; the field `card` becomes a chip."""
    event, names = logged.event, phrases.player_names
    filled = template.format(
        card="\0",
        spot=names.spot_phrase(event.spot) if event.spot else "",
        village=names.village_phrase(event.village or event.spot[:1] or event.seat),
        place=event.spot[1:],
        to=names.spot_phrase(event.to) if event.to else "",
        lies=event.lies,
        whose=names.possessive(event.seat),
        other=names.possessive(next(seat for seat in phrases.seats if seat != event.seat)),
        takes=names.with_verb(event.seat, "take"),
    )
    before, card, behind = filled.partition("\0")
    if not card:
        return [filled]
    if event.kind == "turned up":
        return [before, *phrases.indefinite_card(logged), behind]
    return [before, *phrases.definite_card(logged, UNKNOWN_CARD.get(event.kind, "the card")), behind]


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
