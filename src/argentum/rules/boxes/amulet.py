"""Silver Amulet: its fourteen residents and its token.

Neither the box's rulebook nor its card reference is among our documents. `source` says on what each text rests; who
owns the box and finds one wrong can correct it here.
"""

from argentum.rules import events as ev
from argentum.rules.asking import (
    END,
    ENDS,
    SECOND,
    any_facedown,
    ask,
    can_cover,
    cards_in,
    choose,
    choose_of_discard,
    elsewhere,
    everywhere,
    facedown_elsewhere,
    look_at_up_to,
    movable,
    own_facedown,
)
from argentum.rules.asking import HAND as PLACE
from argentum.rules.exchange import NOWHERE, add_hand, discard_hand, stay
from argentum.rules.notation import AT_LEFT, CARD, EXCHANGE, TAKE_NTH
from argentum.rules.residents import VILLAGE as IN_VILLAGE
from argentum.rules.residents import Ask, Box
from argentum.rules.table import EVERYBODY, LIFTED, NO_CARD, NOTHING, Table
from argentum.rules.turns import exchange_named, settle_hand

AGREED = "agreed: three or more independent public transcriptions of the card say the same"
PARTLY = "agreed in what the card says by three or more independent public transcriptions; {} reconstructed, unofficial"

AMULET = Box(
    "amulet",
    "Silver Amulet of Protection",
    "Once, on your turn: put it on one of your own cards. Until the round ends nobody touches that card, not even you."
    " It keeps its number and its abilities.",
    PARTLY.format("that you do not touch it either, and that it keeps its abilities:"),
    covers=True,
)

villager = AMULET.add(
    0,
    "Villager",
    IN_VILLAGE,
    "While faceup: as soon as both Villagers lie faceup, in one village or two, the round ends at once.",
    PARTLY.format("which cards do not count for it:"),
)
villager.ends = True

squire = AMULET.add(
    1,
    "Squire",
    IN_VILLAGE,
    "While faceup: for each Squire a card lies shown beside the deck, and anybody may draw it instead of the top card.",
    PARTLY.format("that it is a draw and goes in faceup, and when cards are shown:"),
)
squire.shows = True


@AMULET.village(
    2, "Empath", "While faceup: once a turn, look at one of your facedown cards.", own_facedown, source=AGREED
)
def empath(table: Table, me: int, card: int, chain: int) -> Ask:
    table.look(me, (yield from choose(table, cards_in(table, me, [me], 0))))


def wards(table: Table, me: int, card: int) -> list[int]:
    """The cards that a Bodyguard may guard: not itself, and not the one that it guards already."""
    guarded = [other for _, guard, other in table.guards if guard == card]
    return [move for move in table.own(me) if table.at(move) != card and table.at(move) not in guarded]


def any_ward(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(wards(table, me, card))


@AMULET.village(
    3,
    "Bodyguard",
    "While faceup: the others cannot touch it, nor the card it guards. Once a turn it may guard one other card of your"
    " village.",
    any_ward,
    protects=True,
    source=PARTLY.format("how it comes to guard a card, and when that ends:"),
)
def bodyguard(table: Table, me: int, card: int, chain: int) -> Ask:
    where = yield from choose(table, wards(table, me, card))
    others = [guard for guard in table.guards if guard[1] != card]
    table.guards = (*others, (me, card, table.at(where)))
    table.tell(ev.GUARDED, me, table.spot(card), NO_CARD, where & 255)


rascal = AMULET.add(
    4,
    "Rascal",
    IN_VILLAGE,
    "While faceup: when you draw from the deck, look at one more card from its top and draw the one you like. The"
    " others stay on top in their order.",
    PARTLY.format("that it always works, and not for shown cards:"),
)
rascal.deepens = True


@AMULET.drawn(5, "Exposer", "When drawn: turn one of your facedown cards faceup.", own_facedown, source=AGREED)
def exposer(table: Table, me: int, card: int, chain: int) -> Ask:
    table.turn_up(me, (yield from choose(table, cards_in(table, me, [me], 0))))


@AMULET.drawn(6, "Revealer", "When drawn: turn one facedown card of any village faceup.", any_facedown, source=AGREED)
def revealer(table: Table, me: int, card: int, chain: int) -> Ask:
    table.turn_up(me, (yield from choose(table, cards_in(table, me, everywhere(table), 0))))


@AMULET.drawn(7, "Beholder", "When drawn: look at up to two of your facedown cards.", own_facedown, source=AGREED)
def beholder(table: Table, me: int, card: int, chain: int) -> Ask:
    yield from look_at_up_to(table, me, 2, [me])


@AMULET.drawn(
    8, "Apprentice Seer", "When drawn: look at a facedown card of another village.", facedown_elsewhere, source=AGREED
)
def apprentice_seer(table: Table, me: int, card: int, chain: int) -> Ask:
    table.look(me, (yield from choose(table, cards_in(table, me, elsewhere(table, me), 0))))


@AMULET.drawn(9, "Seer", "When drawn: look at a facedown card of any village.", any_facedown, source=AGREED)
def seer(table: Table, me: int, card: int, chain: int) -> Ask:
    table.look(me, (yield from choose(table, cards_in(table, me, everywhere(table), 0))))


def takings(table: Table, card: int) -> list[int]:
    """The places in the discard pile of the cards that a Master may take, from the top, without his own (X18)."""
    return [place for place in range(len(table.discard) - 1, -1, -1) if table.discard[place] != card]


def can_take(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable(me) > 0 and bool(takings(table, card))


@AMULET.drawn(
    10,
    "Master",
    "When drawn: take any card of the discard pile but this one, and exchange it in.",
    can_take,
    digs=True,
    source=PARTLY.format("exchanging a set, and taking a facedown card:"),
)
def master(table: Table, me: int, card: int, chain: int) -> Ask:
    places = takings(table, card)
    move = yield from choose_of_discard(table, [TAKE_NTH + nth for nth in range(1, len(places) + 1)], places)
    nth = move - TAKE_NTH
    table.take(me, places[nth - 1], nth)
    yield from settle_hand(table, me, chain)
    yield from exchange_named(table, me, chain)


def can_place(table: Table, me: int, card: int, chain: int) -> bool:
    if not table.deck:
        return False
    return table.touchable(me) > 0 or bool(movable(table, me, elsewhere(table, me)))


@AMULET.drawn(
    11,
    "Witch",
    "When drawn: look at the top card of the deck. Exchange it for cards of yours, or put it in the place of a card of"
    " another village, which is discarded.",
    can_place,
    digs=True,
    source=PARTLY.format("that one of the two must be done:"),
)
def witch(table: Table, me: int, card: int, chain: int) -> Ask:
    top = table.look_at_deck(me, 1)
    table.deck.pop()
    table.lay(top, table.deck_up)
    table.hand, table.held = top, LIFTED
    table.show_deck()
    options = table.own(me, EXCHANGE) + movable(table, me, elsewhere(table, me))
    move = yield from choose(table, options, PLACE)
    if move >= EXCHANGE:
        table.named = 1 << (move & 63)
        yield from exchange_named(table, me, chain)
    else:
        yield from put_abroad(table, me, move)


def put_abroad(table: Table, me: int, move: int) -> Ask:
    """Put the card in hand in the place of one of another village, which is discarded unless it clings (X19, D4)."""
    seat = move >> 6 & 3
    old, new = table.at(move), table.hand
    if not table.clings(old):
        table.put_at(move, new)
        table.hand, table.held = NO_CARD, NOTHING
        table.to_discard(old)
        table.tell(ev.LEFT, me, move & 255, old, ev.TO_DISCARD)
        table.tell(ev.PLACED, me, move & 255, new)
        return
    stay(table, me, move & 255)
    if table.clings(new):
        table.seen[new] = EVERYBODY  # or it would have been discarded
        label = table.cast.labels[table.faces[new]]
        add_hand(table, me, seat, (yield from ask(table, ENDS, label, END, (CARD + (move & 255),))) == AT_LEFT)
    else:
        discard_hand(table, me, NOWHERE)


def can_rob(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable(me) > 0 and bool(movable(table, me, elsewhere(table, me)))


@AMULET.drawn(
    12,
    "Robber",
    "When drawn: switch a card of another village for one of yours, then look at the card you got.",
    can_rob,
    source=AGREED,
)
def robber(table: Table, me: int, card: int, chain: int) -> Ask:
    theirs = yield from choose(table, movable(table, me, elsewhere(table, me)))
    mine = yield from choose(table, table.own(me), SECOND)
    table.switch(me, theirs, mine)
    table.settle()
    if not table.up >> table.at(mine) & 1:
        table.look(me, mine)


doppelganger = AMULET.add(
    13,
    "Doppelgänger",
    IN_VILLAGE,
    "In a set that you exchange it counts as any number the other cards need. Otherwise it is a 13.",
    PARTLY.format("several in one set:"),
)
doppelganger.wild = True


@AMULET.token_ability(can_cover)
def silver_amulet(table: Table, me: int, card: int, chain: int) -> Ask:
    table.cover(me, (yield from choose(table, table.own(me))))
