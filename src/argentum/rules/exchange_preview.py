# mypyc: compile
"""Predict the result of an exchange from what the owner of the cards knows (G10, G11)."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from argentum.rules.card_sets import PENALTY_SET_SIZE, missing_points, stays_in_village
from argentum.rules.residents import Cast, has_number
from argentum.rules.views import Card, View

MATCH: Final = "match"
DIFFER: Final = "differ"
UNSURE: Final = "unsure"  # depends on cards that the owner does not know


class ExchangePreview(NamedTuple):
    match_state: str  # MATCH, DIFFER or UNSURE
    leaving: tuple[int, ...]  # places of the cards that would leave the village
    village_size: int | None  # after the exchange; None if unknown


def is_known_with_hook(card: Card, hook: int) -> bool:
    """Whether a card's number is known and in `hook`, a bit mask of `Cast`."""
    return card.number is not None and has_number(hook, card.number)


def is_active_card(cast: Cast, card: Card, hook: int) -> bool:
    """Whether a card is faceup, not muted (B14), and of a number in `hook`, a bit mask of `Cast`."""
    return card.up and is_known_with_hook(card, hook) and not (card.covered and cast.token_mutes_card)


def avoids_discard_pile(cast: Cast, village: Sequence[Card]) -> bool:
    """Whether an active card of a village redirects its owner's discards away from the discard pile (B3)."""
    numbers = (
        [card.number or 0 for card in village if is_active_card(cast, card, cast.redirects_discards)]
        if cast.redirects_discards
        else []
    )
    return any([cast.residents[number].avoids_discard_pile for number in numbers])


def match_state(cast: Cast, village: Sequence[Card], places: Sequence[int]) -> str:
    """Return MATCH, DIFFER or UNSURE for the cards at these places (B1, A13, X17)."""
    known = [card.number for card in [village[index] for index in places] if card.number is not None]
    missing = missing_points(known, cast.wild)
    if missing and cast.raises_set_card:
        missing -= len(
            [
                card
                for place, card in enumerate(village)
                if is_active_card(cast, card, cast.raises_set_card) and place not in places
            ]
        )
    if missing > 0:
        return DIFFER  # Unknown cards cannot make up for known cards that differ.
    unknown = len(places) - len(known)
    if unknown == 1 and known and all([has_number(cast.wild, number) for number in known]):
        return MATCH  # Any unknown card matches wild cards.
    return UNSURE if unknown else MATCH


def may_stay(cast: Cast, number: int | None, lowest: int) -> bool:
    """Whether a card may stay in the village when it is exchanged (D4).

    `number` is None for an unknown card; `lowest` is the lowest known number of the exchange.
    """
    return cast.clings > 0 if number is None else stays_in_village(number, lowest, cast.clings)


def known_sets(cast: Cast, village: Sequence[Card], choices: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the largest matching sets of known cards, each with and without wild cards.

    A set is a tuple of places; `choices` are the places to choose from.
    """
    known = {place: village[place].number or 0 for place in choices if village[place].number is not None}
    wild = [place for place in known if is_known_with_hook(village[place], cast.wild)]
    plain_places = [place for place in known if place not in wild]
    sets: list[tuple[int, ...]] = []
    for number in sorted({known[place] for place in plain_places}, reverse=True):
        alike: list[int] = []
        for place in sorted(plain_places, key=lambda place: -known[place]):
            if known[place] > number:
                continue
            if match_state(cast, village, [*alike, place]) != MATCH:
                break
            alike.append(place)
        sets += [tuple(sorted(alike)), tuple(sorted([*alike, *wild]))]
    sets.append(tuple(wild))
    return [places for places in dict.fromkeys(sets) if len(places) > 1]


def preview_exchange(view: View, places: Sequence[int]) -> ExchangePreview:
    """Predict the exchange of the cards at these places of the viewer's village for the card in hand."""
    cast = view.cast
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
        if view.asking is None or not view.asking.is_drawn_card:  # An ability's exchange discards onto the pile (X6).
            return ExchangePreview(state, leaving, None)
        leaving = tuple(places)
    elif cast.clings and None in numbers.values():
        return ExchangePreview(state, leaving, None)
    if leaving:
        return ExchangePreview(state, leaving, len(village) + 1 - len(leaving))
    hand = None if view.hand is None else view.hand.number  # discarded, unless it clings too (D4)
    return ExchangePreview(state, (), None if hand is None else len(village) + has_number(cast.clings, hand))
