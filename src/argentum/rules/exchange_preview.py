# mypyc: compile
"""Predict the result of an exchange from what the owner of the cards knows (G10, G11)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from argentum.rules.exchange_result import (
    DIFFER,
    DISCARD_PILE,
    MATCH,
    PENALTY_SET_SIZE,
    UNSURE,
    discard_destination,
    is_off_pile,
    leaving_places,
    set_match_state,
)
from argentum.rules.known_table import known_table
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import UNKNOWN_NUMBER, has_number
from argentum.rules.table import Table
from argentum.rules.views import View


class ExchangePreview(NamedTuple):
    match_state: str  # MATCH, DIFFER or UNSURE of `exchange_result`
    leaving: tuple[int, ...]  # places of the cards that would leave the village
    village_size: int | None  # after the exchange; None if unknown


def preview_exchange(view: View, places: Sequence[int]) -> ExchangePreview:
    """Predict the exchange of the cards at these places of the viewer's village for the card in hand."""
    table, me = known_table(view), SEAT_LETTERS.index(view.seat)
    village, clings = table.villages[me], table.cast.clings
    state = set_match_state(table, me, places)
    if state == DIFFER:
        return ExchangePreview(state, (), len(village) + 1 + (len(places) >= PENALTY_SET_SIZE and bool(view.deck)))
    if state == UNSURE:
        return ExchangePreview(state, (), None)
    leaving = leaving_places(table, me, places, DISCARD_PILE)
    unknown = [place for place in places if clings and table.faces[village[place]] == UNKNOWN_NUMBER]
    leaving = [place for place in leaving if place not in unknown]  # They may cling.
    if len(leaving) < len(places) and is_off_pile(table, discard_destination(table, me)):
        if view.asking is None or not view.asking.is_drawn_card:  # An ability's exchange discards onto the pile (X6).
            return ExchangePreview(state, tuple(leaving), None)
        leaving = list(places)
    elif unknown:
        return ExchangePreview(state, tuple(leaving), None)
    if leaving:
        return ExchangePreview(state, tuple(leaving), len(village) + 1 - len(leaving))
    hand = None if view.hand is None else view.hand.number  # discarded, unless it clings too (D4)
    return ExchangePreview(state, (), None if hand is None else len(village) + has_number(clings, hand))


def known_sets(table: Table, me: int, choices: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the largest matching sets of known cards in a village of a known table, each with and without wild cards.

    A set is a tuple of places; `choices` are the places to choose from.
    """
    village, wild = table.villages[me], table.cast.wild
    known = {place: table.faces[village[place]] for place in choices}
    known = {place: number for place, number in known.items() if number != UNKNOWN_NUMBER}
    wild_places = [place for place, number in known.items() if has_number(wild, number)]
    plain_places = [place for place in known if place not in wild_places]
    sets: list[tuple[int, ...]] = []
    for highest in sorted({known[place] for place in plain_places}, reverse=True):
        alike: list[int] = []
        for place in sorted(plain_places, key=lambda place: -known[place]):
            if known[place] > highest:
                continue
            if set_match_state(table, me, [*alike, place]) != MATCH:
                break
            alike.append(place)
        sets += [tuple(sorted(alike)), tuple(sorted([*alike, *wild_places]))]
    sets.append(tuple(wild_places))
    return [places for places in dict.fromkeys(sets) if len(places) > 1]
