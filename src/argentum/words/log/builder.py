"""The log: what happened, a sentence an action, as one reader was told it."""

from collections.abc import Callable, Iterable, Sequence

from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.words.event_sentences import why
from argentum.words.log.abilities import BEGIN, ability, moved
from argentum.words.log.entries import Chip, Entry, Part, as_sentence, joined
from argentum.words.log.hand import hand
from argentum.words.log.phrases import Fact, Teller, Words
from argentum.words.player_names import signed


def account(tell: Teller, group: Sequence[Fact]) -> tuple[str, tuple[Part, ...]]:
    """The kind of an action, and its sentence; no words where there is nothing to tell."""
    kind = next((fact.event.kind for fact in group if fact.event.kind in BEGIN), group[0].event.kind)
    if kind == "turn":
        return kind, ()
    if kind in BEGIN:
        return kind, as_sentence(ability(tell, group))
    if kind in ALONE:
        return kind, as_sentence(ALONE[kind](tell, group))
    kind, words = hand(tell, group)
    return kind, as_sentence(words)


def _dealt(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    starts = " start" if event.seat == tell.seating.me else " starts"
    return [f"round {event.round} begins: ", tell.who(event.seat), starts]


def _looked(tell: Teller, group: Sequence[Fact]) -> Words:
    looks = list(group) if group[0].event.source else sorted(group, key=lambda fact: fact.event.spot)
    return [tell.who(group[0].event.seat), f" looked at {tell.looked_at(looks)}", *tell.seen(looks)]


def _called(tell: Teller, group: Sequence[Fact]) -> Words:
    seat = group[0].event.seat
    others = [other for other in tell.seats if other != seat]
    rest = tell.seating.does(others[0], "have") if len(others) == 1 else "everyone else has"
    return [tell.who(seat), f" called for a vote: {rest} one more turn"]


def _displayed(tell: Teller, group: Sequence[Fact]) -> Words:
    """Cards come to lie beside the deck (A1)."""
    return [*tell.cards(group), f" {'was' if len(group) == 1 else 'were'} turned up beside the deck"]


def _round_ended(tell: Teller, group: Sequence[Fact]) -> Words:
    return [f"the round is over: {why(group[0].event.reason, tell.residents)}"]


def _revealed(tell: Teller, group: Sequence[Fact]) -> Words:
    cards: list[Words] = [[f"{tell.spot(fact)}, ", *tell.one(fact)] for fact in group]
    return [tell.who(group[0].event.seat), " revealed ", *joined(cards, "; ")]


def _with(tell: Teller) -> Words:
    """The resident that acts after the reveal (G15)."""
    return [] if tell.closer is None else [" with the ", Chip(tell.closer, False)]


def _gave(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    card: Words = [*tell.the(group[0]), f" of {tell.spot(group[0])}"]
    return [tell.who(event.seat), " gave ", *card, f" to {tell.seating.name(event.to[0])}", *_with(tell)]


def _removed(tell: Teller, group: Sequence[Fact]) -> Words:
    card: Words = [*tell.the(group[0]), f" of {tell.spot(group[0])}"]
    return [tell.who(group[0].event.seat), " left out ", *card, *_with(tell)]


def _scored(tell: Teller, group: Sequence[Fact]) -> Words:
    first, *others = group
    scores: list[Words] = [[tell.who(first.event.seat), f" scored {signed(first.event.points or 0)}"]]
    scores += [[tell.who(fact.event.seat), f" {signed(fact.event.points or 0)}"] for fact in others]
    return joined(scores, ", ", " and ")


def _token_went(tell: Teller, group: Sequence[Fact]) -> Words:
    event = group[0].event
    return [f"{tell.token} goes to ", tell.who(event.seat), ", ready for use" if event.lies == "active" else ", idle"]


ALONE: dict[str, Callable[[Teller, Sequence[Fact]], Words]] = {
    "dealt": _dealt,
    "looked": _looked,
    "called": _called,
    "shifted": moved,
    "displayed": _displayed,
    "guard ended": lambda tell, group: joined([[tell.guard_over(fact)] for fact in group], "; "),
    "round ended": _round_ended,
    "revealed": _revealed,
    "gave": _gave,
    "removed": _removed,
    "scored": _scored,
    "token went": _token_went,
    "won": lambda tell, group: [tell.who(group[0].event.seat), " won the game"],
}

# What an ability brings about.
EFFECTS = {
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
# What may become of a card in hand, and of those it is exchanged for.
OF_A_HAND = {"discarded", "showed", "failed", "left", "placed", "added", "stayed"}
RUNS = {"looked", "revealed", "scored", "shifted", "displayed", "guard ended"}  # several of them are one action
NOBODYS = {"round ended", "scored", "displayed"}  # what nobody does
# What is done to cards, the most striking first: an action is known at a glance by one of these.
STRIKING = (
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


def chronicle(mine: Sequence[Event], public: Sequence[Event], view: View) -> list[Entry]:
    """The log of a reader (whose view tells the seat, the names, the residents and the token).

    `public` are the same events as those who only watch were told them, one for one.
    """
    return entries_of(actions(mine, public), view)


def entries_of(groups: Iterable[list[Fact]], view: View) -> list[Entry]:
    """The lines of these actions. Nothing is carried over from one to the next."""
    tell = Teller(view)
    entries: list[Entry] = []
    for group in groups:
        kind, words = account(tell, group)
        if words:
            seat = "" if kind in NOBODYS else group[0].event.seat
            secret = any([fact.secret for fact in group])
            told = account(tell, [Fact(_forgotten(fact), False) for fact in group])[1] if secret else words
            entries.append(Entry(words, kind, seat, told, _deed(group)))
    return entries


def _deed(group: Sequence[Fact]) -> str:
    kinds = [fact.event.kind for fact in group]
    return next((deed for deed in STRIKING if deed in kinds), kinds[0])


def _forgotten(fact: Fact) -> Event:
    """An event without its secret."""
    return fact.event._replace(number=None) if fact.secret else fact.event


def actions(mine: Sequence[Event], public: Sequence[Event]) -> list[list[Fact]]:
    """The events of one action together. What comes later may belong to the last action, and to none before it."""
    groups: list[list[Fact]] = []
    for own, known in zip(mine, public, strict=True):
        fact = Fact(own, own.number != known.number)
        if groups and _joins([one.event for one in groups[-1]], own):
            groups[-1].append(fact)
        else:
            groups.append([fact])
    return groups


def _joins(group: list[Event], event: Event) -> bool:
    """Whether an event belongs to the action that these have told so far."""
    group = [one for one in group if one.kind != "guard ended"] or group  # which only follows from something else
    head, last, kind = group[0].kind, group[-1].kind, event.kind
    ability = next((one.kind for one in group if one.kind in BEGIN), "")
    if kind == "used":  # of the card in hand: discarded first, or not (D5, C5, B12)
        return not ability and not event.spot and (last == "discarded" or last == "drew")
    if kind in RUNS and head == last == kind and (kind in NOBODYS or group[-1].seat == event.seat):
        return True
    if event.source == "deck":  # a look at the deck: for the draw to come, or an ability's (A4, A11)
        return kind == "looked" and ability == "used"
    if kind == "guard ended":  # because of what was just done
        return bool(ability) or head in OF_A_HAND or head in ("drew", "took")
    if kind in EFFECTS and ability:
        return True
    if kind == "shifted":  # after an ability that came between, an action of its own (C2)
        return ability == "used"
    if kind in OF_A_HAND:
        return _of_one_hand(group, kind, ability)
    return False


def _of_one_hand(group: list[Event], kind: str, ability: str) -> bool:
    """Whether what becomes of a card belongs to an ability, or to the exchange or discard that is going on."""
    if ability == "ability":  # of a village: it discards one card (C2), or turns itself down and joins a village (D4)
        if kind in ("left", "stayed"):
            return len(group) == 1
        return kind == "added" and group[-1].kind == "turned down"
    if ability:
        return ability == "used"
    return group[0].kind in ("drew", "took") or group[0].kind in OF_A_HAND
