"""Silver Bullet: its fourteen residents and its token.

The box's card reference is missing from the rulebooks we have. `source` says on what each text rests; who owns the box
and finds one wrong can correct it here.
"""

from collections.abc import Sequence

from argentum.rules import events as ev
from argentum.rules.asking import (
    any_card,
    any_in,
    ask_end,
    borrowable,
    cards_in,
    choose,
    deck_left,
    everywhere,
    movable,
    own_touchable,
    use_draw_ability,
)
from argentum.rules.notation import PASS, REMOVE, VILLAGE
from argentum.rules.residents import SCORING, Ask, Box
from argentum.rules.residents import VILLAGE as IN_VILLAGE
from argentum.rules.table import EVERYBODY, Table, shuffle, stream
from argentum.rules.turns import last_for_hand

SEED = "implied by the rulebook's own words"
DESIGNER = "the designer's published words"
RECONSTRUCTED = "reconstructed from the best public evidence; unofficial"
FITS = "reconstructed from the best public evidence; unofficial, but it fits the rulebook's words"

BULLET = Box(
    "bullet",
    "Silver Bullet of Destruction",
    "Once, on your turn: put it on one of your own cards. Until the round ends nothing touches that"
    " card, and it counts 0.",
)


@BULLET.closing(
    0,
    "Hunter",
    "Faceup at the end of the round: you may remove one card of your village before scoring.",
    RECONSTRUCTED,
)
def hunter(table: Table, me: int, card: int, chain: int) -> Ask:
    move = yield from choose([*table.own(me, REMOVE), PASS])
    if move != PASS:
        gone = table.at(move)
        table.lift(gone)
        table.tell(ev.REMOVED, me, move & 255, gone, ev.OUT)


BULLET.add(
    1,
    "Lycan",
    IN_VILLAGE,
    "While faceup: when you exchange a set, it may raise the number of one of its cards by 1.",
    DESIGNER,
)


@BULLET.village(2, "Priest", "While faceup: once a turn, turn over one of your own cards.", own_touchable, source=SEED)
def priest(table: Table, me: int, card: int, chain: int) -> Ask:
    table.flip(me, (yield from choose(table.own(me))))


BULLET.add(
    3,
    "Goth Girl",
    IN_VILLAGE,
    "While faceup: what you discard goes to the bottom of the deck instead of to the discard pile.",
    RECONSTRUCTED,
)
BULLET.add(
    4,
    "Mortician",
    IN_VILLAGE,
    "While faceup: when you exchange cards of your village, you may use the draw ability of one of them.",
    SEED,
)


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
    table.flip(me, (yield from choose(cards_in(table, everywhere(table)))))


def own_facedown(table: Table, me: int, card: int, chain: int) -> bool:
    return any_in(table, [me], 0)


@BULLET.drawn(7, "Insomniac", "When drawn: look at all your facedown cards.", own_facedown, source=RECONSTRUCTED)
def insomniac(table: Table, me: int, card: int, chain: int) -> Ask:
    for move in cards_in(table, [me], 0):
        table.look(me, move)
    yield from ()


def can_shuffle(table: Table, seat: int) -> bool:
    """Whether a shuffle could change anything: two facedown cards, or one to turn upright."""
    moves = cards_in(table, [seat], 0)
    return len(moves) > 1 or any([table.side[table.at(move)] == 1 for move in moves])


def any_shuffle(table: Table, me: int, card: int, chain: int) -> bool:
    return any([can_shuffle(table, seat) for seat in everywhere(table)])


@BULLET.drawn(
    8, "Thing", "When drawn: shuffle the facedown cards of one village among their spots.", any_shuffle, source=FITS
)
def thing(table: Table, me: int, card: int, chain: int) -> Ask:
    seats = [VILLAGE + seat for seat in everywhere(table) if can_shuffle(table, seat)]
    seat = (yield from choose(seats)) - VILLAGE
    cards = [table.at(move) for move in cards_in(table, [seat], 0)]
    sources = shuffled(table, seat, cards)
    numbers = [table.faces[one] for one in sources]
    used = [table.used >> one & 1 for one in sources]
    for nth, one in enumerate(cards):
        table.faces[one] = numbers[nth]
        table.side[one] = 0
        table.seen[one] = 0
        table.used = table.used & ~(1 << one) | used[nth] << one  # marks go with the card (G6, C1)
    mask = sum([1 << one for one in cards])
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
        shuffle(sources, stream(table.seed, table.round, nth + 1))
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
    return [move for move in cards_in(table, everywhere(table), 1) if borrowable(table, me, table.at(move), chain)]


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
    move = yield from choose(lenders(table, me, chain))
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
        table.to_pile(top)
        table.tell(ev.COUNTED, me, -1, top)
    table.show_deck()
    while table.pile and table.up[table.pile[-1]] and table.is_zombie(table.pile[-1]):  # D4, X9
        left = yield from ask_end(table, me)
        table.add(me, me, table.pile.pop(), left)


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
    first = yield from choose(options)
    seat = first >> 6 & 3
    table.switch(me, first, (yield from choose([move for move in options if move >> 6 & 3 != seat])))


def hosts(table: Table, me: int, card: int) -> list[int]:
    """The villages that a Gremlin may go to: where nothing keeps it out and it would not just stay."""
    return [
        VILLAGE + seat for seat in everywhere(table) if not table.guarded(seat, me) and table.villages[seat] != [card]
    ]


def any_host(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(hosts(table, me, card))


@BULLET.drawn(
    12, "Gremlin", "When drawn: put it faceup at either end of any village.", any_host, stays=True, source=RECONSTRUCTED
)
def gremlin(table: Table, me: int, card: int, chain: int) -> Ask:
    seat = (yield from choose(hosts(table, me, card))) - VILLAGE
    left = yield from ask_end(table, seat, card)
    table.lift(card)
    table.up[card] = 1
    table.seen[card] = EVERYBODY
    table.add(me, seat, card, left)


# What a Copycat counts is settled before the sums are changed: see Tally.
BULLET.add(
    13, "Copycat", SCORING, "At scoring, faceup or not: counts as the lowest of your other cards.", RECONSTRUCTED
)


def can_cover(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable(me) > 0 and not last_for_hand(table, me)


@BULLET.token_ability(can_cover)
def silver_bullet(table: Table, me: int, card: int, chain: int) -> Ask:
    where = yield from choose(table.own(me))
    table.bullet = table.at(where)
    table.tell(ev.COVERED, me, where & 255)
