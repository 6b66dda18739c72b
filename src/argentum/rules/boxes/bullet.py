"""Silver Bullet: its fourteen residents and its token.

The box's card reference is missing from the rulebooks we have. `source` says on what each text rests; who owns the box
and finds one wrong can correct it here.
"""

from collections.abc import Sequence

from argentum.rules import events as ev
from argentum.rules.asking import (
    SECOND,
    any_card,
    ask_end,
    borrowable,
    can_cover,
    cards_in,
    choose,
    deck_left,
    everywhere,
    movable,
    own_facedown,
    own_touchable,
    use_draw_ability,
)
from argentum.rules.asking import VILLAGE as WHICH_VILLAGE
from argentum.rules.notation import PASS, REMOVE, VILLAGE
from argentum.rules.residents import VILLAGE as IN_VILLAGE
from argentum.rules.residents import Ask, Box
from argentum.rules.scoring import Tally
from argentum.rules.shuffling import shuffle_in_round
from argentum.rules.table import EVERYBODY, Table

SEED = "implied by the rulebook's own words"
DESIGNER = "the designer's published words"
RECONSTRUCTED = "reconstructed from the best public evidence; unofficial"
FITS = "reconstructed from the best public evidence; unofficial, but it fits the rulebook's words"

BULLET = Box(
    "bullet",
    "Silver Bullet of Destruction",
    "Once, on your turn: put it on one of your own cards. Until the round ends nothing touches that"
    " card, and it counts 0.",
    SEED,
    covers=True,
    mutes=True,
)


@BULLET.closing(
    0,
    "Hunter",
    "Faceup at the end of the round: you may remove one card of your village before scoring.",
    RECONSTRUCTED,
)
def hunter(table: Table, me: int, card: int, chain: int) -> Ask:
    move = yield from choose(table, [*table.own(me, REMOVE), PASS])
    if move != PASS:
        gone = table.at(move)
        table.lift(gone)
        table.tell(ev.REMOVED, me, move & 255, gone, ev.OUT)


lycan = BULLET.add(
    1,
    "Lycan",
    IN_VILLAGE,
    "While faceup: the cards of a set that you exchange need not be quite equal. One of them may count 1 more.",
    DESIGNER,
)
lycan.raises = True


@BULLET.village(2, "Priest", "While faceup: once a turn, turn over one of your own cards.", own_touchable, source=SEED)
def priest(table: Table, me: int, card: int, chain: int) -> Ask:
    table.flip(me, (yield from choose(table, table.own(me))))


@BULLET.discarding(
    3,
    "Goth Girl",
    "While faceup: what you discard goes to the bottom of the deck instead of to the discard pile.",
    off_pile=True,
    source=RECONSTRUCTED,
)
def goth_girl(table: Table, me: int, stack: list[int]) -> int:
    table.to_deck_bottom(me, stack)
    return ev.TO_DECK


mortician = BULLET.add(
    4,
    "Mortician",
    IN_VILLAGE,
    "While faceup: when you exchange cards of your village, you may use the draw ability of one of them.",
    SEED,
)
mortician.buries = True


@BULLET.drawn(
    5,
    "Cow",
    "When drawn: turn the whole deck over, so that it lies the other way up.",
    deck_left,
    digs=True,
    source=FITS,
)
def cow(table: Table, me: int, card: int, chain: int) -> Ask:
    table.deck.reverse()
    table.deck_up = not table.deck_up
    table.show_deck()
    table.tell(ev.DECK_TURNED, me, -1, -1, 1 if table.deck_up else 0)
    yield from ()


@BULLET.drawn(6, "Instigator", "When drawn: turn over any one card of any village.", any_card, source=SEED)
def instigator(table: Table, me: int, card: int, chain: int) -> Ask:
    table.flip(me, (yield from choose(table, cards_in(table, me, everywhere(table)))))


@BULLET.drawn(7, "Insomniac", "When drawn: look at all your facedown cards.", own_facedown, source=RECONSTRUCTED)
def insomniac(table: Table, me: int, card: int, chain: int) -> Ask:
    for move in cards_in(table, me, [me], 0):
        table.look(me, move)
    yield from ()


def can_shuffle(table: Table, me: int, seat: int) -> bool:
    """Whether a shuffle could change anything: two facedown cards, or one to turn upright."""
    moves = cards_in(table, me, [seat], 0)
    return len(moves) > 1 or any([table.sideways >> table.at(move) & 1 for move in moves])


def any_shuffle(table: Table, me: int, card: int, chain: int) -> bool:
    return any([can_shuffle(table, me, seat) for seat in everywhere(table)])


@BULLET.drawn(
    8, "Thing", "When drawn: shuffle the facedown cards of one village among their spots.", any_shuffle, source=FITS
)
def thing(table: Table, me: int, card: int, chain: int) -> Ask:
    seats = [VILLAGE + seat for seat in everywhere(table) if can_shuffle(table, me, seat)]
    seat = (yield from choose(table, seats, WHICH_VILLAGE)) - VILLAGE
    cards = [table.at(move) for move in cards_in(table, me, [seat], 0)]
    if len(cards) == 1:  # who knew it still knows it
        table.sideways &= ~(1 << cards[0])
        table.note_shuffle(seat)
        table.tell(ev.SHUFFLED, me, -1, -1, seat)
        return
    sources = shuffled(table, seat, cards)
    numbers = [table.faces[one] for one in sources]
    used = [table.used >> one & 1 for one in sources]
    for nth, one in enumerate(cards):
        table.faces[one] = numbers[nth]
        table.sideways &= ~(1 << one)
        table.seen[one] = 0
        table.used = table.used & ~(1 << one) | used[nth] << one  # marks go with the card (G6, C1)
    mask = sum([1 << one for one in cards])
    table.blurred |= mask
    if table.passed & mask != mask:
        table.passed &= ~mask
    goes = dict(zip(sources, cards, strict=True))
    table.resting = tuple([(owner, goes.get(one, one), awaited) for owner, one, awaited in table.resting])
    table.note_shuffle(seat)
    table.tell(ev.SHUFFLED, me, -1, -1, seat)


def shuffled(table: Table, seat: int, cards: list[int]) -> list[int]:
    """How a shuffle comes out: the card that comes to the place of each of these; as it is given, or at random."""
    sources = cards[:]
    nth = len(table.outcomes)
    if nth >= len(table.given):
        shuffle_in_round(sources, table.seed, table.round, nth + 1)
        return sources
    given, village = table.given[nth], table.villages[seat]
    now = [table.faces[card] for card in village]
    if sorted(given) != sorted(now) or any([given[i] != now[i] for i, card in enumerate(village) if card not in cards]):
        raise ValueError(f"the given shuffle {_text(given)} is not an order of the village {_text(now)}")
    order: list[int] = []
    for card in cards:
        number = given[village.index(card)]
        order.append(next(one for one in sources if table.faces[one] == number))
        sources.remove(order[-1])
    return order


def _text(numbers: Sequence[int]) -> str:
    return " ".join([str(number) for number in numbers])


def lenders(table: Table, me: int, chain: int) -> list[int]:
    """The faceup cards whose draw ability a Marksman may use."""
    return [move for move in cards_in(table, me, everywhere(table), 1) if borrowable(table, me, table.at(move), chain)]


def any_lender(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(lenders(table, me, chain))


@BULLET.drawn(
    9,
    "Marksman",
    "When drawn: use the draw ability of one faceup card of any village.",
    any_lender,
    digs=True,
    source=RECONSTRUCTED,
)
def marksman(table: Table, me: int, card: int, chain: int) -> Ask:
    move = yield from choose(table, lenders(table, me, chain))
    yield from use_draw_ability(table, me, table.at(move), chain, move & 255)


@BULLET.drawn(
    10,
    "Count",
    "When drawn: turn the deck's top ten cards, one by one, onto the discard pile.",
    deck_left,
    digs=True,
    source=SEED,
)
def count(table: Table, me: int, card: int, chain: int) -> Ask:
    for _ in range(min(10, len(table.deck))):
        top = table.deck.pop()
        table.to_discard(top)
        table.tell(ev.COUNTED, me, -1, top)
    table.show_deck()
    while table.discard and table.up >> table.discard[-1] & 1 and table.clings(table.discard[-1]):  # D4, X9
        left = yield from ask_end(table, me)
        table.add(me, me, table.discard.pop(), left)


def two_villages(table: Table, me: int, card: int, chain: int) -> bool:
    return len([seat for seat in everywhere(table) if movable(table, me, [seat])]) >= 2


@BULLET.drawn(
    11,
    "Troublemaker",
    "When drawn: switch a card of one village with a card of another, any two.",
    two_villages,
    source=RECONSTRUCTED,
)
def troublemaker(table: Table, me: int, card: int, chain: int) -> Ask:
    options = movable(table, me, everywhere(table))
    first = yield from choose(table, options)
    seat = first >> 6 & 3
    table.switch(me, first, (yield from choose(table, [move for move in options if move >> 6 & 3 != seat], SECOND)))


def hosts(table: Table, me: int, card: int) -> list[int]:
    """The villages that a Gremlin may go to: where nothing keeps it out and it would not just stay."""
    return [
        VILLAGE + seat for seat in everywhere(table) if not table.closed(seat, me) and table.villages[seat] != [card]
    ]


def any_host(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(hosts(table, me, card))


@BULLET.drawn(
    12, "Gremlin", "When drawn: put it faceup at either end of any village.", any_host, joins=True, source=RECONSTRUCTED
)
def gremlin(table: Table, me: int, card: int, chain: int) -> Ask:
    seat = (yield from choose(table, hosts(table, me, card), WHICH_VILLAGE)) - VILLAGE
    left = yield from ask_end(table, seat, card)
    table.lift(card)
    table.up |= 1 << card
    table.seen[card] = EVERYBODY
    table.add(me, seat, card, left)


@BULLET.counting(13, "Copycat", "At scoring, faceup or not: counts as the lowest of your other cards.", RECONSTRUCTED)
def copycat(tally: Tally, seat: int, card: int) -> int:
    table, lowest = tally.table, 13
    for one in table.villages[seat]:
        if one == table.muted:
            return 0
        number = table.faces[one]
        if number != 13 and tally.counted(seat, one) == number:  # no other Copycat, and no faceup Halfling (X7)
            lowest = min(lowest, number)
    return lowest


@BULLET.token_ability(can_cover)
def silver_bullet(table: Table, me: int, card: int, chain: int) -> Ask:
    table.cover(me, (yield from choose(table, table.own(me))))
