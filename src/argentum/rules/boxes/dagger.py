"""Silver Dagger: its fourteen residents and its token."""

from argentum.rules import events as ev
from argentum.rules.asking import (
    ANOTHER,
    FIRST,
    SECOND,
    SPOT,
    always,
    any_card,
    any_facedown,
    any_in,
    ask_end,
    borrowable,
    cards_in,
    choose,
    deck_left,
    elsewhere,
    everywhere,
    facedown_elsewhere,
    look_at_up_to,
    movable,
    use_draw_ability,
)
from argentum.rules.asking import USE as USE_OR_SWITCH
from argentum.rules.asking import VILLAGE as WHICH_VILLAGE
from argentum.rules.exchange import discard_hand, leavers, replace, show, sink
from argentum.rules.fast_lists import drop
from argentum.rules.notation import AT, USE, VILLAGE
from argentum.rules.residents import MAIN_ACTION, Ask, Box
from argentum.rules.residents import VILLAGE as IN_VILLAGE
from argentum.rules.scoring import Tally
from argentum.rules.table import LOW, NO_SEAT, Table

DAGGER = Box(
    "dagger",
    "Silver Dagger of Direction",
    "Once, on your turn: the direction of play is reversed. With two players, the other's next turn is skipped.",
)


def nothing_faceup(tally: Tally, seat: int, card: int) -> int:
    return 0 if tally.table.up >> card & 1 else tally.table.faces[card]


@DAGGER.scoring(
    0, "Debt Collector", "Faceup at scoring: take off 1 point for each card in all the other villages together."
)
def debt_collector(tally: Tally, seat: int, card: int) -> None:
    if tally.table.up >> card & 1:
        cards = sum([len(tally.table.villages[other]) for other in elsewhere(tally.table, seat)])
        tally.set(seat, tally.sums[seat] - cards, card, "D0", value=cards)


@DAGGER.village(1, "Spy", "While faceup: once a turn, look at a facedown card of another village.", facedown_elsewhere)
def spy(table: Table, me: int, card: int, chain: int) -> Ask:
    table.look(me, (yield from choose(table, cards_in(table, me, elsewhere(table, me), 0))))


@DAGGER.scoring(
    2,
    "Halfling",
    "Faceup at scoring: counts 0, and the sum of your village is halved, rounded up.",
    counts=nothing_faceup,
)
def halfling(tally: Tally, seat: int, card: int) -> None:
    if tally.table.up >> card & 1:
        tally.set(seat, -(-tally.sums[seat] // 2), card, "D2")


sentinel = DAGGER.add(
    3,
    "Sentinel",
    IN_VILLAGE,
    "While faceup: the others may not switch or remove your cards, nor add any to your village. They may still look at"
    " them and turn them over.",
)
sentinel.closes = True


def zombie_target(table: Table, me: int, card: int, chain: int) -> bool:
    seat = table.predecessor(me)
    return seat != NO_SEAT and not table.closed(seat, me)


@DAGGER.village(
    4,
    "Zombie",
    "While faceup, instead of drawing: turn it facedown and add it to the village of whoever played before you."
    " No discard puts it on top of the discard pile.",
    zombie_target,
    window=MAIN_ACTION,
    turns_itself=True,
    clings=True,
)
def zombie(table: Table, me: int, card: int, chain: int) -> Ask:
    seat = table.predecessor(me)
    table.turn_down(me, table.spot(card))
    left = yield from ask_end(table, seat)
    table.lift(card)
    table.add(me, seat, card, left)


def two_touchable(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable(me) >= 2


@DAGGER.drawn(
    5,
    "Approximator",
    "When drawn: discard any two of your cards, whatever they are, and put it faceup into the spot of one of them.",
    two_touchable,
    joins=True,
    lent=False,  # X2
)
def approximator(table: Table, me: int, card: int, chain: int) -> Ask:
    options = table.own(me)
    first = yield from choose(table, options)
    drop(options, first)
    second = yield from choose(table, options, SECOND)
    places = sorted([first & 63, second & 63])
    show(table, me, places)
    goes = sink(table, me)
    leaving = leavers(table, me, [table.villages[me][place] for place in places], goes)
    if leaving:
        place = yield from choose(table, [AT + table.spot(one) for one in leaving], SPOT)
        replace(table, me, leaving, place & 63, goes)
    else:
        discard_hand(table, me, goes)


@DAGGER.drawn(6, "Flipper", "When drawn: turn over every card of one village.", any_card)
def flipper(table: Table, me: int, card: int, chain: int) -> Ask:
    seats = [VILLAGE + seat for seat in everywhere(table) if any_in(table, me, [seat])]
    seat = (yield from choose(table, seats, WHICH_VILLAGE)) - VILLAGE
    for move in cards_in(table, me, [seat]):
        table.flip(me, move)


@DAGGER.drawn(
    7,
    "Elusive Seer",
    "When drawn: look at facedown cards of any villages, one after another, until one is 4 or lower;"
    " turn that one faceup.",
    any_facedown,
)
def elusive_seer(table: Table, me: int, card: int, chain: int) -> Ask:
    options = cards_in(table, me, everywhere(table), 0)
    step = FIRST
    while options:
        move = yield from choose(table, options, step)
        step = ANOTHER
        looked_at = table.look(me, move)
        if table.faces[looked_at] <= LOW:
            table.turn_up(me, move)
            return
        table.passed |= 1 << looked_at
        drop(options, move)


@DAGGER.drawn(
    8,
    "Magician",
    "When drawn: turn a facedown card of another village faceup; then either use what it can do when drawn, or trade"
    " one of your own cards for it.",
    facedown_elsewhere,
)
def magician(table: Table, me: int, card: int, chain: int) -> Ask:
    where = yield from choose(table, cards_in(table, me, elsewhere(table, me), 0))
    turned, seat = table.turn_up(me, where), where >> 6 & 3
    table.settle()
    options = [USE] if borrowable(table, me, turned, chain) else []
    if table.touches(me, seat, turned) and not table.closed(seat, me):
        options += table.own(me)
    if options:
        move = yield from choose(table, options, USE_OR_SWITCH)
        if move == USE:
            yield from use_draw_ability(table, me, turned, chain, where & 255)
        else:
            table.switch(me, where, move)


@DAGGER.drawn(9, "Mystic Seer", "When drawn: look at up to two facedown cards of any villages.", any_facedown)
def mystic_seer(table: Table, me: int, card: int, chain: int) -> Ask:
    yield from look_at_up_to(table, me, 2, everywhere(table))


@DAGGER.drawn(
    10,
    "Renfield",
    "When drawn: the deck's top card goes on top of your private deck, which you may look at, and draw"
    " from on later turns.",
    deck_left,
    digs=True,
)
def renfield(table: Table, me: int, card: int, chain: int) -> Ask:
    top = table.deck.pop()
    table.to_private(me, top)
    table.tell(ev.KEPT, me, -1, top)
    table.show_deck()
    yield from ()


@DAGGER.drawn(
    11,
    "Reverser",
    "When drawn: the direction of play is reversed. With two players, the other's next turn is skipped.",
    always,
)
def reverser(table: Table, me: int, card: int, chain: int) -> Ask:
    table.reverse(me)
    yield from ()


@DAGGER.drawn(
    12,
    "Master Thief",
    "When drawn: look at a facedown card of any village, then switch it, still facedown, for any card of"
    " another village.",
    any_facedown,
)
def master_thief(table: Table, me: int, card: int, chain: int) -> Ask:
    where = yield from choose(table, cards_in(table, me, everywhere(table), 0))
    table.look(me, where)
    if table.closed(where >> 6 & 3, me):
        return
    options = movable(table, me, elsewhere(table, where >> 6 & 3))
    if options:
        table.switch(me, where, (yield from choose(table, options, SECOND)))


@DAGGER.scoring(
    13, "Furry", "At scoring, faceup or not: if your sum is exactly 50, it becomes 0 and everybody else's rises by 50."
)
def furry(tally: Tally, seat: int, card: int) -> None:
    if tally.sums[seat] == 50:
        tally.set(seat, 0, card, "D13")
        for other in elsewhere(tally.table, seat):
            tally.set(other, tally.sums[other] + 50, card, "D13")


@DAGGER.token_ability(always)
def silver_dagger(table: Table, me: int, card: int, chain: int) -> Ask:
    table.reverse(me)
    yield from ()
