"""What an exchange of several cards would come to, as far as their owner can know (G10, G11)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from argentum.rules.boxes import BOX_OF
from argentum.rules.card_sets import MANY, shortfall, stays
from argentum.rules.residents import Cast, Resident
from argentum.rules.views import Card, View

MATCH: Final = "match"
DIFFER: Final = "differ"
UNSURE: Final = "unsure"  # it depends on cards that the owner does not know
CASTS: Final = 256  # that are kept at hand


class Attempt(NamedTuple):
    """What an exchange of several cards would come to."""

    fits: str  # MATCH, DIFFER or UNSURE
    leaving: tuple[int, ...]  # the places of the cards that would leave the village
    cards: int | None  # that the village would have afterwards; None where that is not sure


@lru_cache(CASTS)
def cast_for(residents: tuple[Resident, ...], boxes: str, token: str) -> Cast:
    """The cast that a view names, with its hooks."""
    return Cast(boxes, list(residents), BOX_OF[token[0]])


def has(card: Card, hook: int) -> bool:
    """Whether a card is known to be one of those that a hook of the cast names."""
    return card.number is not None and hook >> card.number & 1 == 1


def works(cast: Cast, card: Card, hook: int) -> bool:
    """Whether it also is faceup and at work (B14)."""
    return card.up and has(card, hook) and not (card.covered and cast.mutes)


def discards_off_pile(cast: Cast, village: Sequence[Card]) -> bool:
    """Whether what the owner of a village discards does not come to the discard pile (B3)."""
    sinks = [card.number or 0 for card in village if works(cast, card, cast.discards)] if cast.discards else []
    return any([cast.residents[number].off_pile for number in sinks])


def fits(cast: Cast, village: Sequence[Card], places: Sequence[int]) -> str:
    """Whether the cards at these places of a village are a set, as far as can be known (B1, A13, X17)."""
    known = [card.number for card in [village[place] for place in places] if card.number is not None]
    missing = shortfall(known, cast.wild)
    if missing and cast.raises:
        missing -= len(
            [card for nth, card in enumerate(village) if works(cast, card, cast.raises) and nth not in places]
        )
    if missing > 0:
        return DIFFER  # no card that is added makes up for it
    unknown = len(places) - len(known)
    if unknown == 1 and known and all([cast.wild >> number & 1 for number in known]):
        return MATCH  # whatever it is, wild cards go with it
    return UNSURE if unknown else MATCH


def may_stay(cast: Cast, number: int | None, lowest: int) -> bool:
    """Whether a card of a set, of which this is the lowest number that is known, stays; an unknown one may (D4)."""
    return cast.clings > 0 if number is None else stays(number, lowest, cast.clings)


def known_sets(cast: Cast, village: Sequence[Card], places: Iterable[int]) -> list[tuple[int, ...]]:
    """The largest sets that known cards at some of these places make, each with and without wild cards."""
    known = {place: village[place].number or 0 for place in places if village[place].number is not None}
    wild = [place for place in known if has(village[place], cast.wild)]
    tame = [place for place in known if place not in wild]
    found: list[tuple[int, ...]] = []
    for number in sorted({known[place] for place in tame}, reverse=True):
        alike: list[int] = []
        for place in sorted(tame, key=lambda place: -known[place]):
            if known[place] > number:
                continue
            if fits(cast, village, [*alike, place]) != MATCH:
                break
            alike.append(place)
        found += [tuple(sorted(alike)), tuple(sorted([*alike, *wild]))]
    found.append(tuple(wild))
    return [one for one in dict.fromkeys(found) if len(one) > 1]


def attempt(view: View, places: Sequence[int]) -> Attempt:
    """What it would come to if the reader exchanged the cards at these places for the one in hand."""
    cast = cast_for(view.residents, view.boxes, view.token)
    village = view.villages[view.seat]
    said = fits(cast, village, places)
    if said == DIFFER:
        return Attempt(said, (), len(village) + 1 + (len(places) >= MANY and bool(view.deck)))
    if said == UNSURE:
        return Attempt(said, (), None)
    numbers = {place: village[place].number for place in places}
    lowest = min([number for number in numbers.values() if number is not None])
    leaving = tuple([place for place, number in numbers.items() if not may_stay(cast, number, lowest)])
    if len(leaving) < len(places) and discards_off_pile(cast, village):
        if view.asking is None or view.asking.label != "G7":  # an ability's own exchange goes onto the pile (X6)
            return Attempt(said, leaving, None)
        leaving = tuple(places)
    elif cast.clings and None in numbers.values():
        return Attempt(said, leaving, None)
    if leaving:
        return Attempt(said, leaving, len(village) + 1 - len(leaving))
    hand = None if view.hand is None else view.hand.number  # it is discarded, unless it clings too (D4)
    return Attempt(said, (), None if hand is None else len(village) + (cast.clings >> hand & 1))
