"""Advice for a first game: a sentence or two about what matters now."""

from collections.abc import Sequence

from argentum.rules.boxes import BOX_OF
from argentum.rules.events import Event
from argentum.rules.residents import DRAWN, SCORING
from argentum.rules.views import View
from argentum.words.decision import Decision
from argentum.words.labels import card_at
from argentum.words.seating import sentence, spot_numbers
from argentum.words.turns import taken

LOW = 4
HIGH = 7
UNKNOWN = 6  # what a card that nobody has seen counts, about
GOOD_CALL = 8
LOOKERS = ("B7", "C7", "C9", "D1", "D7", "D9")


def coach(view: View, events: Sequence[Event]) -> str:
    """What a newcomer should know now, given the reader's events of the current turn (or more); often nothing."""
    now = Decision(view, events)
    if not view.legal:
        return ""
    if "peek" in now.words:
        return (
            "The fewest points win, and a card counts its number. Look at any two of your cards and keep them in mind:"
            " high ones are to go, low ones to stay."
        )
    if now.words & {"draw", "draw private"}:
        return _opening(now)
    if now.words & {"and", "done"} and not view.looking:
        return (
            "Several cards may go at once if they are all of one number: then you have fewer to count. If they differ,"
            " they stay, and you gain a card."
        )
    if view.hand is not None and now.words & {"exchange", "discard"}:
        return _taken(now) if taken(now) else _drawn(now)
    if now.asker is not None and now.asker.label in LOOKERS:
        return (
            "A card of yours that you do not know may be one to get rid of; a card of another village tells you how"
            " well its owner stands."
        )
    return ""


def _opening(now: Decision) -> str:
    """Before the main action: the call, the discard pile, and what may be used."""
    view = now.view
    if view.caller:
        who = sentence(now.seating.does(view.caller, "have"))
        return f"{who} called, so this is your last chance: swap a high card for a lower one if you can."
    if "call" in now.plain and estimate(view) <= GOOD_CALL:
        return (
            f"Your village counts about {estimate(view)}, which is little. If nobody has less, a call makes your score"
            " 0; if somebody has, you get 10 points more."
        )
    if "token" in now.plain:
        return f"The silver {view.token} is ready for use. {BOX_OF[view.token[0]].token_text}"
    for move in view.legal:
        number = card_at(view, move.spot).number if move.verb == "ability" else None
        if number is not None:
            return f"You may use your {view.residents[number].name}. {view.residents[number].text}"
    return _pile(now)


def _pile(now: Decision) -> str:
    """Draw or take."""
    top = now.view.discard[0] if "take" in now.plain else None
    if top is None or top.number is None or not top.up:
        return "Draw a card: you may keep it by exchanging it for one of yours, or discard it."
    name = now.view.residents[top.number].name
    old = _to_go(now.view, top.number)
    if top.number <= LOW and old:
        return (
            f"The {name} on the discard pile is only a {top.number}: take it, in exchange for {old}."
            " It will lie faceup, where all can see it."
        )
    return (
        f"A card from the deck is yours to keep or discard. The {name}, {_a(top.number)}, would have to go into your"
        " village, faceup."
    )


def _drawn(now: Decision) -> str:
    """A card drawn from a deck."""
    view = now.view
    number = None if view.hand is None else view.hand.number
    if number is None:
        return ""
    resident = view.residents[number]
    spots = _set(view, number)
    if spots:
        places = spot_numbers([spot[1:] for spot in spots])
        return (
            f"Your {places} are of one number, {card_at(view, spots[0]).number}: choose them all and exchange them for"
            " this card, and you have fewer cards to count."
        )
    old = _to_go(view, number)
    if number <= LOW and old:
        return f"You drew {_a(number)}, which is low. Keep it: choose {old}, and exchange."
    if resident.timing == SCORING and number > LOW:
        return f"The {resident.name} does not count like other cards. {resident.text}"
    if resident.timing == DRAWN and "use" in now.plain:
        return f"{sentence(_a(number))} is not low, but you may use it rather than keep it. {resident.text}"
    worst = _worst(view)
    if worst and (card_at(view, worst).number or 0) > number:
        return f"{sentence(_a(number))} is lower than your spot {worst[1:]}, {_a(card_at(view, worst).number or 0)}."
    return f"{sentence(_a(number))} would not make your village lower: you may well discard it."


def _taken(now: Decision) -> str:
    """A card taken from the discard pile."""
    number = None if now.view.hand is None else now.view.hand.number
    old = _to_go(now.view, UNKNOWN if number is None else number)
    return f"It must go into your village now: best choose {old}, and exchange." if old else ""


def _own(view: View) -> list[tuple[str, int | None]]:
    """The reader's cards that may be touched: spot, and number if known."""
    cards = enumerate(view.villages[view.seat], start=1)
    return [(f"{view.seat}{place}", card.number) for place, card in cards if not card.covered]


def estimate(view: View) -> int:
    """What the reader's village counts, as far as the reader knows; an unknown card counts as an average one."""
    return sum(UNKNOWN if number is None else number for _, number in _own(view))


def _worst(view: View) -> str:
    """The spot of the highest card that the reader knows; empty where none is known."""
    known = [(number, spot) for spot, number in _own(view) if number is not None]
    return max(known)[1] if known else ""


def _to_go(view: View, number: int) -> str:
    """Which card had best make room for one of this number; empty where all are lower."""
    worst = _worst(view)
    high = (card_at(view, worst).number or 0) if worst else -1
    unknown = [spot[1:] for spot, known in _own(view) if known is None]
    if high >= HIGH or (high > number and not unknown):
        return f"your spot {worst[1:]}, {_a(high)}"
    if unknown:
        return f"a card that you do not know, such as your spot {unknown[0]}"
    return ""


def _set(view: View, number: int) -> list[str]:
    """The spots of cards that the reader knows to be of one number, worth a set for a card of this one; or none."""
    spots: dict[int, list[str]] = {}
    for spot, known in _own(view):
        if known is not None:
            spots.setdefault(known, []).append(spot)
    sets = [known for known in spots if len(spots[known]) > 1 and known > LOW and known * len(spots[known]) > number]
    return spots[max(sets)] if sets else []


def _a(number: int) -> str:
    """A number as a thing: "an 8"."""
    return f"{'an' if number in (8, 11) else 'a'} {number}"
