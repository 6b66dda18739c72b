"""Group events into actions, and write a log entry for each."""

from collections.abc import Callable, Iterable, Sequence

from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.words.event_sentences import end_reason_clause
from argentum.words.log.abilities import ABILITY_KINDS, ability_sentence, shifted_sentence
from argentum.words.log.entries import CardChip, LogEntry, LogPart, join_phrases, to_sentence
from argentum.words.log.hand import hand_sentence
from argentum.words.log.phrases import LoggedEvent, LogPhrases, Phrase
from argentum.words.player_names import signed


def action_sentence(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> tuple[str, tuple[LogPart, ...]]:
    """Return the kind of an action and its sentence, which is empty for actions that are not logged."""
    kind = next((fact.event.kind for fact in group if fact.event.kind in ABILITY_KINDS), group[0].event.kind)
    if kind == "turn":
        return kind, ()
    if kind in ABILITY_KINDS:
        return kind, to_sentence(ability_sentence(phrases, group))
    if kind in SENTENCE_BY_KIND:
        return kind, to_sentence(SENTENCE_BY_KIND[kind](phrases, group))
    kind, words = hand_sentence(phrases, group)
    return kind, to_sentence(words)


def _dealt(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    event = group[0].event
    starts = " start" if event.seat == phrases.player_names.reader else " starts"
    return [f"round {event.round} begins: ", phrases.player(event.seat), starts]


def _looked(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    looks = list(group) if group[0].event.source else sorted(group, key=lambda fact: fact.event.spot)
    return [
        phrases.player(group[0].event.seat),
        f" looked at {phrases.looked_at(looks)}",
        *phrases.looked_at_result(looks),
    ]


def _called(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    seat = group[0].event.seat
    others = [other for other in phrases.seats if other != seat]
    rest = phrases.player_names.with_verb(others[0], "have") if len(others) == 1 else "everyone else has"
    return [phrases.player(seat), f" called for a vote: {rest} one more turn"]


def _displayed(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    """Cards shown beside the deck (A1)."""
    return [*phrases.cards(group), f" {'was' if len(group) == 1 else 'were'} turned up beside the deck"]


def _round_ended(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    return [f"the round is over: {end_reason_clause(group[0].event.reason, phrases.residents)}"]


def _revealed(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    cards: list[Phrase] = [[f"{phrases.spot(fact)}, ", *phrases.indefinite_card(fact)] for fact in group]
    return [phrases.player(group[0].event.seat), " revealed ", *join_phrases(cards, "; ")]


def _with_resident(phrases: LogPhrases) -> Phrase:
    """The resident that acts after the reveal (G15)."""
    return [] if phrases.round_end_resident is None else [" with the ", CardChip(phrases.round_end_resident, False)]


def _gave(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    event = group[0].event
    card: Phrase = [*phrases.definite_card(group[0]), f" of {phrases.spot(group[0])}"]
    return [
        phrases.player(event.seat),
        " gave ",
        *card,
        f" to {phrases.player_names.name(event.to[0])}",
        *_with_resident(phrases),
    ]


def _removed(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    card: Phrase = [*phrases.definite_card(group[0]), f" of {phrases.spot(group[0])}"]
    return [phrases.player(group[0].event.seat), " left out ", *card, *_with_resident(phrases)]


def _scored(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    first, *others = group
    scores: list[Phrase] = [[phrases.player(first.event.seat), f" scored {signed(first.event.points or 0)}"]]
    scores += [[phrases.player(fact.event.seat), f" {signed(fact.event.points or 0)}"] for fact in others]
    return join_phrases(scores, ", ", " and ")


def _token_went(phrases: LogPhrases, group: Sequence[LoggedEvent]) -> Phrase:
    event = group[0].event
    return [
        f"{phrases.token} goes to ",
        phrases.player(event.seat),
        ", ready for use" if event.lies == "active" else ", idle",
    ]


SENTENCE_BY_KIND: dict[str, Callable[[LogPhrases, Sequence[LoggedEvent]], Phrase]] = {
    "dealt": _dealt,
    "looked": _looked,
    "called": _called,
    "shifted": shifted_sentence,
    "displayed": _displayed,
    "guard ended": lambda phrases, group: join_phrases([[phrases.guard_ended(fact)] for fact in group], "; "),
    "round ended": _round_ended,
    "revealed": _revealed,
    "gave": _gave,
    "removed": _removed,
    "scored": _scored,
    "token went": _token_went,
    "won": lambda phrases, group: [phrases.player(group[0].event.seat), " won the game"],
}

# Events that are effects of an ability.
ABILITY_EFFECTS = {
    "looked",
    "turned up",
    "turned down",
    "switched",
    "rotated",
    "covered",
    "guarded",
    "reversed",
    "skipped",
    "deck turned",
    "kept",
    "counted",
    "shuffled",
    "extra turn",
}
# Events about the card in hand and the cards that it is exchanged for.
HAND_OUTCOMES = {"discarded", "showed", "failed", "left", "placed", "added", "stayed"}
REPEATABLE = {"looked", "revealed", "scored", "shifted", "displayed", "guard ended"}  # consecutive ones are one action
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
    """Return the log of the reader of `view`.

    `public_events` are the same events as a spectator sees them.
    """
    return build_entries(group_actions(events, public_events), view)


def build_entries(groups: Iterable[list[LoggedEvent]], view: View) -> list[LogEntry]:
    """Return the entries of actions. Each depends on its own action only."""
    phrases = LogPhrases(view)
    entries: list[LogEntry] = []
    for group in groups:
        kind, words = action_sentence(phrases, group)
        if words:
            seat = "" if kind in WITHOUT_ACTOR else group[0].event.seat
            secret = any([fact.secret for fact in group])
            public_words = (
                action_sentence(phrases, [LoggedEvent(_without_secret(fact), False) for fact in group])[1]
                if secret
                else words
            )
            entries.append(LogEntry(words, kind, seat, public_words, _icon_kind(group)))
    return entries


def _icon_kind(group: Sequence[LoggedEvent]) -> str:
    kinds = [fact.event.kind for fact in group]
    return next((kind for kind in ICON_PRIORITY if kind in kinds), kinds[0])


def _without_secret(fact: LoggedEvent) -> Event:
    """Return an event as spectators see it."""
    return fact.event._replace(number=None) if fact.secret else fact.event


def group_actions(events: Sequence[Event], public_events: Sequence[Event]) -> list[list[LoggedEvent]]:
    """Group events by action. A later event can only join the last group."""
    groups: list[list[LoggedEvent]] = []
    for own, known in zip(events, public_events, strict=True):
        fact = LoggedEvent(own, own.number != known.number)
        if groups and _belongs_to_action([event.event for event in groups[-1]], own):
            groups[-1].append(fact)
        else:
            groups.append([fact])
    return groups


def _belongs_to_action(group: list[Event], event: Event) -> bool:
    """Whether an event belongs to the action that these have told so far."""
    group = [event for event in group if event.kind != "guard ended"] or group  # a guard ends as a consequence
    head, last, kind = group[0].kind, group[-1].kind, event.kind
    ability = next((earlier.kind for earlier in group if earlier.kind in ABILITY_KINDS), "")
    if kind == "used":  # of the card in hand: discarded first, or not (D5, C5, B12)
        return not ability and not event.spot and (last == "discarded" or last == "drew")
    if kind in REPEATABLE and head == last == kind and (kind in WITHOUT_ACTOR or group[-1].seat == event.seat):
        return True
    if event.source == "deck":  # a look at the deck: for the draw to come, or an ability's (A4, A11)
        return kind == "looked" and ability == "used"
    if kind == "guard ended":  # because of what was just done
        return bool(ability) or head in HAND_OUTCOMES or head in ("drew", "took")
    if kind in ABILITY_EFFECTS and ability:
        return True
    if kind == "shifted":  # after an ability that came between, an action of its own (C2)
        return ability == "used"
    if kind in HAND_OUTCOMES:
        return _belongs_to_hand(group, kind, ability)
    return False


def _belongs_to_hand(group: list[Event], kind: str, ability: str) -> bool:
    """Whether what becomes of a card belongs to an ability, or to the exchange or discard that is going on."""
    if ability == "ability":  # of a village: it discards one card (C2), or turns itself down and joins a village (D4)
        if kind in ("left", "stayed"):
            return len(group) == 1
        return kind == "added" and group[-1].kind == "turned down"
    if ability:
        return ability == "used"
    return group[0].kind in ("drew", "took") or group[0].kind in HAND_OUTCOMES
