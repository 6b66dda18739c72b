# mypyc: compile
"""Silver Bullet: residents and token.

Our rulebooks lack the card reference of this box. `source` is the evidence for each text. If you own the box and find a
wrong text, correct it here.
"""

from collections.abc import Sequence

from argentum.rules import events as ev
from argentum.rules.asking import (
    FACEDOWN,
    FACEUP,
    STEP_SECOND_CARD,
    STEP_VILLAGE,
    all_seats,
    ask_village_end,
    borrow_draw_ability,
    can_borrow,
    can_use_covering_token,
    card_moves,
    choose,
    deck_not_empty,
    has_any_card,
    has_own_facedown,
    has_own_touchable,
    movable_cards,
)
from argentum.rules.notation import PASS, REMOVE, seat_of, spot_of, village_move, village_of
from argentum.rules.residents import TIMING_VILLAGE, Box, Rule
from argentum.rules.scoring import Tally
from argentum.rules.shuffling import shuffle_in_round
from argentum.rules.table import Table

SOURCE_IMPLIED = "implied by the rulebook's own words"
SOURCE_DESIGNER = "the designer's published words"
SOURCE_RECONSTRUCTED = "reconstructed from the best public evidence; unofficial"
SOURCE_CONSISTENT = "reconstructed from the best public evidence; unofficial, but it fits the rulebook's words"

BULLET = Box(
    "bullet",
    "b",
    "Silver Bullet of Destruction",
    "Once, on your turn: put it on one of your own cards. Until the round ends nothing touches that"
    " card, and it counts 0.",
    SOURCE_IMPLIED,
    covers=True,
    mutes=True,
)


@BULLET.round_end_ability(
    0,
    "Hunter",
    "Faceup at the end of the round: you may remove one card of your village before scoring.",
    SOURCE_RECONSTRUCTED,
)
def hunter(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, [*table.own_moves(me, REMOVE), PASS])
    if move != PASS:
        removed = table.card_at(move)
        table.remove_card(removed)
        table.add_event(ev.REMOVED, me, spot_of(move), removed, ev.OUT_OF_ROUND)


lycan = BULLET.add_resident(
    1,
    "Lycan",
    TIMING_VILLAGE,
    "While faceup: the cards of a set that you exchange need not be quite equal. One of them may count 1 more.",
    SOURCE_DESIGNER,
)
lycan.raises_set_card = True


@BULLET.village_ability(
    2, "Priest", "While faceup: once a turn, turn over one of your own cards.", has_own_touchable, source=SOURCE_IMPLIED
)
def priest(table: Table, me: int, card: int, chain: int) -> Rule:
    table.flip(me, (yield from choose(table, table.own_moves(me))))


@BULLET.discard_rule(
    3,
    "Goth Girl",
    "While faceup: what you discard goes to the bottom of the deck instead of to the discard pile.",
    avoids_discard_pile=True,
    source=SOURCE_RECONSTRUCTED,
)
def goth_girl(table: Table, me: int, stack: list[int]) -> int:
    table.put_under_deck(me, stack)
    return ev.TO_DECK_BOTTOM


mortician = BULLET.add_resident(
    4,
    "Mortician",
    TIMING_VILLAGE,
    "While faceup: when you exchange cards of your village, you may use the draw ability of one of them.",
    SOURCE_IMPLIED,
)
mortician.uses_exchanged_cards = True


@BULLET.draw_ability(
    5,
    "Cow",
    "When drawn: turn the whole deck over, so that it lies the other way up.",
    deck_not_empty,
    depends_on_piles=True,
    source=SOURCE_CONSISTENT,
)
def cow(table: Table, me: int, card: int, chain: int) -> Rule:
    table.deck.reverse()
    table.deck_up = not table.deck_up
    table.reveal_deck_top()
    table.add_event(ev.DECK_TURNED, me, -1, -1, 1 if table.deck_up else 0)
    yield from ()


@BULLET.draw_ability(
    6, "Instigator", "When drawn: turn over any one card of any village.", has_any_card, source=SOURCE_IMPLIED
)
def instigator(table: Table, me: int, card: int, chain: int) -> Rule:
    table.flip(me, (yield from choose(table, card_moves(table, me, all_seats(table)))))


@BULLET.draw_ability(
    7, "Insomniac", "When drawn: look at all your facedown cards.", has_own_facedown, source=SOURCE_RECONSTRUCTED
)
def insomniac(table: Table, me: int, card: int, chain: int) -> Rule:
    for move in card_moves(table, me, [me], FACEDOWN):
        table.look(me, move)
    yield from ()


def can_shuffle(table: Table, me: int, seat: int) -> bool:
    """Whether a shuffle could change a village: two facedown cards, or a sideways one, which turns upright."""
    moves = card_moves(table, me, [seat], FACEDOWN)
    return len(moves) > 1 or any([table.is_sideways(table.card_at(move)) for move in moves])


def can_use_thing(table: Table, me: int, card: int, chain: int) -> bool:
    return any([can_shuffle(table, me, seat) for seat in all_seats(table)])


@BULLET.draw_ability(
    8,
    "Thing",
    "When drawn: shuffle the facedown cards of one village among their spots.",
    can_use_thing,
    source=SOURCE_CONSISTENT,
)
def thing(table: Table, me: int, card: int, chain: int) -> Rule:
    seats = [village_move(seat) for seat in all_seats(table) if can_shuffle(table, me, seat)]
    seat = village_of((yield from choose(table, seats, STEP_VILLAGE)))
    cards = [table.card_at(move) for move in card_moves(table, me, [seat], FACEDOWN)]
    if len(cards) == 1:  # Seats that knew the card still know it.
        table.sideways &= ~(1 << cards[0])
        table.log_shuffle(seat)
        table.add_event(ev.SHUFFLED, me, -1, -1, seat)
        return
    sources = shuffle_result(table, seat, cards)
    numbers = [table.faces[source] for source in sources]
    used = [table.is_used(source) for source in sources]
    for index, shuffled in enumerate(cards):
        table.faces[shuffled] = numbers[index]
        table.sideways &= ~(1 << shuffled)
        # Marks move with the card (G6, C1).
        table.used_cards = table.used_cards & ~(1 << shuffled) | used[index] << shuffled
    mask = sum([1 << shuffled for shuffled in cards])
    table.forget(mask)
    table.untraceable |= mask
    if table.passed_over & mask != mask:
        table.passed_over &= ~mask
    new_card = dict(zip(sources, cards, strict=True))
    table.cooldowns = tuple([(owner, new_card.get(old, old), awaited) for owner, old, awaited in table.cooldowns])
    table.log_shuffle(seat)
    table.add_event(ev.SHUFFLED, me, -1, -1, seat)


def shuffle_result(table: Table, seat: int, cards: list[int]) -> list[int]:
    """Return, for each of these cards, the card that moves to its spot.

    The result is taken from `Table.fixed_shuffles` if prescribed there, otherwise random. Raise `ValueError` if the
    prescribed result is not a permutation of the village, or moves a card that is not shuffled.
    """
    sources = cards[:]
    index = len(table.shuffle_log)
    if index >= len(table.fixed_shuffles):
        shuffle_in_round(sources, table.seed, table.round, index + 1)
        return sources
    fixed_shuffle, village = table.fixed_shuffles[index], table.villages[seat]
    now = [table.faces[card] for card in village]
    if sorted(fixed_shuffle) != sorted(now) or any(
        [fixed_shuffle[i] != now[i] for i, card in enumerate(village) if card not in cards]
    ):
        raise ValueError(
            f"the given shuffle {_numbers_text(fixed_shuffle)} is not an order of the village {_numbers_text(now)}"
        )
    order: list[int] = []
    for card in cards:
        number = fixed_shuffle[village.index(card)]
        order.append(next(source for source in sources if table.faces[source] == number))
        sources.remove(order[-1])
    return order


def _numbers_text(numbers: Sequence[int]) -> str:
    return " ".join([str(number) for number in numbers])


def borrowable_cards(table: Table, me: int, chain: int) -> list[int]:
    """Return a move for each faceup card whose draw ability a Marksman may use."""
    return [
        move
        for move in card_moves(table, me, all_seats(table), FACEUP)
        if can_borrow(table, me, table.card_at(move), chain)
    ]


def can_use_marksman(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(borrowable_cards(table, me, chain))


@BULLET.draw_ability(
    9,
    "Marksman",
    "When drawn: use the draw ability of one faceup card of any village.",
    can_use_marksman,
    depends_on_piles=True,
    source=SOURCE_RECONSTRUCTED,
)
def marksman(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, borrowable_cards(table, me, chain))
    yield from borrow_draw_ability(table, me, table.card_at(move), chain, spot_of(move))


@BULLET.draw_ability(
    10,
    "Count",
    "When drawn: turn the deck's top ten cards, one by one, onto the discard pile.",
    deck_not_empty,
    depends_on_piles=True,
    source=SOURCE_IMPLIED,
)
def count(table: Table, me: int, card: int, chain: int) -> Rule:
    for _ in range(min(10, len(table.deck))):
        top = table.deck.pop()
        table.put_on_discard_pile(top)
        table.add_event(ev.COUNTED, me, -1, top)
    table.reveal_deck_top()
    while table.discard and table.is_faceup(table.discard[-1]) and table.clings(table.discard[-1]):  # D4, X9
        left = yield from ask_village_end(table, me)
        table.add_to_village(me, me, table.discard.pop(), left)


def can_use_troublemaker(table: Table, me: int, card: int, chain: int) -> bool:
    return len([seat for seat in all_seats(table) if movable_cards(table, me, [seat])]) >= 2


@BULLET.draw_ability(
    11,
    "Troublemaker",
    "When drawn: switch a card of one village with a card of another, any two.",
    can_use_troublemaker,
    source=SOURCE_RECONSTRUCTED,
)
def troublemaker(table: Table, me: int, card: int, chain: int) -> Rule:
    options = movable_cards(table, me, all_seats(table))
    first = yield from choose(table, options)
    seat = seat_of(first)
    table.switch(
        me, first, (yield from choose(table, [move for move in options if seat_of(move) != seat], STEP_SECOND_CARD))
    )


def open_villages(table: Table, me: int, card: int) -> list[int]:
    """Return a move for each village that a Gremlin may join: not closed, nor one in which it is the only card."""
    return [
        village_move(seat)
        for seat in all_seats(table)
        if not table.is_closed(seat, me) and table.villages[seat] != [card]
    ]


def can_use_gremlin(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(open_villages(table, me, card))


@BULLET.draw_ability(
    12,
    "Gremlin",
    "When drawn: put it faceup at either end of any village.",
    can_use_gremlin,
    joins_village=True,
    source=SOURCE_RECONSTRUCTED,
)
def gremlin(table: Table, me: int, card: int, chain: int) -> Rule:
    seat = village_of((yield from choose(table, open_villages(table, me, card), STEP_VILLAGE)))
    left = yield from ask_village_end(table, seat, card)
    table.remove_card(card)
    table.lay_faceup(card)
    table.add_to_village(me, seat, card, left)


@BULLET.card_value_rule(
    13, "Copycat", "At scoring, faceup or not: counts as the lowest of your other cards.", SOURCE_RECONSTRUCTED
)
def copycat(tally: Tally, seat: int, card: int) -> int:
    table, lowest = tally.table, 13
    for other in table.villages[seat]:
        if other == table.muted_card:
            return 0
        number = table.faces[other]
        if number != 13 and tally.card_value(seat, other) == number:  # no other Copycat, and no faceup Halfling (X7)
            lowest = min(lowest, number)
    return lowest


@BULLET.token_ability(can_use_covering_token)
def silver_bullet(table: Table, me: int, card: int, chain: int) -> Rule:
    table.cover_with_token(me, (yield from choose(table, table.own_moves(me))))
