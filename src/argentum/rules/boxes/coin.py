"""Silver Coin: its fourteen residents and its token."""

from collections.abc import Generator

from argentum.rules import events as ev
from argentum.rules.asking import (
    FIRST,
    SECOND,
    WAY,
    always,
    any_card,
    any_facedown,
    any_in,
    ask_end,
    at_work,
    borrowable,
    cards_in,
    choose,
    choose_of_discard,
    elsewhere,
    everywhere,
    last_for_hand,
    look_at_up_to,
    movable,
    own_touchable,
    use_draw_ability,
)
from argentum.rules.asking import VILLAGE as WHICH_VILLAGE
from argentum.rules.exchange import stay
from argentum.rules.fast_lists import drop
from argentum.rules.notation import (
    ABILITY,
    CARD,
    CLOCKWISE,
    COUNTERCLOCKWISE,
    DISCARD_CARD,
    GIVE,
    PASS,
    ROTATE,
    TAKE_NTH,
    USE_NTH,
    VILLAGE,
)
from argentum.rules.residents import MAIN_ACTION, TURN_END, Ask, Box
from argentum.rules.scoring import Tally
from argentum.rules.table import FIRST_RULINGS, NO_CARD, Table
from argentum.rules.turns import exchange_named, settle_hand

CURATOR = "C2"
COIN = Box("coin", "Silver Coin of Flipping", "Once, on your turn: turn over any one card of any village.")


@COIN.closing(
    0, "Regifter", "Faceup at the end of the round: you may give one other card of your village to another player."
)
def regifter(table: Table, me: int, card: int, chain: int) -> Ask:
    receivers = [seat for seat in elsewhere(table, me) if not table.closed(seat, me)]
    gifts = [move - CARD for move in table.own(me) if table.at(move) != card]
    options = [GIVE + (seat << 8) + where for where in gifts for seat in receivers]
    move = yield from choose(table, [*options, PASS])
    if move == PASS:
        return
    gift, seat = table.at(move), (move - GIVE) >> 8
    table.lift(gift)
    table.villages[seat].append(gift)
    table.tell(ev.GAVE, me, move & 255, gift, seat << 6 | len(table.villages[seat]) - 1)


def can_go_on(table: Table, me: int, card: int, chain: int) -> bool:
    """The card does not rest, and a turn is to come; the first rulings did not ask for one."""
    to_come = bool(table.deck or table.shown or table.private[me]) or table.rulings == FIRST_RULINGS
    return to_come and not any([seat == me and one == card for seat, one, _ in table.resting])


@COIN.village(
    1,
    "Con Artist",
    "While faceup, at the end of your turn: turn it facedown and take another turn. Not twice with the same one until"
    " everybody else has had a turn.",
    can_go_on,
    window=TURN_END,
    turns_itself=True,
)
def con_artist(table: Table, me: int, card: int, chain: int) -> Ask:
    table.turn_down(me, table.spot(card))
    table.extra += 1
    awaited = (1 << table.players) - 1 & ~(1 << me)
    table.resting = (*table.resting, (me, card, awaited))
    table.tell(ev.EXTRA_TURN, me)
    yield from ()


@COIN.village(
    2,
    "Curator",
    "While faceup: once a turn, turn one of your cards sideways or back, or discard one that is sideways.",
    own_touchable,
)
def curator(table: Table, me: int, card: int, chain: int) -> Ask:
    yield from curate(table, me, [])


def curate(table: Table, me: int, picked: list[int]) -> Ask:
    """What a Curator does; cards picked for a Village Idiot's journey may be turned but not discarded."""
    options = table.own(me, ROTATE)
    if not last_for_hand(table, me):
        for move in table.own(me, DISCARD_CARD):
            card = table.at(move)
            known_to_stay = table.clings(card) and table.seen[card] >> me & 1  # others may be tried (D4)
            if table.sideways >> card & 1 and card not in picked and not known_to_stay:
                options.append(move)
    move = yield from choose(table, options)
    card = table.at(move)
    if move < DISCARD_CARD:
        table.sideways ^= 1 << card
        table.tell(ev.ROTATED, me, move & 255, NO_CARD, table.sideways >> card & 1)
    elif table.clings(card):
        stay(table, me, move & 255)
    else:
        table.lift(card)
        table.to_discard(card)
        table.tell(ev.LEFT, me, move & 255, card, ev.TO_DISCARD)


@COIN.village(
    3,
    "Pixie",
    "While faceup: turn it facedown, then turn over any other card of any village. Each Pixie once a turn.",
    always,
    turns_itself=True,
)
def pixie(table: Table, me: int, card: int, chain: int) -> Ask:
    table.turn_down(me, table.spot(card))
    yield from flip_other(table, me, card)


def flip_other(table: Table, me: int, card: int) -> Ask:
    """Turn over any card of any village but this one."""
    table.settle()
    options = [move for move in cards_in(table, me, everywhere(table)) if table.at(move) != card]
    if options:
        table.flip(me, (yield from choose(table, options)))


def top_to_borrow(table: Table, me: int, card: int, chain: int) -> bool:
    return (
        bool(table.discard)
        and table.up >> table.discard[-1] & 1 == 1
        and borrowable(table, me, table.discard[-1], chain)
    )


@COIN.village(
    4,
    "Blob",
    "While faceup, instead of drawing: use the draw ability of the discard pile's top card, which stays there.",
    top_to_borrow,
    window=MAIN_ACTION,
    source="inferred from the rest of the rulebook: the printed text is damaged",
)
def blob(table: Table, me: int, card: int, chain: int) -> Ask:
    yield from use_draw_ability(table, me, table.discard[-1], chain)


def can_move_or_flip(table: Table, me: int, card: int, chain: int) -> bool:
    if table.villages[me] != [card]:
        return True
    return any_in(table, me, elsewhere(table, me))


@COIN.drawn(
    5,
    "Apprentice Tanner",
    "When drawn: it joins your village faceup, at the end you like, and you turn over one other card anywhere.",
    can_move_or_flip,
    joins=True,
)
def apprentice_tanner(table: Table, me: int, card: int, chain: int) -> Ask:
    left = yield from ask_end(table, me, card)
    table.lift(card)
    table.up |= 1 << card
    table.add(me, me, card, left)
    yield from flip_other(table, me, card)


def any_faceup(table: Table, me: int, card: int, chain: int) -> bool:
    return any_in(table, me, everywhere(table), 1)


@COIN.drawn(
    6, "Huntress", "When drawn: turn a faceup card of any village facedown, then a different card faceup.", any_faceup
)
def huntress(table: Table, me: int, card: int, chain: int) -> Ask:
    first = yield from choose(table, cards_in(table, me, everywhere(table), 1))
    table.turn_down(me, first)
    options = cards_in(table, me, everywhere(table), 0)
    drop(options, first)
    if options:
        table.turn_up(me, (yield from choose(table, options, SECOND)))


@COIN.drawn(7, "Nostro", "When drawn: look at all the facedown cards of one village.", any_facedown)
def nostro(table: Table, me: int, card: int, chain: int) -> Ask:
    seats = [VILLAGE + seat for seat in everywhere(table) if any_in(table, me, [seat], 0)]
    seat = (yield from choose(table, seats, WHICH_VILLAGE)) - VILLAGE
    for move in cards_in(table, me, [seat], 0):
        table.look(me, move)


def victims(table: Table, me: int) -> list[int]:
    """Faceup cards that may go under the discard pile: none that clings where it would lie on top (D4)."""
    options = [move for move in movable(table, me, everywhere(table)) if table.up >> table.at(move) & 1]
    return options if table.discard else [move for move in options if not table.clings(table.at(move))]


def any_victim(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(victims(table, me))


@COIN.drawn(
    8,
    "Assassin",
    "When drawn: discard one faceup card of any village to the bottom of the discard pile.",
    any_victim,
    digs=True,
)
def assassin(table: Table, me: int, card: int, chain: int) -> Ask:
    move = yield from choose(table, victims(table, me))
    victim = table.at(move)
    table.lift(victim)
    table.to_discard_bottom(victim)
    table.tell(ev.LEFT, me, move & 255, victim, ev.TO_DISCARD_BOTTOM)


@COIN.drawn(9, "Psychic", "When drawn: look at up to three facedown cards of any villages.", any_facedown)
def psychic(table: Table, me: int, card: int, chain: int) -> Ask:
    yield from look_at_up_to(table, me, 3, everywhere(table))


def buried(table: Table, card: int) -> list[int]:
    """The places in the discard pile of a Nosferatu's three cards: those below it, or as X5 says."""
    first = len(table.discard) - 1
    if card in table.discard:
        first = table.discard.index(card) - 1
    else:
        put = [place for place, one in enumerate(table.discard) if table.put >> one & 1]
        first = put[-1] - 1 if put else first
    return [place for place in (first, first - 1, first - 2) if place >= 0]


def diggings(table: Table, me: int, card: int, chain: int) -> list[int]:
    """What a Nosferatu may take or use."""
    places = list(enumerate(buried(table, card), 1))
    options = [TAKE_NTH + nth for nth, _ in places] if table.touchable(me) else []
    for nth, place in places:
        if table.up >> table.discard[place] & 1 and borrowable(table, me, table.discard[place], chain):
            options.append(USE_NTH + nth)
    return options


def any_diggings(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(diggings(table, me, card, chain))


@COIN.drawn(
    10,
    "Nosferatu",
    "When drawn: of the three cards below it in the discard pile, take one and exchange it in, or use"
    " the draw ability of one.",
    any_diggings,
    digs=True,
)
def nosferatu(table: Table, me: int, card: int, chain: int) -> Ask:
    places = buried(table, card)
    move = yield from choose_of_discard(table, diggings(table, me, card, chain), places)
    if move > TAKE_NTH:
        nth = move - TAKE_NTH
        table.take(me, places[nth - 1], nth)
        yield from settle_hand(table, me, chain)
        yield from exchange_named(table, me, chain)
    else:
        yield from use_draw_ability(table, me, table.discard[places[move - USE_NTH - 1]], chain)


def topmost_but(table: Table, card: int) -> int:
    """The topmost card of the discard pile other than this one, or -1."""
    for one in reversed(table.discard):
        if one != card:
            return one
    return NO_CARD


def golem_targets(table: Table, me: int) -> list[int]:
    """Cards that may go under the pile: none that clings and would lie on top of it, faceup (D4)."""
    options = movable(table, me, everywhere(table))
    if len(table.discard) > 1:
        return options
    return [move for move in options if not (table.up >> table.at(move) & 1 and table.clings(table.at(move)))]


def golem_can(table: Table, me: int, card: int, chain: int) -> bool:
    return topmost_but(table, card) != NO_CARD and bool(golem_targets(table, me))


@COIN.drawn(
    11,
    "Golem",
    "When drawn: switch the top card of the discard pile under it for any card of any village; that card goes to the"
    " bottom of the pile, with the face that it had.",
    golem_can,
    digs=True,
)
def golem(table: Table, me: int, card: int, chain: int) -> Ask:
    move = yield from choose(table, golem_targets(table, me))
    comes, goes = topmost_but(table, card), table.at(move)
    table.lift(comes)
    table.put_at(move, comes)
    table.to_discard_bottom(goes)
    table.tell(ev.LEFT, me, move & 255, goes, ev.TO_DISCARD_BOTTOM)
    table.tell(ev.PLACED, me, move & 255, comes)


def travellers(table: Table, me: int, direction: int) -> list[list[int]]:
    """For each village that takes part, in that direction from one's own, a move for each card that may travel."""
    seats = [(me + step * direction) % table.players for step in range(table.players)]
    return [options for options in [movable(table, me, [seat]) for seat in seats] if options]


def two_travel(table: Table, me: int, card: int, chain: int) -> bool:
    return len(travellers(table, me, 1)) >= 2


@COIN.drawn(
    12,
    "Village Idiot",
    "When drawn: choose a direction; one card of each village moves to the next village that way, and you choose each.",
    two_travel,
)
def village_idiot(table: Table, me: int, card: int, chain: int) -> Ask:
    way = yield from choose(table, [CLOCKWISE, COUNTERCLOCKWISE], WAY)
    picked: list[int] = []
    for options in travellers(table, me, 1 if way == CLOCKWISE else -1):
        picked.append((yield from pick_traveller(table, me, options, picked)))
    spots = [table.spot(one) for one in picked]
    for place, one in enumerate(picked):
        to = spots[(place + 1) % len(spots)]
        table.put_at(to, one)
        table.tell(ev.SHIFTED, me, spots[place], one, to)


def pick_traveller(table: Table, me: int, options: list[int], picked: list[int]) -> Generator[list[int], int, int]:
    """Pick a card; at every pick but the first a Curator may be used before (C2)."""
    way = table.picked[0]
    while True:
        curators = curators_of(table, me) if picked else []
        move = yield from choose(table, options + curators, SECOND if picked else FIRST)
        if move < ABILITY:
            return table.at(move)
        card = table.at(move)
        table.used |= 1 << card
        table.tell(ev.ABILITY, me, move & 255, card)
        yield from at_work(table, CURATOR, curate(table, me, picked))
        table.picked = (way, *[CARD + table.spot(one) for one in picked])  # where they lie now


def curators_of(table: Table, me: int) -> list[int]:
    """A move for each Curator of one's own that may be used now: none, where he would have no card to turn (G21)."""
    if not table.touchable(me):
        return []
    return [
        ABILITY + (me << 6) + place
        for place, card in enumerate(table.villages[me])
        if table.cast.labels[table.faces[card]] == CURATOR
        and table.up >> card & 1
        and card != table.muted
        and not table.used >> card & 1
    ]


@COIN.scoring(13, "Wolfman", "Faceup at scoring: if your other cards add up to less than 13, your sum is 0.")
def wolfman(tally: Tally, seat: int, card: int) -> None:
    if tally.table.up >> card & 1:
        others = sum([tally.counted(seat, one) for one in tally.table.villages[seat] if one != card])
        if others < 13:
            tally.set(seat, 0, card, "C13", value=others)


@COIN.token_ability(any_card)
def silver_coin(table: Table, me: int, card: int, chain: int) -> Ask:
    table.flip(me, (yield from choose(table, cards_in(table, me, everywhere(table)))))
