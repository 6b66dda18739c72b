# mypyc: compile
"""Silver Amulet: residents and token.

We have neither the rulebook nor the card reference of this box. `source` is the evidence for each text. If you own the
box and find a wrong text, correct it here.
"""

from argentum.rules import events as ev
from argentum.rules.asking import (
    FACEDOWN,
    STEP_HAND,
    STEP_SECOND_CARD,
    STEP_VILLAGE_END,
    VILLAGE_ENDS,
    all_seats,
    ask,
    can_use_covering_token,
    card_moves,
    choose,
    choose_from_pile,
    has_facedown,
    has_facedown_elsewhere,
    has_own_facedown,
    look_at_up_to,
    movable_cards,
    other_seats,
)
from argentum.rules.exchange import add_hand_to_village, discard_hand, keep_in_spot
from argentum.rules.exchange_result import DISCARD_PILE
from argentum.rules.notation import (
    AT_LEFT,
    EXCHANGE,
    PICK_CARD,
    TAKE_FROM_PILE,
    pile_choice_number,
    place_of,
    seat_of,
    spot_of,
)
from argentum.rules.residents import TIMING_VILLAGE, Box, Rule
from argentum.rules.table import HAND_EMPTY, HAND_LIFTED, NO_CARD, Table
from argentum.rules.turns import decide_hand, exchange_named_cards

SOURCE_AGREED = "agreed: three or more independent public transcriptions of the card say the same"
SOURCE_PARTLY_AGREED = (
    "agreed in what the card says by three or more independent public transcriptions; {} reconstructed, unofficial"
)

AMULET = Box(
    "amulet",
    "a",
    "Silver Amulet of Protection",
    "Once, on your turn: put it on one of your own cards. Until the round ends nobody touches that card, not even you."
    " It keeps its number and its abilities.",
    SOURCE_PARTLY_AGREED.format("that you do not touch it either, and that it keeps its abilities:"),
    covers=True,
)

villager = AMULET.add_resident(
    0,
    "Villager",
    TIMING_VILLAGE,
    "While faceup: as soon as both Villagers lie faceup, in one village or two, the round ends at once.",
    SOURCE_PARTLY_AGREED.format("which cards do not count for it:"),
)
villager.ends_round = True

squire = AMULET.add_resident(
    1,
    "Squire",
    TIMING_VILLAGE,
    "While faceup: for each Squire a card lies shown beside the deck, and anybody may draw it instead of the top card.",
    SOURCE_PARTLY_AGREED.format("that it is a draw and goes in faceup, and when cards are shown:"),
)
squire.shows_deck_card = True


@AMULET.village_ability(
    2,
    "Empath",
    "While faceup: once a turn, look at one of your facedown cards.",
    has_own_facedown,
    source=SOURCE_AGREED,
)
def empath(table: Table, me: int, card: int, chain: int) -> Rule:
    table.look(me, (yield from choose(table, card_moves(table, me, [me], FACEDOWN))))


def guardable_cards(table: Table, me: int, card: int) -> list[int]:
    """Return a move for each card that a Bodyguard may guard: neither itself nor a card that it already guards."""
    guarded = [other for _, guard, other in table.guards if guard == card]
    return [move for move in table.own_moves(me) if table.card_at(move) != card and table.card_at(move) not in guarded]


def can_guard(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(guardable_cards(table, me, card))


@AMULET.village_ability(
    3,
    "Bodyguard",
    "While faceup: the others cannot touch it, nor the card it guards. Once a turn it may guard one other card of your"
    " village.",
    can_guard,
    protects=True,
    source=SOURCE_PARTLY_AGREED.format("how it comes to guard a card, and when that ends:"),
)
def bodyguard(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, guardable_cards(table, me, card))
    others = [guard for guard in table.guards if guard[1] != card]
    table.guards = (*others, (me, card, table.card_at(move)))
    table.add_event(ev.GUARDED, me, table.spot_of_card(card), NO_CARD, spot_of(move))


rascal = AMULET.add_resident(
    4,
    "Rascal",
    TIMING_VILLAGE,
    "While faceup: when you draw from the deck, look at one more card from its top and draw the one you like. The"
    " others stay on top in their order.",
    SOURCE_PARTLY_AGREED.format("that it always works, and not for shown cards:"),
)
rascal.draws_deeper = True


@AMULET.draw_ability(
    5, "Exposer", "When drawn: turn one of your facedown cards faceup.", has_own_facedown, source=SOURCE_AGREED
)
def exposer(table: Table, me: int, card: int, chain: int) -> Rule:
    table.turn_up(me, (yield from choose(table, card_moves(table, me, [me], FACEDOWN))))


@AMULET.draw_ability(
    6, "Revealer", "When drawn: turn one facedown card of any village faceup.", has_facedown, source=SOURCE_AGREED
)
def revealer(table: Table, me: int, card: int, chain: int) -> Rule:
    table.turn_up(me, (yield from choose(table, card_moves(table, me, all_seats(table), FACEDOWN))))


@AMULET.draw_ability(
    7, "Beholder", "When drawn: look at up to two of your facedown cards.", has_own_facedown, source=SOURCE_AGREED
)
def beholder(table: Table, me: int, card: int, chain: int) -> Rule:
    yield from look_at_up_to(table, me, 2, [me])


@AMULET.draw_ability(
    8,
    "Apprentice Seer",
    "When drawn: look at a facedown card of another village.",
    has_facedown_elsewhere,
    source=SOURCE_AGREED,
)
def apprentice_seer(table: Table, me: int, card: int, chain: int) -> Rule:
    table.look(me, (yield from choose(table, card_moves(table, me, other_seats(table, me), FACEDOWN))))


@AMULET.draw_ability(
    9, "Seer", "When drawn: look at a facedown card of any village.", has_facedown, source=SOURCE_AGREED
)
def seer(table: Table, me: int, card: int, chain: int) -> Rule:
    table.look(me, (yield from choose(table, card_moves(table, me, all_seats(table), FACEDOWN))))


def takeable_places(table: Table, card: int) -> list[int]:
    """Return the indices of the cards in the discard pile, from the top, without the Master itself (X18)."""
    return [place for place in range(len(table.discard) - 1, -1, -1) if table.discard[place] != card]


def can_use_master(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable_count(me) > 0 and bool(takeable_places(table, card))


@AMULET.draw_ability(
    10,
    "Master",
    "When drawn: take any card of the discard pile but this one, and exchange it in.",
    can_use_master,
    depends_on_piles=True,
    source=SOURCE_PARTLY_AGREED.format("exchanging a set, and taking a facedown card:"),
)
def master(table: Table, me: int, card: int, chain: int) -> Rule:
    places = takeable_places(table, card)
    move = yield from choose_from_pile(table, [TAKE_FROM_PILE + place for place in range(1, len(places) + 1)], places)
    place = pile_choice_number(move)
    table.take_from_pile(me, places[place - 1], place)
    yield from decide_hand(table, me, chain)
    yield from exchange_named_cards(table, me, chain)


def can_use_witch(table: Table, me: int, card: int, chain: int) -> bool:
    if not table.deck:
        return False
    return table.touchable_count(me) > 0 or bool(movable_cards(table, me, other_seats(table, me)))


@AMULET.draw_ability(
    11,
    "Witch",
    "When drawn: look at the top card of the deck. Exchange it for cards of yours, or put it in the place of a card of"
    " another village, which is discarded.",
    can_use_witch,
    depends_on_piles=True,
    source=SOURCE_PARTLY_AGREED.format("that one of the two must be done:"),
)
def witch(table: Table, me: int, card: int, chain: int) -> Rule:
    top = table.look_at_deck(me, 1)
    table.deck.pop()
    table.set_facing(top, table.deck_up)
    table.hand, table.hand_source = top, HAND_LIFTED
    table.reveal_deck_top()
    options = table.own_moves(me, EXCHANGE) + movable_cards(table, me, other_seats(table, me))
    move = yield from choose(table, options, STEP_HAND)
    if move >= EXCHANGE:
        table.named_places = 1 << place_of(move)
        yield from exchange_named_cards(table, me, chain)
    else:
        yield from replace_in_other_village(table, me, move)


def replace_in_other_village(table: Table, me: int, move: int) -> Rule:
    """Put the card in hand in the place of a card of another village, and discard that card.

    If that card clings, it stays: the card in hand is discarded, or if it clings too, added to that village (X19, D4).
    """
    seat = seat_of(move)
    old, new = table.card_at(move), table.hand
    if not table.clings(old):
        table.replace_at(move, new)
        table.hand, table.hand_source = NO_CARD, HAND_EMPTY
        table.put_on_discard_pile(old)
        table.add_event(ev.LEFT, me, spot_of(move), old, ev.TO_DISCARD)
        table.add_event(ev.PLACED, me, spot_of(move), new)
        return
    keep_in_spot(table, me, spot_of(move))
    if table.clings(new):
        table.reveal_to_all(new)  # It would otherwise be discarded, so everybody knows that it clings.
        label = table.cast.labels[table.faces[new]]
        add_hand_to_village(
            table,
            me,
            seat,
            (yield from ask(table, VILLAGE_ENDS, label, STEP_VILLAGE_END, (PICK_CARD + spot_of(move),))) == AT_LEFT,
        )
    else:
        discard_hand(table, me, DISCARD_PILE)


def can_use_robber(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable_count(me) > 0 and bool(movable_cards(table, me, other_seats(table, me)))


@AMULET.draw_ability(
    12,
    "Robber",
    "When drawn: switch a card of another village for one of yours, then look at the card you got.",
    can_use_robber,
    source=SOURCE_AGREED,
)
def robber(table: Table, me: int, card: int, chain: int) -> Rule:
    their_card = yield from choose(table, movable_cards(table, me, other_seats(table, me)))
    own_card = yield from choose(table, table.own_moves(me), STEP_SECOND_CARD)
    table.switch(me, their_card, own_card)
    table.resolve()
    if not table.is_faceup(table.card_at(own_card)):
        table.look(me, own_card)


doppelganger = AMULET.add_resident(
    13,
    "Doppelgänger",
    TIMING_VILLAGE,
    "In a set that you exchange it counts as any number the other cards need. Otherwise it is a 13.",
    SOURCE_PARTLY_AGREED.format("several in one set:"),
)
doppelganger.wild = True


@AMULET.token_ability(can_use_covering_token)
def silver_amulet(table: Table, me: int, card: int, chain: int) -> Rule:
    table.cover_with_token(me, (yield from choose(table, table.own_moves(me))))
