# mypyc: compile
"""Silver Dagger: residents and token."""

from argentum.rules import events as ev
from argentum.rules.asking import (
    FACEDOWN,
    STEP_ANOTHER_CARD,
    STEP_CARD,
    STEP_SECOND_CARD,
    STEP_SPOT,
    STEP_USE,
    STEP_VILLAGE,
    all_seats,
    always_usable,
    ask_village_end,
    borrow_draw_ability,
    can_borrow,
    card_moves,
    choose,
    deck_not_empty,
    has_any_card,
    has_card,
    has_facedown,
    has_facedown_elsewhere,
    look_at_up_to,
    movable_cards,
    other_seats,
)
from argentum.rules.exchange import discard_hand, replace_cards, show_cards, show_staying_cards
from argentum.rules.exchange_result import discard_destination
from argentum.rules.fast_lists import remove
from argentum.rules.notation import PLACE_AT, USE, place_of, seat_of, spot_of, village_move, village_of
from argentum.rules.residents import TIMING_VILLAGE, WINDOW_MAIN_ACTION, Box, Rule
from argentum.rules.scoring import Tally
from argentum.rules.table import HIGHEST_LOW_NUMBER, NO_SEAT, Table

DAGGER = Box(
    "dagger",
    "d",
    "Silver Dagger of Direction",
    "Once, on your turn: the direction of play is reversed. With two players, the other's next turn is skipped.",
)


def zero_if_faceup(tally: Tally, seat: int, card: int) -> int:
    return 0 if tally.table.is_faceup(card) else tally.table.faces[card]


@DAGGER.scoring_rule(
    0, "Debt Collector", "Faceup at scoring: take off 1 point for each card in all the other villages together."
)
def debt_collector(tally: Tally, seat: int, card: int) -> None:
    if tally.table.is_faceup(card):
        cards = sum([len(tally.table.villages[other]) for other in other_seats(tally.table, seat)])
        tally.set_sum(seat, tally.sums[seat] - cards, card, "D0", value=cards)


@DAGGER.village_ability(
    1, "Spy", "While faceup: once a turn, look at a facedown card of another village.", has_facedown_elsewhere
)
def spy(table: Table, me: int, card: int, chain: int) -> Rule:
    table.look(me, (yield from choose(table, card_moves(table, me, other_seats(table, me), FACEDOWN))))


@DAGGER.scoring_rule(
    2,
    "Halfling",
    "Faceup at scoring: counts 0, and the sum of your village is halved, rounded up.",
    value_hook=zero_if_faceup,
)
def halfling(tally: Tally, seat: int, card: int) -> None:
    if tally.table.is_faceup(card):
        tally.set_sum(seat, -(-tally.sums[seat] // 2), card, "D2")


sentinel = DAGGER.add_resident(
    3,
    "Sentinel",
    TIMING_VILLAGE,
    "While faceup: the others may not switch or remove your cards, nor add any to your village. They may still look at"
    " them and turn them over.",
)
sentinel.closes_village = True


def can_use_zombie(table: Table, me: int, card: int, chain: int) -> bool:
    seat = table.previous_seat(me)
    return seat != NO_SEAT and not table.is_closed(seat, me)


@DAGGER.village_ability(
    4,
    "Zombie",
    "While faceup, instead of drawing: turn it facedown and add it to the village of whoever played before you."
    " No discard puts it on top of the discard pile.",
    can_use_zombie,
    window=WINDOW_MAIN_ACTION,
    moves_own_card=True,
    clings=True,
)
def zombie(table: Table, me: int, card: int, chain: int) -> Rule:
    seat = table.previous_seat(me)
    table.turn_down(me, table.spot_of_card(card))
    left = yield from ask_village_end(table, seat)
    table.remove_card(card)
    table.add_to_village(me, seat, card, left)


def can_use_approximator(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable_count(me) >= 2


@DAGGER.draw_ability(
    5,
    "Approximator",
    "When drawn: discard any two of your cards, whatever they are, and put it faceup into the spot of one of them.",
    can_use_approximator,
    joins_village=True,
    can_be_borrowed=False,  # X2
)
def approximator(table: Table, me: int, card: int, chain: int) -> Rule:
    options = table.own_moves(me)
    first = yield from choose(table, options)
    remove(options, first)
    second = yield from choose(table, options, STEP_SECOND_CARD)
    places = sorted([place_of(first), place_of(second)])
    show_cards(table, me, places)
    destination = discard_destination(table, me)
    leaving = show_staying_cards(table, me, places, destination)
    if leaving:
        place = yield from choose(table, [PLACE_AT + table.spot_of_card(old_card) for old_card in leaving], STEP_SPOT)
        replace_cards(table, me, leaving, place_of(place), destination)
    else:
        discard_hand(table, me, destination)


@DAGGER.draw_ability(6, "Flipper", "When drawn: turn over every card of one village.", has_any_card)
def flipper(table: Table, me: int, card: int, chain: int) -> Rule:
    seats = [village_move(seat) for seat in all_seats(table) if has_card(table, me, [seat])]
    seat = village_of((yield from choose(table, seats, STEP_VILLAGE)))
    for move in card_moves(table, me, [seat]):
        table.flip(me, move)


@DAGGER.draw_ability(
    7,
    "Elusive Seer",
    "When drawn: look at facedown cards of any villages, one after another, until one is 4 or lower;"
    " turn that one faceup.",
    has_facedown,
)
def elusive_seer(table: Table, me: int, card: int, chain: int) -> Rule:
    options = card_moves(table, me, all_seats(table), FACEDOWN)
    step = STEP_CARD
    while options:
        move = yield from choose(table, options, step)
        step = STEP_ANOTHER_CARD
        looked_at = table.look(me, move)
        if table.faces[looked_at] <= HIGHEST_LOW_NUMBER:
            table.turn_up(me, move)
            return
        table.passed_over |= 1 << looked_at
        remove(options, move)


@DAGGER.draw_ability(
    8,
    "Magician",
    "When drawn: turn a facedown card of another village faceup; then either use what it can do when drawn, or trade"
    " one of your own cards for it.",
    has_facedown_elsewhere,
)
def magician(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, card_moves(table, me, other_seats(table, me), FACEDOWN))
    turned, seat = table.turn_up(me, move), seat_of(move)
    table.resolve()
    options = [USE] if can_borrow(table, me, turned, chain) else []
    if table.may_touch(me, seat, turned) and not table.is_closed(seat, me):
        options += table.own_moves(me)
    if options:
        choice = yield from choose(table, options, STEP_USE)
        if choice == USE:
            yield from borrow_draw_ability(table, me, turned, chain, spot_of(move))
        else:
            table.switch(me, move, choice)


@DAGGER.draw_ability(9, "Mystic Seer", "When drawn: look at up to two facedown cards of any villages.", has_facedown)
def mystic_seer(table: Table, me: int, card: int, chain: int) -> Rule:
    yield from look_at_up_to(table, me, 2, all_seats(table))


@DAGGER.draw_ability(
    10,
    "Renfield",
    "When drawn: the deck's top card goes on top of your private deck, which you may look at, and draw"
    " from on later turns.",
    deck_not_empty,
    depends_on_piles=True,
)
def renfield(table: Table, me: int, card: int, chain: int) -> Rule:
    top = table.deck.pop()
    table.put_on_private(me, top)
    table.add_event(ev.KEPT, me, -1, top)
    table.reveal_deck_top()
    yield from ()


@DAGGER.draw_ability(
    11,
    "Reverser",
    "When drawn: the direction of play is reversed. With two players, the other's next turn is skipped.",
    always_usable,
)
def reverser(table: Table, me: int, card: int, chain: int) -> Rule:
    table.reverse_direction(me)
    yield from ()


@DAGGER.draw_ability(
    12,
    "Master Thief",
    "When drawn: look at a facedown card of any village, then switch it, still facedown, for any card of"
    " another village.",
    has_facedown,
)
def master_thief(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, card_moves(table, me, all_seats(table), FACEDOWN))
    table.look(me, move)
    if table.is_closed(seat_of(move), me):
        return
    options = movable_cards(table, me, other_seats(table, seat_of(move)))
    if options:
        table.switch(me, move, (yield from choose(table, options, STEP_SECOND_CARD)))


@DAGGER.scoring_rule(
    13, "Furry", "At scoring, faceup or not: if your sum is exactly 50, it becomes 0 and everybody else's rises by 50."
)
def furry(tally: Tally, seat: int, card: int) -> None:
    if tally.sums[seat] == 50:
        tally.set_sum(seat, 0, card, "D13")
        for other in other_seats(tally.table, seat):
            tally.set_sum(other, tally.sums[other] + 50, card, "D13")


@DAGGER.token_ability(always_usable)
def silver_dagger(table: Table, me: int, card: int, chain: int) -> Rule:
    table.reverse_direction(me)
    yield from ()
