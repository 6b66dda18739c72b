# mypyc: compile, optimize
"""The first look, and turns: a main action, with windows for village abilities and the token (G4 to G9, G24)."""

from collections.abc import Generator
from typing import Final

from argentum.rules import events as ev
from argentum.rules.asking import (
    DRAWN_CARD_LABEL,
    STEP_END_WINDOW,
    STEP_FIRST_LOOK,
    STEP_HAND,
    STEP_KEEP,
    STEP_MAIN_ACTION,
    STEP_MORE_CARDS,
    STEP_PENALTY_END,
    STEP_VILLAGE_END,
    TAKEN_CARD_LABEL,
    VILLAGE_ENDS,
    ask,
    can_use_draw_ability,
    run_ability,
    use_draw_ability,
)
from argentum.rules.exchange import (
    add_hand_to_village,
    add_penalty_card,
    discard_hand,
    exchange_cards,
    fail_exchange,
    keep_hand_card,
    show_cards,
    try_simple_exchange,
)
from argentum.rules.exchange_result import (
    DISCARD_PILE,
    MATCH,
    PENALTY_SET_SIZE,
    discard_destination,
    is_off_pile,
    set_match_state,
)
from argentum.rules.fast_lists import remove
from argentum.rules.notation import (
    AND_CARD,
    AT_LEFT,
    CALL,
    DISCARD,
    DONE,
    DRAW,
    DRAW_PRIVATE,
    DRAW_SHOWN,
    END_TURN,
    EXCHANGE,
    KEEP_FROM_DECK,
    MOVE_RANGE,
    PEEK,
    TAKE,
    USE,
    USE_ABILITY,
    USE_TOKEN,
    card_move,
    deck_depth,
    make_spot,
    place_of,
    seat_of,
    shown_place,
    spot_of,
)
from argentum.rules.residents import WINDOW_ANY, WINDOW_MAIN_ACTION, WINDOW_TURN_END, Rule
from argentum.rules.scoring import finish_round
from argentum.rules.table import (
    FIRST_RULINGS,
    HAND_DRAWN,
    HAND_EMPTY,
    NO_CARD,
    NO_END_REASON,
    NO_SEAT,
    PHASE_AFTER_ACTION,
    PHASE_BEFORE_ACTION,
    PHASE_BETWEEN_TURNS,
    PHASE_CARD_IN_HAND,
    TOKEN_ACTIVE,
    TOKEN_USED,
    Table,
    seat_bit,
)

TURN_CAP: Final = 200  # G14
MAX_CARDS_TO_CALL: Final = 4  # G9
NO_MOVES: Final[list[int]] = []


def play_first_look(table: Table) -> Rule:
    """Let each seat look at two of its cards; the seats may move in any order (G4)."""
    for seat in range(table.players):
        if table.is_first_look_pending(seat) and len(table.villages[seat]) <= 2:  # There is no choice (G22).
            finish_first_look(table, seat, list(range(len(table.villages[seat]))))
    while table.first_look_pending:
        options: list[int] = []
        for seat in range(table.players):
            if table.is_first_look_pending(seat):
                first = table.first_peeks[seat]
                base = card_move(PEEK if first < 0 else AND_CARD, seat, 0)
                options += MOVE_RANGE[base : base + len(table.villages[seat])]
                if first >= 0:
                    remove(options, base + first)
        table.asker, table.step, table.picked = "G4", STEP_FIRST_LOOK, ()
        table.restartable = True
        move = yield options
        table.restartable = False
        seat = seat_of(move)
        if move < AND_CARD:
            table.first_peeks = (*table.first_peeks[:seat], place_of(move), *table.first_peeks[seat + 1 :])
        else:
            finish_first_look(table, seat, [table.first_peeks[seat], place_of(move)])


def finish_first_look(table: Table, seat: int, places: list[int]) -> None:
    """Finish the first look of a seat: let it look at the cards at these places of its village."""
    table.first_look_pending &= ~seat_bit(seat)
    table.first_peeks = (*table.first_peeks[:seat], NO_CARD, *table.first_peeks[seat + 1 :])
    table.begin_action()
    for place in places:
        table.look(seat, make_spot(seat, place))


def round_end_reason(table: Table) -> int:
    """Return the reason why the round ends before the next turn, an index of `events.END_REASONS`, or -1 (G13, G14)."""
    me = table.turn
    if table.caller == me:
        return ev.ENDED_BY_CALL
    if not table.deck and not table.shown and not table.private[me]:
        return ev.ENDED_BY_DECK
    return ev.ENDED_BY_TURN_CAP if table.turns >= TURN_CAP else NO_END_REASON


def play_round(table: Table) -> Rule:
    """Play a round to its end, starting from a restartable table.

    Yields an empty list once at the end of each turn, of the first look and of the round. Raises :class:`RoundEnded`
    if the round ends at once (X13); then :func:`end_round_early` continues.
    """
    if table.first_look_pending:
        yield from play_first_look(table)
        yield NO_MOVES
    while table.phase != PHASE_BETWEEN_TURNS or not check_round_over(table):
        me = table.turn
        if table.phase == PHASE_BETWEEN_TURNS:
            table.begin_turn()
        while table.phase == PHASE_BEFORE_ACTION:
            options = main_action_moves(table, me)
            move = options[0]
            if len(options) > 1:
                table.asker, table.step, table.picked = "G5", STEP_MAIN_ACTION, ()
                table.restartable = True
                move = yield options
                table.restartable = False
            if move == DRAW and table.cast.draws_deeper and table.has_active(me, table.cast.draws_deeper):
                table.draw(me, (yield from choose_draw_depth(table, me)))
                table.phase = PHASE_CARD_IN_HAND
            elif move <= CALL or DRAW_SHOWN < move < KEEP_FROM_DECK:
                do_main_action(table, me, move)
            else:
                if is_used_in_window(table, move, WINDOW_MAIN_ACTION):
                    table.phase = PHASE_AFTER_ACTION
                yield from use_in_window(table, me, move)
        if table.phase == PHASE_CARD_IN_HAND:
            if not table.named_places:
                yield from decide_hand(table, me, 0)
            if table.named_places:
                yield from exchange_named_cards(table, me, 0)
            table.phase = PHASE_AFTER_ACTION
        if table.phase == PHASE_AFTER_ACTION:
            options = end_window_moves(table, me)
            if options:
                yield from run_end_window(table, me, options)
        table.end_turn()
        yield NO_MOVES
    yield from finish_round(table)
    yield NO_MOVES


def end_round_early(table: Table) -> Rule:
    """Break off the turn, remove the card in hand from the round, and score the round (X13)."""
    table.end_reason = ev.ENDED_BY_RESIDENTS
    table.phase = PHASE_BETWEEN_TURNS
    table.restartable = False
    table.hand, table.hand_source, table.named_places = NO_CARD, HAND_EMPTY, 0
    yield from finish_round(table)
    yield NO_MOVES


def check_round_over(table: Table) -> bool:
    """Set the table's `end_reason`; return whether the round ends before the next turn."""
    if table.cast.needs_resolving:
        table.resolve()
    table.end_reason = round_end_reason(table)
    return table.end_reason != NO_END_REASON


def do_main_action(table: Table, me: int, move: int) -> None:
    """Carry out a main action: a draw, a take or a call (G5)."""
    if move == CALL:
        table.phase = PHASE_BETWEEN_TURNS
        table.caller = me
        table.begin_action()
        table.add_event(ev.CALLED, me)
        return
    table.phase = PHASE_CARD_IN_HAND
    if move == TAKE:
        table.take_from_pile(me, len(table.discard) - 1, 0)
    elif move == DRAW:
        table.draw(me)
    elif move == DRAW_PRIVATE:
        table.draw_private(me)
    else:
        table.draw_shown(me, shown_place(move))


def choose_draw_depth(table: Table, me: int) -> Generator[list[int], int, int]:
    """Let `me` look at one more card of the deck per active Rascal; return the depth of the card to draw (A4)."""
    deepening_cards = [card for card in table.villages[me] if table.is_active(card, table.cast.draws_deeper)]
    depth_limit = min(1 + len(deepening_cards), len(table.deck))
    if depth_limit == 1:
        return 1
    table.begin_action()
    for depth in range(1, depth_limit + 1):
        table.look_at_deck(me, depth)
    label = table.cast.labels[table.faces[deepening_cards[0]]]
    options = MOVE_RANGE[KEEP_FROM_DECK + 1 : KEEP_FROM_DECK + 1 + depth_limit]
    return deck_depth((yield from ask(table, options, label, STEP_KEEP)))


def main_action_moves(table: Table, me: int) -> list[int]:
    """Return moves for the main actions, and for the abilities that may be used before them (G5).

    With an empty deck, a seat that has a private deck may do anything except call (D10); under the first rulings, it
    may only draw from that deck.
    """
    if table.cast.needs_resolving:
        table.resolve()
    options: list[int] = []
    can_draw = bool(table.deck)
    if can_draw:
        options.append(DRAW)
    if table.shown:
        can_draw = True
        options += MOVE_RANGE[DRAW_SHOWN + 1 : DRAW_SHOWN + 1 + len(table.shown)]
    if table.private[me]:
        options.append(DRAW_PRIVATE)
    may_take = can_draw or table.rulings > FIRST_RULINGS
    if may_take and table.discard and table.touchable_count(me):
        options.append(TAKE)
    if can_draw and table.caller == NO_SEAT and not table.ability_used and len(table.villages[me]) <= MAX_CARDS_TO_CALL:
        options.append(CALL)
    add_usable_abilities(table, me, WINDOW_MAIN_ACTION if may_take else WINDOW_ANY, options)
    return options


def decide_hand(table: Table, me: int, chain: int) -> Rule:
    """Ask whether to discard, use or exchange the card in hand, and discard or use it accordingly (G7, G8).

    For an exchange, only set `named_places`: :func:`exchange_named_cards` carries it out. `chain` is the chain of
    borrowed abilities if an ability took the card (C10, A10), otherwise 0.
    """
    is_drawn = table.hand_source == HAND_DRAWN
    cast = table.cast
    clings = is_drawn and table.clings(table.hand)
    has_window = chain != 0 or table.window_worth_asking  # The village has not changed since the turn's first window.
    asker, picked, destination = table.asker, table.picked, DISCARD_PILE
    while True:
        if cast.needs_resolving:
            table.resolve()
        if is_drawn and cast.redirects_discards:
            destination = discard_destination(table, me)
        must_exchange = clings and not is_off_pile(table, destination)
        if must_exchange and not table.touchable_count(me):
            yield from keep_hand_card(table, me, me)  # without a question (D4)
            return
        options = table.own_moves(me, EXCHANGE)
        if is_drawn and not must_exchange:
            if can_use_hand(table, me, destination):
                options.insert(0, USE)
            options.insert(0, DISCARD)
        if has_window:
            add_usable_abilities(table, me, WINDOW_ANY, options)
        move = options[0]
        if len(options) > 1:
            table.asker, table.step, table.picked = DRAWN_CARD_LABEL if is_drawn else TAKEN_CARD_LABEL, STEP_HAND, ()
            table.restartable = chain == 0
            move = yield options
            table.restartable = False
            if chain:
                table.asker, table.picked = asker, picked
        if move == DISCARD:
            discard_hand(table, me, destination)
            return
        if move == USE:
            yield from use_hand(table, me, destination)
            return
        if move < USE_ABILITY and move != USE_TOKEN:
            table.named_places = 1 << place_of(move)
            return
        yield from use_in_window(table, me, move)


def exchange_named_cards(table: Table, me: int, chain: int) -> Rule:
    """Ask for more cards to exchange, then exchange all named cards for the card in hand (G10).

    If they do not match, the exchange fails: the card in hand joins the village, with a penalty card from the deck if
    three or more cards were named (G11).
    """
    more_moves = table.own_moves(me, AND_CARD)
    more_moves.append(DONE)
    named: int = table.named_places  # mypyc's i64 has no bit_length
    places = [named.bit_length() - 1]  # usually a single place
    if named & named - 1:
        places = [place for place in range(len(table.villages[me])) if table.is_named(place)]
    for place in places:
        remove(more_moves, card_move(AND_CARD, me, place))
    asker, picked = table.asker, table.picked
    table.asker, table.step, table.picked = "G10", STEP_MORE_CARDS, ()  # the picks are in `named_places`
    while len(more_moves) > 1:
        table.restartable = chain == 0
        move = yield more_moves
        table.restartable = False
        if move == DONE:
            break
        table.named_places |= 1 << place_of(move)
        places.append(place_of(move))
        remove(more_moves, move)
    table.named_places = 0
    if chain:
        table.asker, table.picked = asker, picked
    if len(places) == 1:
        if not try_simple_exchange(table, me, places[0]):
            yield from exchange_cards(table, me, places, chain)
        return
    places.sort()
    show_cards(table, me, places)
    if set_match_state(table, me, places) == MATCH:
        yield from exchange_cards(table, me, places, chain)
        return
    fail_exchange(table, me, places)
    if table.cast.needs_resolving:
        table.resolve()
    table.asker, table.step, table.picked = "G11", STEP_VILLAGE_END, ()
    add_hand_to_village(table, me, me, (yield VILLAGE_ENDS) == AT_LEFT)
    if table.cast.needs_resolving:
        table.resolve()
    if len(places) >= PENALTY_SET_SIZE and table.deck:
        table.step = STEP_PENALTY_END
        add_penalty_card(table, me, (yield VILLAGE_ENDS) == AT_LEFT)
    table.asker, table.picked = asker, picked


def can_use_hand(table: Table, me: int, destination: int) -> bool:
    """Whether the ability of the drawn card could be started once the card is discarded (G21)."""
    card = table.hand
    resident = table.cast.residents[table.faces[card]]
    if not resident.depends_on_piles:
        return can_use_draw_ability(table, me, card, 1 << card)
    to_deck = is_off_pile(table, destination)
    discarded = table.discarded_this_turn
    if to_deck:
        table.deck.insert(0, card)
    else:
        table.discard.append(card)
        table.discarded_this_turn |= 1 << card
    usable = can_use_draw_ability(table, me, card, 1 << card)
    if to_deck:
        table.deck.pop(0)
    else:
        table.discard.pop()
        table.discarded_this_turn = discarded
    return usable


def use_hand(table: Table, me: int, destination: int) -> Rule:
    """Use the ability of the drawn card, and discard the card unless it joins a village (D5, C5, B12)."""
    card = table.hand
    if table.cast.residents[table.faces[card]].joins_village:
        table.lay_faceup(card)
    else:
        discard_hand(table, me, destination)
    yield from use_draw_ability(table, me, card, 0)


def end_window_moves(table: Table, me: int) -> list[int]:
    """Return moves for abilities after the main action, and `end`; an empty list if no ability may be used (G24)."""
    if table.cast.needs_resolving:
        table.resolve()
    options: list[int] = []
    add_usable_abilities(table, me, WINDOW_TURN_END, options)
    if options:
        options.append(END_TURN)
    return options


def run_end_window(table: Table, me: int, options: list[int]) -> Rule:
    """Let `me` use abilities after the main action until none is usable, or a move or ability ends the turn (G24)."""
    while options:
        table.asker, table.step, table.picked = "G24", STEP_END_WINDOW, ()
        table.restartable = True
        move = yield options
        table.restartable = False
        if move == END_TURN:
            return
        ends_turn = is_used_in_window(table, move, WINDOW_TURN_END)
        yield from use_in_window(table, me, move)
        if ends_turn:
            return
        options = end_window_moves(table, me)


def add_usable_abilities(table: Table, me: int, window: int, options: list[int]) -> None:
    """Append a move to `options` for each village ability, and for the token, if usable in this window (G5, G6, G18).

    Also set `window_worth_asking`.
    """
    cast, faces = table.cast, table.faces
    windows = cast.windows
    table.window_worth_asking = False
    for place, card in enumerate(table.villages[me]):
        if table.is_faceup(card):
            card_window = windows[faces[card]]
            if card_window:
                table.window_worth_asking = True
                if (card_window == WINDOW_ANY or card_window == window) and _is_usable(table, me, card):
                    options.append(card_move(USE_ABILITY, me, place))
    if table.token_state == TOKEN_ACTIVE and table.token_seat == me:
        table.window_worth_asking = True
        if cast.token_condition(table, me, -1, 0):
            options.append(USE_TOKEN)


def is_used_in_window(table: Table, move: int, window: int) -> bool:
    """Whether a move uses a village ability of exactly this window."""
    return move != USE_TOKEN and table.cast.windows[table.faces[table.card_at(move)]] == window


def _is_usable(table: Table, me: int, card: int) -> bool:
    """Whether a faceup card's ability is unused this turn and could be started (G6, G21)."""
    resident = table.cast.residents[table.faces[card]]
    if table.is_used(card) or card == table.muted_card or (card == table.covered_card and resident.moves_own_card):
        return False
    return resident.condition is not None and resident.condition(table, me, card, 1 << card)


def use_in_window(table: Table, me: int, move: int) -> Rule:
    """Mark the silver token (G18) or a village ability (G6) as used, and return the rule that runs it."""
    table.ability_used = True
    table.begin_action()
    if move == USE_TOKEN:
        table.token_state = TOKEN_USED
        table.add_event(ev.TOKEN, me)
        return run_ability(table, table.cast.token_label, table.cast.token_ability(table, me, -1, 0))
    card = table.card_at(move)
    table.used_cards |= 1 << card
    table.add_event(ev.ABILITY, me, spot_of(move), card)
    resident = table.cast.residents[table.faces[card]]
    assert resident.ability is not None
    return run_ability(table, table.cast.labels[resident.number], resident.ability(table, me, card, 1 << card))
