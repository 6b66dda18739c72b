"""Exchanging cards of one's village for the card in hand (G10, G11), and what may become of them (D4, B3, B4)."""

from typing import Final

from argentum.rules import events as ev
from argentum.rules.asking import END, ENDS, SPOT, USE, ask, borrowable, use_draw_ability
from argentum.rules.card_sets import shortfall, stays
from argentum.rules.fast_lists import drop, listed
from argentum.rules.notation import AT, AT_LEFT, EXCHANGE, STOP, USE_NTH
from argentum.rules.residents import NUMBERS, Ask
from argentum.rules.table import EVERYBODY, NO_CARD, NOTHING, Table

NOWHERE: Final = -1  # what is discarded goes onto the discard pile, as usual


def sink(table: Table, me: int) -> int:
    """The number of the faceup resident that says where a seat's discards go, or -1 (B3)."""
    hook = table.cast.discards
    if hook and table.shows(me, hook):
        return next(table.faces[card] for card in table.villages[me] if table.works(card, hook))
    return NOWHERE


def exchange(table: Table, me: int, places: list[int], chain: int) -> Ask:
    """Exchange the cards at these places of one's village, one or a set, for the card in hand.

    An exchange inside a chain of borrowing is an ability's: its discards go onto the pile (X6).
    """
    village = table.villages[me]
    cards = [village[place] for place in places]
    cast = table.cast
    goes = NOWHERE if chain else sink(table, me)
    buriers = [card for card in village if table.works(card, cast.buries)] if cast.buries else []
    leaving = leavers(table, me, cards, goes) if cast.clings else cards
    if not leaving:
        yield from keep_clinging(table, me)
        return
    place = village.index(leaving[0])
    if len(leaving) > 1:
        spots = [AT + (me << 6) + village.index(card) for card in leaving]
        named = tuple([EXCHANGE + (me << 6) + place for place in places])
        place = (yield from ask(table, spots, "G10", SPOT, named)) & 63
    replace(table, me, leaving, place, goes)
    table.settle()
    if buriers and any([table.works(card, cast.buries) and card in village for card in buriers]):
        yield from bury(table, me, leaving, chain, buriers[0])


def exchange_plainly(table: Table, me: int, place: int) -> bool:
    """Exchange a single card where nothing could come of it; false, and nothing done, where something could."""
    card = table.villages[me][place]
    cast = table.cast
    if cast.clings >> table.faces[card] & 1 or (cast.special and table.shows(me, cast.special)):
        return False
    replace(table, me, [card], place, NOWHERE)
    return True


def matches(table: Table, me: int, places: list[int]) -> bool:
    """Whether the cards at these places are a set: of equal number, or made equal (B1, A13).

    Wild cards take any number; each faceup card outside the set that raises may add 1 to one of the others (X17).
    """
    village, faces, raises = table.villages[me], table.faces, table.cast.raises
    missing = shortfall([faces[village[place]] for place in places], table.cast.wild)
    if missing and raises:
        for place, card in enumerate(village):
            if table.works(card, raises) and place not in places:
                missing -= 1
    return missing <= 0


def show(table: Table, me: int, places: list[int]) -> None:
    """Show several cards of one's village to everybody, without turning them (G10)."""
    village, seen, quiet = table.villages[me], table.seen, table.quiet
    for place in places:
        seen[village[place]] = EVERYBODY
        if not quiet:
            table.tell(ev.SHOWED, me, me << 6 | place, village[place])


def fail(table: Table, me: int, places: list[int]) -> None:
    """The cards do not match: they turn facedown in their spots (G11)."""
    village = table.villages[me]
    table.tell(ev.FAILED, me)
    for place in places:
        table.up &= ~(1 << village[place])
    if table.guards:
        table.stirred = True


def add_penalty(table: Table, me: int, left: bool) -> None:
    """The deck's top card goes to an end of the village, unseen, or faceup from a faceup deck (G11, B5)."""
    card = table.deck.pop()
    table.lay(card, table.deck_up)
    table.add(me, me, card, left)
    table.show_deck()


def add_hand(table: Table, me: int, seat: int, left: bool) -> None:
    """The card in hand goes to an end of a village, facing as it does."""
    card = table.hand
    table.hand, table.held = NO_CARD, NOTHING
    table.add(me, seat, card, left)


def leavers(table: Table, me: int, cards: list[int], goes: int) -> list[int]:
    """Which of the cards leave the village: one that clings only off the pile, or under a lower number (D4)."""
    if goes != NOWHERE and table.cast.residents[goes].off_pile:
        return cards
    lowest = NUMBERS
    for card in cards:
        lowest = min(lowest, table.faces[card])
    leaving: list[int] = []
    for card in cards:
        if stays(table.faces[card], lowest, table.cast.clings):
            stay(table, me, me << 6 | table.villages[me].index(card))
        else:
            leaving.append(card)
    return leaving


def stay(table: Table, me: int, where: int) -> None:
    """A card that was to be discarded clings to its spot, and all see which it is (D4)."""
    card = table.at(where)
    table.seen[card] = EVERYBODY
    table.tell(ev.STAYED, me, where & 255, card)


def keep_clinging(table: Table, me: int) -> Ask:
    """Only cards that cling were to go, and none did: the card in hand is discarded, or kept if it clings too (D4)."""
    if table.clings(table.hand):
        yield from gain(table, me, me)
    else:
        discard_hand(table, me, NOWHERE)


def gain(table: Table, me: int, seat: int) -> Ask:
    """The card in hand cannot be discarded: it joins a village, at an end that `me` chooses, and all know it (D4)."""
    card = table.hand
    table.seen[card] = EVERYBODY
    left = False
    if table.villages[seat]:
        label = table.cast.labels[table.faces[card]]
        left = (yield from ask(table, ENDS, label, END)) == AT_LEFT
    add_hand(table, me, seat, left)


def replace(table: Table, me: int, leaving: list[int], place: int, goes: int) -> None:
    """The card in hand takes one of the spots, the row closes up, the cards are discarded, the lowest on top (G10)."""
    village = table.villages[me]
    spots = [] if table.quiet else [village.index(card) for card in leaving]
    village[place] = card = table.hand
    table.unsettle(card)
    table.hand, table.held = NO_CARD, NOTHING
    stack = leaving
    if len(leaving) > 1:
        for one in leaving:
            if listed(village, one):
                drop(village, one)
        stack = highest_first(table, leaving)
    put = throw(table, me, stack, goes)
    if not table.quiet:
        for nth, one in enumerate(leaving):
            table.tell(ev.LEFT, me, me << 6 | spots[nth], one, put)
        table.tell(ev.PLACED, me, me << 6 | village.index(card), card)


def highest_first(table: Table, cards: list[int]) -> list[int]:
    """Cards in the order of their discard: by number, the highest first. (To sort takes three times as long.)"""
    ordered: list[int] = []
    for card in cards:
        place, number = len(ordered), table.faces[card]
        while place > 0 and table.faces[ordered[place - 1]] < number:
            place -= 1
        ordered.insert(place, card)
    return ordered


def throw(table: Table, me: int, stack: list[int], goes: int) -> int:
    """Discard cards, the highest first: onto the pile, or where a resident says; the place is returned."""
    if goes != NOWHERE:
        put = table.cast.residents[goes].discards
        if put is not None:
            return put(table, me, stack)
    for card in stack:
        table.to_discard(card)
    return ev.TO_DISCARD


def discard_hand(table: Table, me: int, goes: int) -> None:
    """Discard the card in hand (G7)."""
    card = table.hand
    table.hand, table.held = NO_CARD, NOTHING
    table.tell(ev.DISCARDED, me, -1, card, throw(table, me, [card], goes))


def bury(table: Table, me: int, cards: list[int], chain: int, burier: int) -> Ask:
    """The owner of a burier may use the draw ability of one of the cards discarded in an exchange (B4).

    Where the others did not see what was discarded they are not told by the question: it is always put (G25).
    """
    topmost: dict[int, int] = {}
    for card in cards:  # the last of several lies on top
        if borrowable(table, me, card, chain):
            topmost[table.faces[card]] = card
    if topmost or any([table.seen[card] != EVERYBODY for card in cards]):
        label = table.cast.labels[table.faces[burier]]
        options = [*[USE_NTH + number for number in sorted(topmost)], STOP]
        move = yield from ask(table, options, label, USE)
        if move != STOP:
            yield from use_draw_ability(table, me, topmost[move - USE_NTH], chain)
