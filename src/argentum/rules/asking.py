"""Asking: what there is to choose from, and the choice.

What is asked is public data. The table says by which resident or rule (`asker`, its label), at which `step`, and what
was `picked` in answer to it so far; :func:`choose` and :func:`ask` set it. Everything here that yields is a rule in the
sense of :data:`argentum.rules.residents.Ask`.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Final

from argentum.rules import events as ev
from argentum.rules.fast_lists import drop
from argentum.rules.notation import AT_LEFT, AT_RIGHT, CARD, STOP
from argentum.rules.residents import Ask
from argentum.rules.table import EVERYBODY, TAKEN, Table

if TYPE_CHECKING:
    from mypy_extensions import i64  # for locals: compiled, a number of the machine; else they are never evaluated

ENDS: Final = [AT_LEFT, AT_RIGHT]
ALL_SEATS: Final = [list(range(players)) for players in range(5)]  # by players; made once, for they are often asked for
OTHER_SEATS: Final = [[[seat for seat in seats if seat != me] for me in seats] for seats in ALL_SEATS]  # and by seat

# The questions of a turn, and those of an ability.
LOOK: Final = "look"  # a card of the first look (G4)
ACTION: Final = "action"  # the main action, or what may be used before it (G5)
HAND: Final = "hand"  # what becomes of the card in hand (G7, G8)
MORE: Final = "more"  # another card of the set that is being named, or that it is whole (G10)
SPOT: Final = "spot"  # the spot for the card in hand (G10)
END: Final = "end"  # an end of a village for a card
PENALTY: Final = "penalty"  # an end for the deck's top card after a failed exchange (G11)
CLOSE: Final = "close"  # what may be used after the main action (G24)
FIRST: Final = "card"  # a card: the only one, or the first of several
SECOND: Final = "second"  # the next card, which another thing is done to
ANOTHER: Final = "another"  # one more card for the same, or no more
VILLAGE: Final = "village"
WAY: Final = "way"  # a direction
USE: Final = "use"  # an ability to use, or none; or to use one or switch its card
KEEP: Final = "keep"  # which card of the deck comes into hand (A4)
STEPS: Final = (
    LOOK, ACTION, HAND, MORE, SPOT, END, PENALTY, CLOSE, FIRST, SECOND, ANOTHER, VILLAGE, WAY, USE, KEEP,
)  # fmt: skip


def choose(table: Table, options: list[int], step: str = FIRST) -> Generator[list[int], int, int]:
    """Ask for one of these moves, as a question of the ability at work; a single one is made at once (G22)."""
    if table.cast.settles:
        table.settle()
    move = options[0]
    if len(options) > 1:
        table.step = step
        move = yield options
    table.picked = (*table.picked, move)
    return move


def ask(
    table: Table, options: list[int], label: str, step: str, picked: tuple[int, ...] = ()
) -> Generator[list[int], int, int]:
    """Ask for one of these moves, as a question of a rule that is not the ability at work."""
    table.settle()
    asker, before = table.asker, table.picked
    table.asker, table.step, table.picked = label, step, picked
    move = yield options
    table.asker, table.picked = asker, before
    return move


def choose_of_discard(table: Table, options: list[int], places: list[int]) -> Generator[list[int], int, int]:
    """Ask for one of these moves, in which 1, 2 ... stand for the cards at these places of the discard pile."""
    table.reach = tuple(places)
    move = yield from choose(table, options, USE)
    table.reach = ()
    return move


def at_work(table: Table, label: str, act: Ask) -> Ask:
    """Let an ability ask: until it is done, the questions are its own."""
    asker, before = table.asker, table.picked
    table.asker, table.picked = label, ()
    yield from act
    if table.cast.settles:
        table.settle()
    table.asker, table.picked = asker, before


# Cards to choose from, and whether there are any.


def cards_in(table: Table, me: int, seats: list[int], up: int = -1) -> list[int]:
    """A move for each card of these villages that `me` may touch: all, or those facing up (1) or down (0)."""
    found: list[int] = []
    protects = table.cast.protects
    faceup: i64 = table.up
    card: i64
    for seat in seats:
        first = CARD + (seat << 6)
        for place, card in enumerate(table.villages[seat]):
            free = card != table.covered and (not protects or table.touches(me, seat, card))
            if free and (up < 0 or faceup >> card & 1 == up):
                found.append(first + place)
    return found


def any_in(table: Table, me: int, seats: list[int], up: int = -1) -> bool:
    """Whether there is such a card."""
    protects = table.cast.protects
    faceup: i64 = table.up
    card: i64
    for seat in seats:
        for card in table.villages[seat]:
            free = card != table.covered and (not protects or table.touches(me, seat, card))
            if free and (up < 0 or faceup >> card & 1 == up):
                return True
    return False


def movable(table: Table, me: int, seats: list[int]) -> list[int]:
    """A move for each card of these villages that `me` may move (G23)."""
    return cards_in(table, me, [seat for seat in seats if not table.closed(seat, me)])


def everywhere(table: Table) -> list[int]:
    """All seats, to be looked at only."""
    return ALL_SEATS[table.players]


def elsewhere(table: Table, me: int) -> list[int]:
    """All seats but one, to be looked at only."""
    return OTHER_SEATS[table.players][me]


# When an ability could be begun (G21): conditions that several residents share.


def always(table: Table, me: int, card: int, chain: int) -> bool:
    """There is always something to do; or the ruling lets it be used even where nothing comes of it (D11, D14)."""
    return True


def any_card(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a card in some village."""
    return any_in(table, me, everywhere(table))


def any_facedown(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a facedown card in some village."""
    return any_in(table, me, everywhere(table), 0)


def facedown_elsewhere(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a facedown card in another village."""
    return any_in(table, me, elsewhere(table, me), 0)


def own_facedown(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a facedown card of one's own."""
    return any_in(table, me, [me], 0)


def own_touchable(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a card of one's own to touch."""
    return table.touchable(me) > 0


def deck_left(table: Table, me: int, card: int, chain: int) -> bool:
    """The deck is not empty."""
    return bool(table.deck)


def last_for_hand(table: Table, me: int) -> bool:
    """Whether a taken card is in hand that could be exchanged for only one card, which must stay for it (G8)."""
    return table.held == TAKEN and table.touchable(me) == 1


def can_cover(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a card of one's own that a token could be put on (B14, A14, G8)."""
    return table.touchable(me) > 0 and not last_for_hand(table, me)


# Questions that several residents ask.


def ask_end(table: Table, seat: int, without: int = -1) -> Generator[list[int], int, bool]:
    """Ask for an end of a village, left (true) or right; an empty one has none. (X9: ends `without` a card.)"""
    village = table.villages[seat]
    if not village or village == [without]:
        return False
    return (yield from choose(table, ENDS, END)) == AT_LEFT


def look_at_up_to(table: Table, me: int, most: int, seats: list[int]) -> Ask:
    """Look at up to so many facedown cards of these villages, one after another, none twice (G21)."""
    options = cards_in(table, me, seats, 0)
    for turn in range(most):
        move = yield from choose(table, options, ANOTHER if turn else FIRST)
        if move == STOP:
            return
        table.look(me, move)
        if turn == 0:
            options.append(STOP)
        drop(options, move)
        if options == [STOP]:
            return


# Draw abilities, one's own and borrowed.


def able(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether the draw ability of this card could be begun by `me` (G21)."""
    number = table.faces[card]
    if table.cast.drawn[number] is None:
        return False
    when = table.cast.residents[number].when
    return when is not None and when(table, me, card, chain)


def borrowable(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether `me` may use the draw ability of a card that it did not just draw (X1 to X4, X18)."""
    number = table.faces[card]
    if table.cast.drawn[number] is None or chain >> card & 1:
        return False
    resident = table.cast.residents[number]
    if not resident.lent:
        return False
    owner = table.owner(card)
    if owner >= 0 and (not table.touches(me, owner, card) or (resident.joins and table.closed(owner, me))):
        return False
    return resident.when is not None and resident.when(table, me, card, chain | 1 << card)


def use_draw_ability(table: Table, me: int, card: int, chain: int, where: int = -1) -> Ask:
    """Use the draw ability of a card, wherever it lies; everybody sees which (B3, X1)."""
    table.seen[card] = EVERYBODY
    table.tell(ev.USED, me, where, card)
    number = table.faces[card]
    act = table.cast.drawn[number]
    assert act is not None
    return at_work(table, table.cast.labels[number], act(table, me, card, chain | 1 << card))
