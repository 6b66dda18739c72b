# mypyc: compile
"""Silver Coin: residents and token."""

from collections.abc import Generator

from argentum.rules import events as ev
from argentum.rules.asking import (
    FACEDOWN,
    FACEUP,
    STEP_CARD,
    STEP_DIRECTION,
    STEP_SECOND_CARD,
    STEP_VILLAGE,
    all_seats,
    always_usable,
    ask_village_end,
    borrow_draw_ability,
    can_borrow,
    card_moves,
    choose,
    choose_from_pile,
    has_any_card,
    has_card,
    has_facedown,
    has_own_touchable,
    has_single_exchange_target,
    look_at_up_to,
    movable_cards,
    other_seats,
    run_ability,
)
from argentum.rules.exchange import keep_in_spot
from argentum.rules.fast_lists import remove
from argentum.rules.notation import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    DISCARD_CARD,
    PASS,
    PICK_CARD,
    ROTATE,
    TAKE_FROM_PILE,
    USE_ABILITY,
    USE_FROM_PILE,
    card_move,
    give_move,
    make_spot,
    pile_choice_number,
    receiver_of,
    spot_of,
    village_move,
    village_of,
)
from argentum.rules.residents import WINDOW_MAIN_ACTION, WINDOW_TURN_END, Box, Rule
from argentum.rules.scoring import Tally
from argentum.rules.table import FIRST_RULINGS, NO_CARD, Table, seat_bit
from argentum.rules.turns import decide_hand, exchange_named_cards

CURATOR_LABEL = "C2"
COIN = Box("coin", "c", "Silver Coin of Flipping", "Once, on your turn: turn over any one card of any village.")


@COIN.round_end_ability(
    0, "Regifter", "Faceup at the end of the round: you may give one other card of your village to another player."
)
def regifter(table: Table, me: int, card: int, chain: int) -> Rule:
    receivers = [seat for seat in other_seats(table, me) if not table.is_closed(seat, me)]
    gifts = [move - PICK_CARD for move in table.own_moves(me) if table.card_at(move) != card]
    options = [give_move(spot, seat) for spot in gifts for seat in receivers]
    move = yield from choose(table, [*options, PASS])
    if move == PASS:
        return
    gift, seat = table.card_at(move), receiver_of(move)
    table.remove_card(gift)
    table.villages[seat].append(gift)
    table.add_event(ev.GAVE, me, spot_of(move), gift, make_spot(seat, len(table.villages[seat]) - 1))


def is_not_cooling_down(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether a Con Artist may be used: it is not cooling down, and (except in the first rulings) a turn can follow."""
    has_turn_to_come = bool(table.deck or table.shown or table.private[me]) or table.rulings == FIRST_RULINGS
    return has_turn_to_come and not any(
        [owner == me and cooling_card == card for owner, cooling_card, _ in table.cooldowns]
    )


@COIN.village_ability(
    1,
    "Con Artist",
    "While faceup, at the end of your turn: turn it facedown and take another turn. Not twice with the same one until"
    " everybody else has had a turn.",
    is_not_cooling_down,
    window=WINDOW_TURN_END,
    moves_own_card=True,
)
def con_artist(table: Table, me: int, card: int, chain: int) -> Rule:
    table.turn_down(me, table.spot_of_card(card))
    table.extra_turns += 1
    awaited = (1 << table.players) - 1 & ~seat_bit(me)
    table.cooldowns = (*table.cooldowns, (me, card, awaited))
    table.add_event(ev.EXTRA_TURN, me)
    yield from ()


@COIN.village_ability(
    2,
    "Curator",
    "While faceup: once a turn, turn one of your cards sideways or back, or discard one that is sideways.",
    has_own_touchable,
)
def curator(table: Table, me: int, card: int, chain: int) -> Rule:
    yield from use_curator(table, me, [])


def use_curator(table: Table, me: int, picked: list[int]) -> Rule:
    """Ask for a card to rotate, or a sideways card to discard, and do so. Cards in `picked` may only be rotated."""
    options = table.own_moves(me, ROTATE)
    if not has_single_exchange_target(table, me):
        for move in table.own_moves(me, DISCARD_CARD):
            card = table.card_at(move)
            known_to_stay = table.clings(card) and table.knows(me, card)  # An unknown card may be tried (D4).
            if table.is_sideways(card) and card not in picked and not known_to_stay:
                options.append(move)
    move = yield from choose(table, options)
    card = table.card_at(move)
    if move < DISCARD_CARD:
        table.sideways ^= 1 << card
        table.add_event(ev.ROTATED, me, spot_of(move), NO_CARD, table.is_sideways(card))
    elif table.clings(card):
        keep_in_spot(table, me, spot_of(move))
    else:
        table.remove_card(card)
        table.put_on_discard_pile(card)
        table.add_event(ev.LEFT, me, spot_of(move), card, ev.TO_DISCARD)


@COIN.village_ability(
    3,
    "Pixie",
    "While faceup: turn it facedown, then turn over any other card of any village. Each Pixie once a turn.",
    always_usable,
    moves_own_card=True,
)
def pixie(table: Table, me: int, card: int, chain: int) -> Rule:
    table.turn_down(me, table.spot_of_card(card))
    yield from flip_other_card(table, me, card)


def flip_other_card(table: Table, me: int, card: int) -> Rule:
    """Ask for any other card of any village and turn it over."""
    table.resolve()
    options = [move for move in card_moves(table, me, all_seats(table)) if table.card_at(move) != card]
    if options:
        table.flip(me, (yield from choose(table, options)))


def can_borrow_pile_top(table: Table, me: int, card: int, chain: int) -> bool:
    return (
        bool(table.discard) and table.is_faceup(table.discard[-1]) and can_borrow(table, me, table.discard[-1], chain)
    )


@COIN.village_ability(
    4,
    "Blob",
    "While faceup, instead of drawing: use the draw ability of the discard pile's top card, which stays there.",
    can_borrow_pile_top,
    window=WINDOW_MAIN_ACTION,
    source="inferred from the rest of the rulebook: the printed text is damaged",
)
def blob(table: Table, me: int, card: int, chain: int) -> Rule:
    yield from borrow_draw_ability(table, me, table.discard[-1], chain)


def can_use_tanner(table: Table, me: int, card: int, chain: int) -> bool:
    if table.villages[me] != [card]:
        return True
    return has_card(table, me, other_seats(table, me))


@COIN.draw_ability(
    5,
    "Apprentice Tanner",
    "When drawn: it joins your village faceup, at the end you like, and you turn over one other card anywhere.",
    can_use_tanner,
    joins_village=True,
)
def apprentice_tanner(table: Table, me: int, card: int, chain: int) -> Rule:
    left = yield from ask_village_end(table, me, card)
    table.remove_card(card)
    table.lay_faceup(card)
    table.add_to_village(me, me, card, left)
    yield from flip_other_card(table, me, card)


def has_faceup(table: Table, me: int, card: int, chain: int) -> bool:
    return has_card(table, me, all_seats(table), FACEUP)


@COIN.draw_ability(
    6, "Huntress", "When drawn: turn a faceup card of any village facedown, then a different card faceup.", has_faceup
)
def huntress(table: Table, me: int, card: int, chain: int) -> Rule:
    first = yield from choose(table, card_moves(table, me, all_seats(table), FACEUP))
    table.turn_down(me, first)
    options = card_moves(table, me, all_seats(table), FACEDOWN)
    remove(options, first)
    if options:
        table.turn_up(me, (yield from choose(table, options, STEP_SECOND_CARD)))


@COIN.draw_ability(7, "Nostro", "When drawn: look at all the facedown cards of one village.", has_facedown)
def nostro(table: Table, me: int, card: int, chain: int) -> Rule:
    seats = [village_move(seat) for seat in all_seats(table) if has_card(table, me, [seat], FACEDOWN)]
    seat = village_of((yield from choose(table, seats, STEP_VILLAGE)))
    for move in card_moves(table, me, [seat], FACEDOWN):
        table.look(me, move)


def assassin_targets(table: Table, me: int) -> list[int]:
    """Return a move for each faceup card that an Assassin may discard: none that clings if the pile is empty (D4)."""
    options = [move for move in movable_cards(table, me, all_seats(table)) if table.is_faceup(table.card_at(move))]
    return options if table.discard else [move for move in options if not table.clings(table.card_at(move))]


def can_use_assassin(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(assassin_targets(table, me))


@COIN.draw_ability(
    8,
    "Assassin",
    "When drawn: discard one faceup card of any village to the bottom of the discard pile.",
    can_use_assassin,
    depends_on_piles=True,
)
def assassin(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, assassin_targets(table, me))
    removed = table.card_at(move)
    table.remove_card(removed)
    table.put_under_discard_pile(removed)
    table.add_event(ev.LEFT, me, spot_of(move), removed, ev.TO_DISCARD_BOTTOM)


@COIN.draw_ability(9, "Psychic", "When drawn: look at up to three facedown cards of any villages.", has_facedown)
def psychic(table: Table, me: int, card: int, chain: int) -> Rule:
    yield from look_at_up_to(table, me, 3, all_seats(table))


def pile_places_below(table: Table, card: int) -> list[int]:
    """Return the indices of the up to three cards below a Nosferatu in the discard pile.

    If the Nosferatu is not in the pile, these are the cards below the topmost card discarded this turn, or the three
    top cards if no card was discarded this turn (X5).
    """
    first = len(table.discard) - 1
    if card in table.discard:
        first = table.discard.index(card) - 1
    else:
        discarded_places = [place for place, other in enumerate(table.discard) if table.was_discarded_this_turn(other)]
        first = discarded_places[-1] - 1 if discarded_places else first
    return [place for place in (first, first - 1, first - 2) if place >= 0]


def nosferatu_moves(table: Table, me: int, card: int, chain: int) -> list[int]:
    """Return a move for each card that a Nosferatu may take or use."""
    places = list(enumerate(pile_places_below(table, card), 1))
    options = [TAKE_FROM_PILE + number for number, _ in places] if table.touchable_count(me) else []
    for number, place in places:
        if table.is_faceup(table.discard[place]) and can_borrow(table, me, table.discard[place], chain):
            options.append(USE_FROM_PILE + number)
    return options


def can_use_nosferatu(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(nosferatu_moves(table, me, card, chain))


@COIN.draw_ability(
    10,
    "Nosferatu",
    "When drawn: of the three cards below it in the discard pile, take one and exchange it in, or use"
    " the draw ability of one.",
    can_use_nosferatu,
    depends_on_piles=True,
)
def nosferatu(table: Table, me: int, card: int, chain: int) -> Rule:
    places = pile_places_below(table, card)
    move = yield from choose_from_pile(table, nosferatu_moves(table, me, card, chain), places)
    if move > TAKE_FROM_PILE:
        number = pile_choice_number(move)
        table.take_from_pile(me, places[number - 1], number)
        yield from decide_hand(table, me, chain)
        yield from exchange_named_cards(table, me, chain)
    else:
        yield from borrow_draw_ability(table, me, table.discard[places[move - USE_FROM_PILE - 1]], chain)


def pile_top_except(table: Table, card: int) -> int:
    """Return the topmost card of the discard pile other than this card, or `NO_CARD`."""
    for other in reversed(table.discard):
        if other != card:
            return other
    return NO_CARD


def golem_targets(table: Table, me: int) -> list[int]:
    """Return a move for each card that a Golem may replace.

    If the replaced card would be the only card of the discard pile, it must not be a faceup card that clings (D4).
    """
    options = movable_cards(table, me, all_seats(table))
    if len(table.discard) > 1:
        return options
    return [
        move for move in options if not (table.is_faceup(table.card_at(move)) and table.clings(table.card_at(move)))
    ]


def can_use_golem(table: Table, me: int, card: int, chain: int) -> bool:
    return pile_top_except(table, card) != NO_CARD and bool(golem_targets(table, me))


@COIN.draw_ability(
    11,
    "Golem",
    "When drawn: switch the top card of the discard pile under it for any card of any village; that card goes to the"
    " bottom of the pile, with the face that it had.",
    can_use_golem,
    depends_on_piles=True,
)
def golem(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, golem_targets(table, me))
    incoming, outgoing = pile_top_except(table, card), table.card_at(move)
    table.remove_card(incoming)
    table.replace_at(move, incoming)
    table.put_under_discard_pile(outgoing)
    table.add_event(ev.LEFT, me, spot_of(move), outgoing, ev.TO_DISCARD_BOTTOM)
    table.add_event(ev.PLACED, me, spot_of(move), incoming)


def village_idiot_moves(table: Table, me: int, direction: int) -> list[list[int]]:
    """Return the moves that pick a movable card: one list per village that has any.

    The villages follow each other in `direction` (1 is clockwise, -1 the other way), starting with that of `me`.
    """
    seats = [(me + step * direction) % table.players for step in range(table.players)]
    return [options for options in [movable_cards(table, me, [seat]) for seat in seats] if options]


def can_use_village_idiot(table: Table, me: int, card: int, chain: int) -> bool:
    return len(village_idiot_moves(table, me, 1)) >= 2


@COIN.draw_ability(
    12,
    "Village Idiot",
    "When drawn: choose a direction; one card of each village moves to the next village that way, and you choose each.",
    can_use_village_idiot,
)
def village_idiot(table: Table, me: int, card: int, chain: int) -> Rule:
    direction = yield from choose(table, [CLOCKWISE, COUNTERCLOCKWISE], STEP_DIRECTION)
    picked: list[int] = []
    for options in village_idiot_moves(table, me, 1 if direction == CLOCKWISE else -1):
        picked.append((yield from choose_travelling_card(table, me, options, picked)))
    spots = [table.spot_of_card(traveller) for traveller in picked]
    for index, traveller in enumerate(picked):
        destination = spots[(index + 1) % len(spots)]
        table.replace_at(destination, traveller)
        table.add_event(ev.SHIFTED, me, spots[index], traveller, destination)


def choose_travelling_card(
    table: Table, me: int, options: list[int], picked: list[int]
) -> Generator[list[int], int, int]:
    """Ask which card moves to the next village, and return it. After the first card, a Curator may interrupt (C2)."""
    direction = table.picked[0]
    while True:
        curators = usable_curators(table, me) if picked else []
        move = yield from choose(table, options + curators, STEP_SECOND_CARD if picked else STEP_CARD)
        if move < USE_ABILITY:
            return table.card_at(move)
        card = table.card_at(move)
        table.used_cards |= 1 << card
        table.begin_action()
        table.add_event(ev.ABILITY, me, spot_of(move), card)
        yield from run_ability(table, CURATOR_LABEL, use_curator(table, me, picked))
        # The Curator may have moved cards, so the picks need their current spots.
        table.picked = (direction, *[PICK_CARD + table.spot_of_card(other) for other in picked])


def usable_curators(table: Table, me: int) -> list[int]:
    """Return a move for each Curator of `me` that may be used now (G21)."""
    if not table.touchable_count(me):
        return []
    return [
        card_move(USE_ABILITY, me, place)
        for place, card in enumerate(table.villages[me])
        if table.cast.labels[table.faces[card]] == CURATOR_LABEL
        and table.is_faceup(card)
        and card != table.muted_card
        and not table.is_used(card)
    ]


@COIN.scoring_rule(13, "Wolfman", "Faceup at scoring: if your other cards add up to less than 13, your sum is 0.")
def wolfman(tally: Tally, seat: int, card: int) -> None:
    if tally.table.is_faceup(card):
        others = sum([tally.card_value(seat, other) for other in tally.table.villages[seat] if other != card])
        if others < 13:
            tally.set_sum(seat, 0, card, "C13", value=others)


@COIN.token_ability(has_any_card)
def silver_coin(table: Table, me: int, card: int, chain: int) -> Rule:
    table.flip(me, (yield from choose(table, card_moves(table, me, all_seats(table)))))
