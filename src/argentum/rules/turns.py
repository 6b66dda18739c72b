"""The first look, and a turn: one main action, with windows for village abilities and the token (G4 to G9, G24)."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Final

from argentum.rules import events as ev
from argentum.rules.asking import (
    ACTION,
    CLOSE,
    END,
    ENDS,
    HAND,
    KEEP,
    LOOK,
    MORE,
    PENALTY,
    able,
    ask,
    at_work,
    use_draw_ability,
)
from argentum.rules.card_sets import MANY
from argentum.rules.exchange import (
    NOWHERE,
    add_hand,
    add_penalty,
    discard_hand,
    exchange,
    exchange_plainly,
    fail,
    gain,
    matches,
    show,
    sink,
)
from argentum.rules.fast_lists import drop
from argentum.rules.notation import (
    ABILITY,
    ALL_MOVES,
    AND,
    AT_LEFT,
    CALL,
    DISCARD,
    DONE,
    DRAW,
    DRAW_NTH,
    DRAW_PRIVATE,
    EXCHANGE,
    KEEP_NTH,
    PEEK,
    TAKE,
    TOKEN,
    USE,
)
from argentum.rules.notation import END as END_TURN
from argentum.rules.residents import ANY_WINDOW, MAIN_ACTION, TURN_END, Ask
from argentum.rules.scoring import finish_round
from argentum.rules.table import (
    ACTIVE,
    AFTER_ACTION,
    BEFORE_ACTION,
    BETWEEN_TURNS,
    CARD_IN_HAND,
    DRAWN,
    FIRST_RULINGS,
    NO_CARD,
    NO_REASON,
    NO_SEAT,
    NOTHING,
    Table,
)
from argentum.rules.table import USED as TOKEN_USED

if TYPE_CHECKING:
    from mypy_extensions import i64  # for locals: compiled, a number of the machine; else they are never evaluated

TURN_CAP: Final = 200  # G14
MOST_TO_CALL: Final = 4  # G9
NO_MOVES: Final[list[int]] = []


def first_look(table: Table) -> Ask:
    """Each seat looks at two of its cards (G4). The seats do not wait for each other: any of them may be the next."""
    for seat in range(table.players):
        if table.looking >> seat & 1 and len(table.villages[seat]) <= 2:  # no choice (G22), in a given position
            look_first(table, seat, list(range(len(table.villages[seat]))))
    while table.looking:
        options: list[int] = []
        for seat in range(table.players):
            if table.looking >> seat & 1:
                first = table.peeked[seat]
                base = (PEEK if first < 0 else AND) + (seat << 6)
                options += ALL_MOVES[base : base + len(table.villages[seat])]
                if first >= 0:
                    drop(options, base + first)
        table.asker, table.step, table.picked = "G4", LOOK, ()
        table.at_rest = True
        move = yield options
        table.at_rest = False
        seat = move >> 6 & 3
        if move < AND:
            table.peeked = (*table.peeked[:seat], move & 63, *table.peeked[seat + 1 :])
        else:
            look_first(table, seat, [table.peeked[seat], move & 63])


def look_first(table: Table, seat: int, places: list[int]) -> None:
    """A seat takes its first look, at these places of its village."""
    table.looking &= ~(1 << seat)
    table.peeked = (*table.peeked[:seat], NO_CARD, *table.peeked[seat + 1 :])
    for place in places:
        table.look(seat, seat << 6 | place)


def why_over(table: Table) -> int:
    """Why the round ends before the turn that is about to begin, or -1 (G13, G14)."""
    me = table.turn
    if table.caller == me:
        return ev.BY_CALL
    if not table.deck and not table.shown and not table.private[me]:
        return ev.BY_DECK
    return ev.BY_TURN_CAP if table.turns >= TURN_CAP else NO_REASON


def course(table: Table) -> Ask:
    """The course of a round, from a table at rest: between turns or in one of a turn's windows.

    When a turn (or the first look) is over, and at the end of the round, no moves are offered, once. Where the round
    ends at once (X13) :class:`RoundEnds` is raised, and :func:`cut_short` goes on from there.
    """
    if table.looking:
        yield from first_look(table)
        yield NO_MOVES
    while table.phase != BETWEEN_TURNS or not is_over(table):
        me = table.turn
        if table.phase == BETWEEN_TURNS:
            table.begin_turn()
        while table.phase == BEFORE_ACTION:
            options = openings(table, me)
            move = options[0]
            if len(options) > 1:
                table.asker, table.step, table.picked = "G5", ACTION, ()
                table.at_rest = True
                move = yield options
                table.at_rest = False
            if move == DRAW and table.cast.deepens and table.shows(me, table.cast.deepens):
                table.draw(me, (yield from keep(table, me)))
                table.phase = CARD_IN_HAND
            elif move <= CALL or DRAW_NTH < move < KEEP_NTH:
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


def cut_short(table: Table) -> Ask:
    """The end of a round that ends at once: nothing more is asked, and a card in hand leaves the round (X13)."""
    table.reason = ev.BY_RESIDENTS
    table.phase = BETWEEN_TURNS
    table.at_rest = False
    table.hand, table.held, table.named = NO_CARD, NOTHING, 0
    yield from finish_round(table)
    yield NO_MOVES


def is_over(table: Table) -> bool:
    """Whether the round ends before the turn that is about to begin; the table then says why."""
    if table.cast.settles:
        table.settle()
    table.reason = why_over(table)
    return table.reason != NO_REASON


def take_action(table: Table, me: int, move: int) -> None:
    """Draw, take or call (G5)."""
    if move == CALL:
        table.phase = BETWEEN_TURNS
        table.caller = me
        table.tell(ev.CALLED, me)
        return
    table.phase = CARD_IN_HAND
    if move == TAKE:
        table.take(me, len(table.discard) - 1, 0)
    elif move == DRAW:
        table.draw(me)
    elif move == DRAW_PRIVATE:
        table.draw_private(me)
    else:
        table.draw_shown(me, move - DRAW_NTH)


def keep(table: Table, me: int) -> Generator[list[int], int, int]:
    """Look at one more card of the deck for each faceup card that lets one, and say which is drawn (A4)."""
    deepening = [card for card in table.villages[me] if table.works(card, table.cast.deepens)]
    deep = min(1 + len(deepening), len(table.deck))
    if deep == 1:
        return 1
    for depth in range(1, deep + 1):
        table.look_at_deck(me, depth)
    label = table.cast.labels[table.faces[deepening[0]]]
    options = ALL_MOVES[KEEP_NTH + 1 : KEEP_NTH + 1 + deep]
    return (yield from ask(table, options, label, KEEP)) - KEEP_NTH


def openings(table: Table, me: int) -> list[int]:
    """The main actions, and what may be used before them (G5).

    With the deck empty, a seat with a private deck may do all but call (D10); by the first rulings, only draw from it.
    """
    if table.cast.settles:
        table.settle()
    options: list[int] = []
    stock = bool(table.deck)
    if stock:
        options.append(DRAW)
    if table.shown:
        stock = True
        options += ALL_MOVES[DRAW_NTH + 1 : DRAW_NTH + 1 + len(table.shown)]
    if table.private[me]:
        options.append(DRAW_PRIVATE)
    whole = stock or table.rulings > FIRST_RULINGS
    if whole and table.discard and table.touchable(me):
        options.append(TAKE)
    if stock and table.caller == NO_SEAT and not table.acted and len(table.villages[me]) <= MOST_TO_CALL:
        options.append(CALL)
    add_window(table, me, MAIN_ACTION if whole else ANY_WINDOW, options)
    return options


def settle_hand(table: Table, me: int, chain: int) -> Ask:
    """The card in hand is discarded or used, or a card is named to be exchanged for it (G7, G8).

    It stands in a chain of borrowing if an ability took it (C10, A10).
    """
    drawn = table.held == DRAWN
    cast = table.cast
    clings = drawn and table.clings(table.hand)
    window = chain != 0 or table.ready  # nothing has changed in the village since the turn's first window
    asker, picked, goes = table.asker, table.picked, NOWHERE
    while True:
        if cast.settles:
            table.settle()
        if drawn and cast.discards:
            goes = sink(table, me)
        held_fast = clings and (goes == NOWHERE or not cast.residents[goes].off_pile)
        if held_fast and not table.touchable(me):
            yield from gain(table, me, me)  # at once (D4)
            return
        options = table.own(me, EXCHANGE)
        if drawn and not held_fast:
            if can_use_hand(table, me, goes):
                options.insert(0, USE)
            options.insert(0, DISCARD)
        if window:
            add_window(table, me, ANY_WINDOW, options)
        move = options[0]
        if len(options) > 1:
            table.asker, table.step, table.picked = "G7" if drawn else "G8", HAND, ()
            table.at_rest = chain == 0
            move = yield options
            table.at_rest = False
            if chain:
                table.asker, table.picked = asker, picked
        if move == DISCARD:
            discard_hand(table, me, goes)
            return
        if move == USE:
            yield from use_hand(table, me, goes)
            return
        if move < ABILITY and move != TOKEN:
            table.named = 1 << (move & 63)
            return
        yield from use_in_window(table, me, move)


def exchange_named(table: Table, me: int, chain: int) -> Ask:
    """A card is named for an exchange: more may be; then it is made, or fails (G10, G11)."""
    more = table.own(me, AND)
    more.append(DONE)
    named = table.named
    places = [named.bit_length() - 1]  # as a rule it is one
    if named & named - 1:
        places = [place for place in range(len(table.villages[me])) if named >> place & 1]
    for place in places:
        drop(more, AND + (me << 6) + place)
    asker, picked = table.asker, table.picked
    table.asker, table.step, table.picked = "G10", MORE, ()  # what is picked is in `named`
    while len(more) > 1:
        table.at_rest = chain == 0
        move = yield more
        table.at_rest = False
        if move == DONE:
            break
        table.named |= 1 << (move & 63)
        places.append(move & 63)
        drop(more, move)
    table.named = 0
    if chain:
        table.asker, table.picked = asker, picked
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
    if table.cast.settles:
        table.settle()
    table.asker, table.step, table.picked = "G11", END, ()
    add_hand(table, me, me, (yield ENDS) == AT_LEFT)
    if table.cast.settles:
        table.settle()
    if len(places) >= MANY and table.deck:
        table.step = PENALTY
        add_penalty(table, me, (yield ENDS) == AT_LEFT)
    table.asker, table.picked = asker, picked


def can_use_hand(table: Table, me: int, goes: int) -> bool:
    """Whether the drawn card's ability could be begun, as things stand once it is discarded (G21)."""
    card = table.hand
    resident = table.cast.residents[table.faces[card]]
    if not resident.digs:
        return able(table, me, card, 1 << card)
    to_deck = goes != NOWHERE and table.cast.residents[goes].off_pile
    put = table.put
    if to_deck:
        table.deck.insert(0, card)
    else:
        table.discard.append(card)
        table.put |= 1 << card
    usable = able(table, me, card, 1 << card)
    if to_deck:
        table.deck.pop(0)
    else:
        table.discard.pop()
        table.put = put
    return usable


def use_hand(table: Table, me: int, goes: int) -> Ask:
    """Discard the drawn card and use its ability, or use it without discarding it (D5, C5, B12)."""
    card = table.hand
    if table.cast.residents[table.faces[card]].joins:
        table.up |= 1 << card
    else:
        discard_hand(table, me, goes)
    yield from use_draw_ability(table, me, card, 0)


def closings(table: Table, me: int) -> list[int]:
    """What may be used after the main action, and `end`; empty if there is nothing (G24)."""
    if table.cast.settles:
        table.settle()
    options: list[int] = []
    add_window(table, me, TURN_END, options)
    if options:
        options.append(END_TURN)
    return options


def close(table: Table, me: int, options: list[int]) -> Ask:
    """The window after the main action, asked while something could be used (G24)."""
    while options:
        table.asker, table.step, table.picked = "G24", CLOSE, ()
        table.at_rest = True
        move = yield options
        table.at_rest = False
        if move == END_TURN:
            return
        ends_turn = works_in(table, move, TURN_END)
        yield from use_in_window(table, me, move)
        if ends_turn:
            return
        options = closings(table, me)


def add_window(table: Table, me: int, window: int, options: list[int]) -> None:
    """Add the village abilities and the token that may be used in this window of the turn (G5, G6, G18)."""
    cast, faces = table.cast, table.faces
    windows = cast.window
    up: i64 = table.up
    card: i64
    table.ready = False
    for place, card in enumerate(table.villages[me]):
        if up >> card & 1:
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
    resident = table.cast.residents[table.faces[card]]
    if table.used >> card & 1 or card == table.muted or (card == table.covered and resident.turns_itself):
        return False
    return resident.when is not None and resident.when(table, me, card, 1 << card)


def use_in_window(table: Table, me: int, move: int) -> Ask:
    """Use the silver token, once (G18), or a faceup card of one's village, once a turn (G6)."""
    table.acted = True
    if move == TOKEN:
        table.token_state = TOKEN_USED
        table.tell(ev.TOKEN, me)
        return at_work(table, table.cast.token_label, table.cast.token_act(table, me, -1, 0))
    card = table.at(move)
    table.used |= 1 << card
    table.tell(ev.ABILITY, me, move & 255, card)
    resident = table.cast.residents[table.faces[card]]
    assert resident.act is not None
    return at_work(table, table.cast.labels[resident.number], resident.act(table, me, card, 1 << card))
