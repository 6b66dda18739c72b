# mypyc: compile
"""Group events into actions, and write a log entry for each."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from argentum.rules.events import Event
from argentum.rules.turns import TURN_CAP
from argentum.rules.views import View
from argentum.words.log.abilities import ABILITY_KINDS, ability_sentence, shifted_sentence
from argentum.words.log.entries import CardChip, LogEntry, LogPart, join_phrases, to_sentence
from argentum.words.log.hand import hand_sentence
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase
from argentum.words.player_names import format_points
from argentum.words.score_lines import round_ending_residents


def action_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> tuple[str, tuple[LogPart, ...]]:
    """Return the kind of an action and its sentence, which is empty for actions that are not logged."""
    kind = next((logged.event.kind for logged in group if logged.event.kind in ABILITY_KINDS), group[0].event.kind)
    if kind == "turn":
        return kind, ()
    if kind in ABILITY_KINDS:
        return kind, to_sentence(ability_sentence(phrases, group))
    if kind in SENTENCE_BY_KIND:
        return kind, to_sentence(_with_ended_guards(phrases, group, SENTENCE_BY_KIND[kind]))
    kind, words = hand_sentence(phrases, group)
    return kind, to_sentence(words)


def _with_ended_guards(
    phrases: LogPhrases,
    group: Sequence[LoggedEvent],
    sentence: Callable[[LogPhrases, Sequence[LoggedEvent]], Phrase],
) -> Phrase:
    """Apply `sentence` to an action, and append the guards that ended because of it (A3)."""
    ended = [logged for logged in group if logged.event.kind == "guard ended"]
    words = sentence(phrases, [logged for logged in group if logged not in ended])
    for logged in ended:
        words += ["; ", phrases.guard_ended_phrase(logged)]
    return words


def _dealt_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    event = group[0].event
    starts = " start" if event.seat == phrases.player_names.reader else " starts"
    return [f"round {event.round} begins: ", phrases.player(event.seat), starts]


def _looked_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    looks = list(group) if group[0].event.source else sorted(group, key=lambda logged: logged.event.spot)
    return [
        phrases.player(group[0].event.seat),
        f" looked at {phrases.looked_at_phrase(looks)}",
        *phrases.looked_at_cards_phrase(looks),
    ]


def _called_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    seat = group[0].event.seat
    others = [other for other in phrases.seats if other != seat]
    rest = phrases.player_names.with_verb(others[0], "have") if len(others) == 1 else "everyone else has"
    return [phrases.player(seat), f" called for a vote: {rest} one more turn"]


def _displayed_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """Describe cards that were shown beside the deck (A1)."""
    return [*phrases.cards_phrase(group), f" {'was' if len(group) == 1 else 'were'} turned up beside the deck"]


def _round_ended_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    clause = END_REASON_CLAUSES[group[0].event.reason]
    return ["the round is over: " + clause.format(cap=TURN_CAP, enders=round_ending_residents(phrases.residents))]


def _revealed_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    cards: list[Phrase] = [[f"{phrases.spot_phrase(logged)}, ", *phrases.indefinite_card(logged)] for logged in group]
    return [phrases.player(group[0].event.seat), " revealed ", *join_phrases(cards, "; ")]


def _with_resident_phrase(phrases: LogPhrases) -> Phrase:
    """Return " with the" and the resident whose ability is used after the reveal; empty if there is none (G15)."""
    return [] if phrases.round_end_resident is None else [" with the ", CardChip(phrases.round_end_resident, False)]


def _gave_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    event = group[0].event
    card: Phrase = [*phrases.definite_card(group[0]), f" of {phrases.spot_phrase(group[0])}"]
    return [
        phrases.player(event.seat),
        " gave ",
        *card,
        f" to {phrases.player_names.name(event.to[0])}",
        *_with_resident_phrase(phrases),
    ]


def _removed_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    card: Phrase = [*phrases.definite_card(group[0]), f" of {phrases.spot_phrase(group[0])}"]
    return [phrases.player(group[0].event.seat), " left out ", *card, *_with_resident_phrase(phrases)]


def _scored_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    first, *others = group
    scores: list[Phrase] = [[phrases.player(first.event.seat), f" scored {format_points(first.event.points or 0)}"]]
    scores += [[phrases.player(logged.event.seat), f" {format_points(logged.event.points or 0)}"] for logged in others]
    return join_phrases(scores, ", ", " and ")


def _token_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    event = group[0].event
    return [
        f"{phrases.token} goes to ",
        phrases.player(event.seat),
        ", ready for use" if event.lies == "active" else ", idle",
    ]


SENTENCE_BY_KIND: dict[str, Callable[[LogPhrases, Sequence[LoggedEvent]], Phrase]] = {
    "dealt": _dealt_sentence,
    "looked": _looked_sentence,
    "called": _called_sentence,
    "shifted": shifted_sentence,
    "displayed": _displayed_sentence,
    "round ended": _round_ended_sentence,
    "revealed": _revealed_sentence,
    "gave": _gave_sentence,
    "removed": _removed_sentence,
    "scored": _scored_sentence,
    "token went": _token_sentence,
    "won": lambda phrases, group: [phrases.player(group[0].event.seat), " won the game"],
}

END_REASON_CLAUSES = {
    "call": "it is the caller's turn again",
    "deck": "the deck is empty",
    "turn cap": "{cap} turns have been played",
    "residents": "{enders} lie faceup",
}
WITHOUT_ACTOR = {"round ended", "scored", "displayed"}  # events that no player causes
# The first of these kinds in an action decides its icon.
ICON_PRIORITY = (
    "called",
    "switched",
    "gave",
    "shifted",
    "looked",
    "turned up",
    "turned down",
    "placed",
    "added",
    "discarded",
)


def build_log(events: Sequence[Event], public_events: Sequence[Event], view: View) -> list[LogEntry]:
    """Return the log for the reader of `view`, from the events as that reader received them.

    `public_events` are the same events as spectators received them.
    """
    return build_entries(group_actions(events, public_events), view)


def build_entries(groups: Iterable[list[LoggedEvent]], view: View) -> list[LogEntry]:
    """Return the log entries of actions. Each depends only on the events of its action, so it can be cached."""
    phrases = LogPhrases(view)
    entries: list[LogEntry] = []
    for group in groups:
        kind, words = action_sentence(phrases, group)
        if words:
            seat = "" if kind in WITHOUT_ACTOR else group[0].event.seat
            secret = any([logged.secret for logged in group])
            public_words = (
                action_sentence(phrases, [LoggedEvent(_without_secret(logged), False) for logged in group])[1]
                if secret
                else words
            )
            entries.append(LogEntry(words, kind, seat, public_words, _icon_kind(group)))
    return entries


def _icon_kind(group: Sequence[LoggedEvent]) -> str:
    kinds = [logged.event.kind for logged in group]
    return next((kind for kind in ICON_PRIORITY if kind in kinds), kinds[0])


def _without_secret(logged: LoggedEvent) -> Event:
    """Return an event as spectators see it."""
    return logged.event._replace(number=None) if logged.secret else logged.event


def group_actions(events: Sequence[Event], public_events: Sequence[Event]) -> list[list[LoggedEvent]]:
    """Group events by action, in order, so that later events can only extend the last group."""
    logged_events = [
        LoggedEvent(own, own.number != public.number) for own, public in zip(events, public_events, strict=True)
    ]
    return [list(group) for _, group in groupby(logged_events, key=lambda logged: logged.event.action)]
