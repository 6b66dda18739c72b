"""What an exchange of several cards would come to, as far as their owner can know (G10, G11)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from argentum.rules.boxes import BOX_BY_NAME
from argentum.rules.card_sets import PENALTY_SET_SIZE, missing_points, stays_in_village
from argentum.rules.residents import Cast, Resident
from argentum.rules.views import Card, View

MATCH: Final = "match"
DIFFER: Final = "differ"
UNSURE: Final = "unsure"  # it depends on cards that the owner does not know
CAST_CACHE_SIZE: Final = 256  # that are kept at hand


class ExchangePreview(NamedTuple):
    """What an exchange of several cards would come to."""

    match_state: str  # MATCH, DIFFER or UNSURE
    leaving: tuple[int, ...]  # the places of the cards that would leave the village
    village_size: int | None  # that the village would have afterwards; None where that is not sure


@lru_cache(CAST_CACHE_SIZE)
def cast_of_view_fields(residents: tuple[Resident, ...], boxes: str, token: str) -> Cast:
    """The cast that a view names, with its hooks."""
    return Cast(boxes, list(residents), BOX_BY_NAME[token])


def is_known_with(card: Card, hook: int) -> bool:
    """Whether a card is known to be one of those that a hook of the cast names."""
    return card.number is not None and hook >> card.number & 1 == 1


def is_active_card(cast: Cast, card: Card, hook: int) -> bool:
    """Whether it also is faceup and at work (B14)."""
    return card.up and is_known_with(card, hook) and not (card.covered and cast.token_mutes_card)


def avoids_discard_pile(cast: Cast, village: Sequence[Card]) -> bool:
    """Whether what the owner of a village discards does not come to the discard pile (B3)."""
    numbers = (
        [card.number or 0 for card in village if is_active_card(cast, card, cast.discards)] if cast.discards else []
    )
    return any([cast.residents[number].avoids_discard_pile for number in numbers])


def match_state(cast: Cast, village: Sequence[Card], places: Sequence[int]) -> str:
    """Whether the cards at these places of a village are a set, as far as can be known (B1, A13, X17)."""
    known = [card.number for card in [village[place] for place in places] if card.number is not None]
    missing = missing_points(known, cast.wild)
    if missing and cast.raises:
        missing -= len(
            [card for nth, card in enumerate(village) if is_active_card(cast, card, cast.raises) and nth not in places]
        )
    if missing > 0:
        return DIFFER  # no card that is added makes up for it
    unknown = len(places) - len(known)
    if unknown == 1 and known and all([cast.wild >> number & 1 for number in known]):
        return MATCH  # whatever it is, wild cards go with it
    return UNSURE if unknown else MATCH


def may_stay(cast: Cast, number: int | None, lowest: int) -> bool:
    """Whether a card of a set, of which this is the lowest number that is known, stays; an unknown one may (D4)."""
    return cast.clings > 0 if number is None else stays_in_village(number, lowest, cast.clings)


def known_sets(cast: Cast, village: Sequence[Card], places: Iterable[int]) -> list[tuple[int, ...]]:
    """The largest sets that known cards at some of these places make, each with and without wild cards."""
    known = {place: village[place].number or 0 for place in places if village[place].number is not None}
    wild = [place for place in known if is_known_with(village[place], cast.wild)]
    plain_places = [place for place in known if place not in wild]
    found: list[tuple[int, ...]] = []
    for number in sorted({known[place] for place in plain_places}, reverse=True):
        alike: list[int] = []
        for place in sorted(plain_places, key=lambda place: -known[place]):
            if known[place] > number:
                continue
            if match_state(cast, village, [*alike, place]) != MATCH:
                break
            alike.append(place)
        found += [tuple(sorted(alike)), tuple(sorted([*alike, *wild]))]
    found.append(tuple(wild))
    return [one for one in dict.fromkeys(found) if len(one) > 1]


def preview_exchange(view: View, places: Sequence[int]) -> ExchangePreview:
    """What it would come to if the reader exchanged the cards at these places for the one in hand."""
    cast = cast_of_view_fields(view.residents, view.boxes, view.token)
    village = view.villages[view.seat]
    state = match_state(cast, village, places)
    if state == DIFFER:
        return ExchangePreview(state, (), len(village) + 1 + (len(places) >= PENALTY_SET_SIZE and bool(view.deck)))
    if state == UNSURE:
        return ExchangePreview(state, (), None)
    numbers = {place: village[place].number for place in places}
    lowest = min([number for number in numbers.values() if number is not None])
    leaving = tuple([place for place, number in numbers.items() if not may_stay(cast, number, lowest)])
    if len(leaving) < len(places) and avoids_discard_pile(cast, village):
        if view.asking is None or not view.asking.is_drawn_card:  # an ability's own exchange goes onto the pile (X6)
            return ExchangePreview(state, leaving, None)
        leaving = tuple(places)
    elif cast.clings and None in numbers.values():
        return ExchangePreview(state, leaving, None)
    if leaving:
        return ExchangePreview(state, leaving, len(village) + 1 - len(leaving))
    hand = None if view.hand is None else view.hand.number  # it is discarded, unless it clings too (D4)
    return ExchangePreview(state, (), None if hand is None else len(village) + (cast.clings >> hand & 1))
