"""The first look, and a turn: one main action, with windows for village abilities and the token (G4 to G9, G24)."""

from typing import Final

from argentum.rules import events as ev
from argentum.rules.asking import ENDS, able, ask_end, use_draw_ability
from argentum.rules.exchange import (
    add_hand,
    add_penalty,
    discard_hand,
    exchange,
    exchange_plainly,
    fail,
    matches,
    show,
)
from argentum.rules.notation import (
    ABILITY,
    ALL_MOVES,
    AND,
    AT_LEFT,
    CALL,
    DISCARD,
    DONE,
    DRAW,
    DRAW_PRIVATE,
    END,
    EXCHANGE,
    PEEK,
    TAKE,
    TOKEN,
    USE,
)
from argentum.rules.residents import ANY_WINDOW, MAIN_ACTION, TURN_END, Ask
from argentum.rules.scoring import finish_round
from argentum.rules.table import (
    ACTIVE,
    AFTER_ACTION,
    BEFORE_ACTION,
    BETWEEN_TURNS,
    CARD_IN_HAND,
    DRAWN,
    EVERYBODY,
    NO_SEAT,
    TAKEN,
    Table,
)
from argentum.rules.table import USED as TOKEN_USED

TURN_CAP: Final = 200  # G14
MOST_TO_CALL: Final = 4  # G9
NO_MOVES: Final[list[int]] = []


def first_look(table: Table) -> Ask:
    """Each seat looks at two of its cards (G4). The seats do not wait for each other: any of them may be the next."""
    firsts = [-1] * table.players
    for seat in range(table.players):
        if table.looking >> seat & 1 and len(table.villages[seat]) <= 2:  # no choice (G22), in a given position
            look_first(table, seat, list(range(len(table.villages[seat]))))
    while table.looking:
        options: list[int] = []
        for seat in range(table.players):
            if table.looking >> seat & 1:
                base = (PEEK if firsts[seat] < 0 else AND) + (seat << 6)
                options += ALL_MOVES[base : base + len(table.villages[seat])]
                if firsts[seat] >= 0:
                    options.remove(base + firsts[seat])
        table.at_rest = max(firsts) < 0
        move = yield options
        table.at_rest = False
        seat = move >> 6 & 3
        if move < AND:
            firsts[seat] = move & 63
        else:
            look_first(table, seat, [firsts[seat], move & 63])


def look_first(table: Table, seat: int, places: list[int]) -> None:
    """A seat takes its first look, at these places of its village."""
    table.looking &= ~(1 << seat)
    for place in places:
        table.look(seat, seat << 6 | place)


def round_ends(table: Table) -> bool:
    """Whether the round ends before the turn that is about to begin (G13, G14)."""
    me = table.turn
    return table.caller == me or (not table.deck and not table.private[me]) or table.finished >= TURN_CAP


def course(table: Table) -> Ask:
    """The course of a round, from a table at rest: between turns or in one of a turn's windows.

    When a turn (or the first look) is over, and at the end of the round, no moves are offered, once.
    """
    if table.looking:
        yield from first_look(table)
        yield NO_MOVES
    while table.phase != BETWEEN_TURNS or not round_ends(table):
        me = table.turn
        if table.phase == BETWEEN_TURNS:
            table.begin_turn()
        while table.phase == BEFORE_ACTION:
            options = openings(table, me)
            move = options[0]
            if len(options) > 1:
                table.at_rest = True
                move = yield options
                table.at_rest = False
            if move <= CALL:
                take_action(table, me, move)
            else:
                if works_in(table, move, MAIN_ACTION):
                    table.phase = AFTER_ACTION
                yield from use_in_window(table, me, move)
        if table.phase == CARD_IN_HAND:
            if not table.named:
                yield from settle_hand(table, me, 0)
            if table.named:
                yield from exchange_named(table, me, 0)
            table.phase = AFTER_ACTION
        if table.phase == AFTER_ACTION:
            options = closings(table, me)
            if options:
                yield from close(table, me, options)
        table.end_turn()
        yield NO_MOVES
    yield from finish_round(table)
    yield NO_MOVES


def take_action(table: Table, me: int, move: int) -> None:
    """Draw, take or call (G5)."""
    if move == CALL:
        table.phase = BETWEEN_TURNS
        table.caller = me
        table.tell(ev.CALLED, me)
        return
    table.phase = CARD_IN_HAND
    if move == TAKE:
        table.take(me, len(table.pile) - 1, 0)
    else:
        table.draw(me, move == DRAW_PRIVATE)


def openings(table: Table, me: int) -> list[int]:
    """The main actions, and what may be used before them (G5). An empty deck leaves the private one (D10)."""
    options: list[int] = []
    deck = bool(table.deck)
    if deck:
        options.append(DRAW)
    if table.private[me]:
        options.append(DRAW_PRIVATE)
    if deck:
        if table.pile and table.touchable(me):
            options.append(TAKE)
        if table.caller == NO_SEAT and not table.acted and len(table.villages[me]) <= MOST_TO_CALL:
            options.append(CALL)
    add_window(table, me, MAIN_ACTION if deck else ANY_WINDOW, options)
    return options


def settle_hand(table: Table, me: int, chain: int) -> Ask:
    """The card in hand is discarded or used, or a card is named to be exchanged for it (G7, G8).

    It stands in a chain of borrowing if a Nosferatu took it (C10).
    """
    drawn = table.held == DRAWN
    zombie = drawn and table.is_zombie(table.hand)
    window = chain != 0 or table.ready  # nothing has changed in the village since the turn's first window
    while True:
        if zombie and not table.touchable(me):
            table.seen[table.hand] = EVERYBODY  # nothing else could be kept so
            left = yield from ask_end(table, me)
            add_hand(table, me, left)  # gained at once (D4)
            return
        options = table.own(me, EXCHANGE)
        if drawn and not (zombie and not table.shows(me, table.cast.goth_girl)):
            if can_use_hand(table, me):
                options.insert(0, USE)
            options.insert(0, DISCARD)
        if window:
            add_window(table, me, ANY_WINDOW, options)
        move = options[0]
        if len(options) > 1:
            table.at_rest = chain == 0
            move = yield options
            table.at_rest = False
        if move == DISCARD:
            discard_hand(table, me, table.shows(me, table.cast.goth_girl))
            return
        if move == USE:
            yield from use_hand(table, me)
            return
        if move < ABILITY and move != TOKEN:
            table.named = 1 << (move & 63)
            return
        yield from use_in_window(table, me, move)


def exchange_named(table: Table, me: int, chain: int) -> Ask:
    """A card is named for an exchange: more may be; then it is made, or fails (G10, G11)."""
    more = table.own(me, AND)
    more.append(DONE)
    places = [place for place in range(len(table.villages[me])) if table.named >> place & 1]
    for place in places:
        more.remove(AND + (me << 6) + place)
    while len(more) > 1:
        table.at_rest = chain == 0
        move = yield more
        table.at_rest = False
        if move == DONE:
            break
        table.named |= 1 << (move & 63)
        places.append(move & 63)
        more.remove(move)
    table.named = 0
    if len(places) == 1:
        if not exchange_plainly(table, me, places[0]):
            yield from exchange(table, me, places, chain)
        return
    places.sort()
    show(table, me, places)
    if matches(table, me, places):
        yield from exchange(table, me, places, chain)
        return
    fail(table, me, places)
    add_hand(table, me, (yield ENDS) == AT_LEFT)
    if len(places) >= 3 and table.deck:
        add_penalty(table, me, (yield ENDS) == AT_LEFT)


def can_use_hand(table: Table, me: int) -> bool:
    """Whether the drawn card's ability could be begun, as things stand once it is discarded (G21)."""
    card = table.hand
    resident = table.cast.residents[table.faces[card]]
    if not resident.digs:
        return able(table, me, card, 1 << card)
    to_deck = table.shows(me, table.cast.goth_girl)
    put = table.put
    if to_deck:
        table.deck.insert(0, card)
    else:
        table.pile.append(card)
        table.put |= 1 << card
    usable = able(table, me, card, 1 << card)
    if to_deck:
        table.deck.pop(0)
    else:
        table.pile.pop()
        table.put = put
    return usable


def use_hand(table: Table, me: int) -> Ask:
    """Discard the drawn card and use its ability, or use it without discarding it (D5, C5, B12)."""
    card = table.hand
    if table.cast.residents[table.faces[card]].stays:
        table.up[card] = 1
    else:
        discard_hand(table, me, table.shows(me, table.cast.goth_girl))
    yield from use_draw_ability(table, me, card, 0)


def closings(table: Table, me: int) -> list[int]:
    """What may be used after the main action, and `end`; empty if there is nothing (G24)."""
    options: list[int] = []
    add_window(table, me, TURN_END, options)
    if options:
        options.append(END)
    return options


def close(table: Table, me: int, options: list[int]) -> Ask:
    """The window after the main action, asked while something could be used (G24)."""
    while options:
        table.at_rest = True
        move = yield options
        table.at_rest = False
        if move == END:
            return
        ends_turn = works_in(table, move, TURN_END)
        yield from use_in_window(table, me, move)
        if ends_turn:
            return
        options = closings(table, me)


def add_window(table: Table, me: int, window: int, options: list[int]) -> None:
    """Add the village abilities and the token that may be used in this window of the turn (G5, G6, G18)."""
    cast, up, faces = table.cast, table.up, table.faces
    windows = cast.window
    table.ready = False
    for place, card in enumerate(table.villages[me]):
        if up[card]:
            offered = windows[faces[card]]
            if offered:
                table.ready = True
                if (offered == ANY_WINDOW or offered == window) and _ready(table, me, card):
                    options.append(ABILITY + (me << 6) + place)
    if table.token_state == ACTIVE and table.token_seat == me:
        table.ready = True
        if cast.token_when(table, me, -1, 0):
            options.append(TOKEN)


def works_in(table: Table, move: int, window: int) -> bool:
    """Whether a move uses a village ability of this window: one that replaces the draw, or one that ends the turn."""
    return move != TOKEN and table.cast.window[table.faces[table.at(move)]] == window


def _ready(table: Table, me: int, card: int) -> bool:
    """Whether a faceup card's ability is still to be used this turn, and could be begun (G6, G21)."""
    if table.used >> card & 1 or card == table.bullet:
        return False
    when = table.cast.residents[table.faces[card]].when
    return when is not None and when(table, me, card, 1 << card)


def use_in_window(table: Table, me: int, move: int) -> Ask:
    """Use the silver token, once (G18), or a faceup card of one's village, once a turn (G6)."""
    table.acted = True
    if move == TOKEN:
        table.token_state = TOKEN_USED
        table.tell(ev.TOKEN, me)
        yield from table.cast.token_act(table, me, -1, 0)
        return
    card = table.at(move)
    table.used |= 1 << card
    table.tell(ev.ABILITY, me, move & 255, card)
    act = table.cast.residents[table.faces[card]].act
    if act is not None:
        yield from act(table, me, card, 1 << card)


def last_for_hand(table: Table, me: int) -> bool:
    """Whether a taken card is in hand that could be exchanged for only one card, which must stay for it (G8)."""
    return table.held == TAKEN and table.touchable(me) == 1
