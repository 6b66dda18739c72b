"""Exchanging cards of one's village for the card in hand (G10, G11), and what may become of them (D4, B1, B3, B4)."""

from argentum.rules import events as ev
from argentum.rules.asking import ENDS, borrowable, use_draw_ability
from argentum.rules.notation import AT, AT_LEFT, STOP, USE_NTH
from argentum.rules.residents import Ask
from argentum.rules.table import EVERYBODY, NO_CARD, NOTHING, Table


def exchange(table: Table, me: int, places: list[int], chain: int) -> Ask:
    """Exchange the cards at these places of one's village, one or a set, for the card in hand.

    An exchange inside a chain of borrowing is a Nosferatu's: there a Goth Girl changes nothing (X6).
    """
    village = table.villages[me]
    cards = [village[place] for place in places]
    cast = table.cast
    to_deck = not chain and table.shows(me, cast.goth_girl)
    morticians = [card for card in village if _buries(table, card)] if cast.mortician >= 0 else []
    leaving = leavers(table, me, cards, to_deck) if cast.zombie >= 0 else cards
    if not leaving:
        yield from keep_zombies(table, me)
        return
    place = village.index(leaving[0])
    if len(leaving) > 1:
        place = (yield [AT + (me << 6) + village.index(card) for card in leaving]) & 63
    replace(table, me, leaving, place, to_deck)
    if morticians and any([_buries(table, card) and card in village for card in morticians]):
        yield from _bury(table, me, leaving, chain)


def exchange_plainly(table: Table, me: int, place: int) -> bool:
    """Exchange a single card where nothing could come of it; false, and nothing done, where something could."""
    cast = table.cast
    card = table.villages[me][place]
    if table.faces[card] == cast.zombie or table.shows(me, cast.goth_girl) or table.shows(me, cast.mortician):
        return False
    replace(table, me, [card], place, False)
    return True


def matches(table: Table, me: int, places: list[int]) -> bool:
    """Whether the cards at these places are a set: of equal number, or made equal by faceup Lycans outside it (B1)."""
    village = table.villages[me]
    highest = total = 0
    for place in places:
        number = table.faces[village[place]]
        total += number
        if number > highest:
            highest = number
    missing = highest * len(places) - total
    if missing and table.cast.lycan >= 0:
        for place, card in enumerate(village):
            if (
                table.faces[card] == table.cast.lycan
                and table.up[card]
                and card != table.bullet
                and place not in places
            ):
                missing -= 1
    return missing <= 0


def show(table: Table, me: int, places: list[int]) -> None:
    """Show several cards of one's village to everybody, without turning them (G10)."""
    village = table.villages[me]
    for place in places:
        table.seen[village[place]] = EVERYBODY
        table.tell(ev.SHOWED, me, me << 6 | place, village[place])


def fail(table: Table, me: int, places: list[int]) -> None:
    """The cards do not match: they turn facedown in their spots (G11)."""
    village = table.villages[me]
    table.tell(ev.FAILED, me)
    for place in places:
        table.up[village[place]] = 0


def add_penalty(table: Table, me: int, left: bool) -> None:
    """The deck's top card goes to an end of the village, unseen, or faceup from a faceup deck (G11, B5)."""
    card = table.deck.pop()
    table.up[card] = 1 if table.deck_up else 0
    table.add(me, me, card, left)
    table.show_deck()


def add_hand(table: Table, me: int, left: bool) -> None:
    """The card in hand goes to an end of its holder's village, facing as it was drawn or taken."""
    card = table.hand
    table.hand, table.held = NO_CARD, NOTHING
    table.add(me, me, card, left)


def leavers(table: Table, me: int, cards: list[int], to_deck: bool) -> list[int]:
    """Which of the cards leave the village: a Zombie only for the deck, or under a lower number (D4)."""
    zombie = table.cast.zombie
    if to_deck or min([table.faces[card] for card in cards]) < zombie:
        return cards
    leaving: list[int] = []
    for card in cards:
        if table.faces[card] == zombie:
            table.seen[card] = EVERYBODY
            table.tell(ev.STAYED, me, me << 6 | table.villages[me].index(card), card)
        else:
            leaving.append(card)
    return leaving


def keep_zombies(table: Table, me: int) -> Ask:
    """Only Zombies were to go, and none did: the card in hand is discarded instead, or kept if it is one too (D4)."""
    if table.is_zombie(table.hand):
        table.seen[table.hand] = EVERYBODY  # or it would have been discarded
        add_hand(table, me, (yield ENDS) == AT_LEFT)
    else:
        discard_hand(table, me, False)


def replace(table: Table, me: int, leaving: list[int], place: int, to_deck: bool) -> None:
    """The card in hand takes one of the spots, the row closes up, the cards are discarded, the lowest on top (G10)."""
    village = table.villages[me]
    spots = [place] if len(leaving) == 1 else [village.index(card) for card in leaving]
    village[place] = card = table.hand
    table.hand, table.held = NO_CARD, NOTHING
    stack = leaving
    if len(leaving) > 1:
        for one in leaving:
            if one in village:
                village.remove(one)
        stack = sorted(leaving, key=lambda one: -table.faces[one])
    if to_deck:
        table.to_deck_bottom(me, stack)
    else:
        for one in stack:
            table.to_pile(one)
    for nth, one in enumerate(leaving):
        table.tell(ev.LEFT, me, me << 6 | spots[nth], one, ev.TO_DECK if to_deck else ev.TO_PILE)
    table.tell(ev.PLACED, me, me << 6 | village.index(card), card)


def _buries(table: Table, card: int) -> bool:
    """Whether a card is a Mortician at work."""
    return table.faces[card] == table.cast.mortician and table.up[card] == 1 and card != table.bullet


def _bury(table: Table, me: int, cards: list[int], chain: int) -> Ask:
    """A Mortician lets its owner use the draw ability of one of the cards discarded in an exchange (B4)."""
    topmost: dict[int, int] = {}
    for card in cards:  # the last of several lies on top
        if borrowable(table, me, card, chain):
            topmost[table.faces[card]] = card
    if topmost:
        move = yield [*[USE_NTH + number for number in sorted(topmost)], STOP]
        if move != STOP:
            yield from use_draw_ability(table, me, topmost[move - USE_NTH], chain)


def discard_hand(table: Table, me: int, to_deck: bool) -> None:
    """Discard the card in hand: onto the pile, or under the deck by a Goth Girl's favour (G7, B3)."""
    card = table.hand
    table.hand, table.held = NO_CARD, NOTHING
    if to_deck:
        table.to_deck_bottom(me, [card])
    else:
        table.to_pile(card)
    table.tell(ev.DISCARDED, me, -1, card, ev.TO_DECK if to_deck else ev.TO_PILE)
