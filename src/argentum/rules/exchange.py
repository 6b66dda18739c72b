# mypyc: compile, optimize
"""Exchange cards of a village for the card in hand (G10, G11), with the effects of residents (D4, B3, B4)."""

from argentum.rules import events as ev
from argentum.rules.asking import (
    STEP_SPOT,
    STEP_USE,
    STEP_VILLAGE_END,
    VILLAGE_ENDS,
    ask,
    borrow_draw_ability,
    can_borrow,
)
from argentum.rules.exchange_result import DISCARD_PILE, discard_destination, leaving_places
from argentum.rules.fast_lists import contains, remove
from argentum.rules.notation import (
    AT_LEFT,
    EXCHANGE,
    PLACE_AT,
    STOP,
    USE_FROM_PILE,
    card_move,
    make_spot,
    place_of,
    spot_of,
)
from argentum.rules.residents import Rule, has_number
from argentum.rules.table import ALL_VIEWERS, HAND_EMPTY, NO_CARD, Table


def exchange_cards(table: Table, me: int, places: list[int], chain: int) -> Rule:
    """Exchange one card, or a matching set, for the card in hand.

    Within a chain of borrowed abilities, discards always go onto the pile (X6).
    """
    village, cast = table.villages[me], table.cast
    destination = DISCARD_PILE if chain else discard_destination(table, me)
    ability_users = (
        [card for card in village if table.is_active(card, cast.uses_exchanged_cards)]
        if cast.uses_exchanged_cards
        else []
    )
    leaving = show_staying_cards(table, me, places, destination)
    if not leaving:
        yield from finish_exchange_where_all_stay(table, me)
        return
    place = village.index(leaving[0])
    if len(leaving) > 1:
        spots = [card_move(PLACE_AT, me, village.index(card)) for card in leaving]
        named = tuple([card_move(EXCHANGE, me, place) for place in places])
        place = place_of((yield from ask(table, spots, "G10", STEP_SPOT, named)))
    replace_cards(table, me, leaving, place, destination)
    table.resolve()
    if ability_users and any(
        [table.is_active(card, cast.uses_exchanged_cards) and card in village for card in ability_users]
    ):
        yield from offer_exchanged_abilities(table, me, leaving, chain, ability_users[0])


def try_simple_exchange(table: Table, me: int, place: int) -> bool:
    """Exchange a single card if no resident affects the exchange; return whether it was made."""
    card = table.villages[me][place]
    cast = table.cast
    if has_number(cast.clings, table.faces[card]) or (
        cast.affects_exchange and table.has_active(me, cast.affects_exchange)
    ):
        return False
    replace_cards(table, me, [card], place, DISCARD_PILE)
    return True


def show_cards(table: Table, me: int, places: list[int]) -> None:
    """Show everybody the cards at these places of a seat's village, without turning them (G10)."""
    village = table.villages[me]
    table.reveal_cards_to_all([village[place] for place in places])
    if not table.events_off:
        for place in places:
            table.add_event(ev.SHOWED, me, make_spot(me, place), village[place])


def fail_exchange(table: Table, me: int, places: list[int]) -> None:
    """Turn the cards of a set that does not match facedown in their spots (G11)."""
    village = table.villages[me]
    table.add_event(ev.FAILED, me)
    for place in places:
        table.lay_facedown(village[place])
    if table.guards:
        table.changed = True


def add_penalty_card(table: Table, me: int, left: bool) -> None:
    """Add the deck's top card at an end of a seat's village: unseen, or faceup from a faceup deck (G11, B5)."""
    card = table.deck.pop()
    table.set_facing(card, table.deck_up)
    table.add_to_village(me, me, card, left)
    table.reveal_deck_top()


def add_hand_to_village(table: Table, me: int, seat: int, left: bool) -> None:
    """Add the card in hand at an end of a village, without turning it."""
    card = table.hand
    table.hand, table.hand_source = NO_CARD, HAND_EMPTY
    table.add_to_village(me, seat, card, left)


def show_staying_cards(table: Table, me: int, places: list[int], destination: int) -> list[int]:
    """Show everybody those cards at these places that stay in an exchange; return the cards that leave."""
    village = table.villages[me]
    leaving = leaving_places(table, me, places, destination)
    if len(leaving) < len(places):
        for place in places:
            if place not in leaving:
                keep_in_spot(table, me, make_spot(me, place))
    return [village[place] for place in leaving]


def keep_in_spot(table: Table, me: int, move: int) -> None:
    """Show everybody a clinging card, which stays in its spot instead of being discarded (D4)."""
    card = table.card_at(move)
    table.reveal_to_all(card)
    table.add_event(ev.STAYED, me, spot_of(move), card)


def finish_exchange_where_all_stay(table: Table, me: int) -> Rule:
    """Finish an exchange in which every card stayed: discard the card in hand, or keep it if it clings too (D4)."""
    if table.clings(table.hand):
        yield from keep_hand_card(table, me, me)
    else:
        discard_hand(table, me, DISCARD_PILE)


def keep_hand_card(table: Table, me: int, seat: int) -> Rule:
    """Reveal the card in hand, which cannot be discarded, and add it at an end of a village (D4)."""
    card = table.hand
    table.reveal_to_all(card)
    left = False
    if table.villages[seat]:
        label = table.cast.labels[table.faces[card]]
        left = (yield from ask(table, VILLAGE_ENDS, label, STEP_VILLAGE_END)) == AT_LEFT
    add_hand_to_village(table, me, seat, left)


def replace_cards(table: Table, me: int, leaving: list[int], place: int, destination: int) -> None:
    """Put the card in hand at `place`, and discard the cards in `leaving`, the lowest on top (G10)."""
    village = table.villages[me]
    places = [] if table.events_off else [village.index(card) for card in leaving]
    village[place] = card = table.hand
    table.mark_changed(card)
    table.hand, table.hand_source = NO_CARD, HAND_EMPTY
    stack = leaving
    if len(leaving) > 1:
        for old_card in leaving:
            if contains(village, old_card):
                remove(village, old_card)
        stack = sort_highest_first(table, leaving)
    event_destination = discard_cards(table, me, stack, destination)
    if not table.events_off:
        for place, old_card in zip(places, leaving, strict=True):
            table.add_event(ev.LEFT, me, make_spot(me, place), old_card, event_destination)
        table.add_event(ev.PLACED, me, make_spot(me, village.index(card)), card)


def sort_highest_first(table: Table, cards: list[int]) -> list[int]:
    """Sort cards by number, the highest first. (Compiled insertion sort is three times as fast as `sorted`.)"""
    ordered: list[int] = []
    for card in cards:
        place, number = len(ordered), table.faces[card]
        while place > 0 and table.faces[ordered[place - 1]] < number:
            place -= 1
        ordered.insert(place, card)
    return ordered


def discard_cards(table: Table, me: int, stack: list[int], destination: int) -> int:
    """Discard cards, given with the highest first; return an index of `events.DESTINATIONS`.

    `destination` is from :func:`discard_destination`.
    """
    if destination != DISCARD_PILE:
        discard_hook = table.cast.residents[destination].discard_hook
        if discard_hook is not None:
            return discard_hook(table, me, stack)
    for card in stack:
        table.put_on_discard_pile(card)
    return ev.TO_DISCARD


def discard_hand(table: Table, me: int, destination: int) -> None:
    """Discard the card in hand (G7)."""
    card = table.hand
    table.hand, table.hand_source = NO_CARD, HAND_EMPTY
    table.add_event(ev.DISCARDED, me, -1, card, discard_cards(table, me, [card], destination))


def offer_exchanged_abilities(table: Table, me: int, cards: list[int], chain: int, ability_user: int) -> Rule:
    """Let the owner of a Mortician use the draw ability of one of the exchanged cards (B4).

    If somebody has not seen all discarded cards, ask even without an option, so that asking reveals nothing (G25).
    """
    topmost: dict[int, int] = {}
    for card in cards:  # The last of several equal cards lies on top.
        if can_borrow(table, me, card, chain):
            topmost[table.faces[card]] = card
    if topmost or any([table.viewers_of(card) != ALL_VIEWERS for card in cards]):
        label = table.cast.labels[table.faces[ability_user]]
        options = [*[USE_FROM_PILE + number for number in sorted(topmost)], STOP]
        move = yield from ask(table, options, label, STEP_USE)
        if move != STOP:
            yield from borrow_draw_ability(table, me, topmost[move - USE_FROM_PILE], chain)
