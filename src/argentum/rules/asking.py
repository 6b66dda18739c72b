"""Asking: what there is to choose from, and the choice.

Everything here that yields is a rule in the sense of :data:`argentum.rules.residents.Ask`.
"""

from collections.abc import Generator, Iterable
from typing import Final

from argentum.rules import events as ev
from argentum.rules.notation import AT_LEFT, AT_RIGHT, CARD, STOP
from argentum.rules.residents import Ask
from argentum.rules.table import EVERYBODY, Table

ENDS: Final = [AT_LEFT, AT_RIGHT]


def choose(options: list[int]) -> Generator[list[int], int, int]:
    """Ask for one of these moves; a single one is made at once (G22)."""
    return options[0] if len(options) == 1 else (yield options)


def cards_in(table: Table, seats: Iterable[int], up: int = -1) -> list[int]:
    """A move for each card of these villages that is not under the bullet: all, or those facing up (1) or down (0)."""
    found: list[int] = []
    for seat in seats:
        first = CARD + (seat << 6)
        for place, card in enumerate(table.villages[seat]):
            if card != table.bullet and (up < 0 or table.up[card] == up):
                found.append(first + place)
    return found


def any_in(table: Table, seats: Iterable[int], up: int = -1) -> bool:
    """Whether there is such a card."""
    for seat in seats:
        for card in table.villages[seat]:
            if card != table.bullet and (up < 0 or table.up[card] == up):
                return True
    return False


def everywhere(table: Table) -> Iterable[int]:
    """All seats."""
    return range(table.players)


def elsewhere(table: Table, me: int) -> list[int]:
    """All seats but one."""
    return [seat for seat in range(table.players) if seat != me]


# When an ability could be begun (G21): conditions that several residents share.


def always(table: Table, me: int, card: int, chain: int) -> bool:
    """There is always something to do; or the ruling lets it be used even where nothing comes of it (D11, D14)."""
    return True


def any_card(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a card in some village."""
    return any_in(table, everywhere(table))


def any_facedown(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a facedown card in some village."""
    return any_in(table, everywhere(table), 0)


def facedown_elsewhere(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a facedown card in another village."""
    return any_in(table, elsewhere(table, me), 0)


def own_touchable(table: Table, me: int, card: int, chain: int) -> bool:
    """There is a card of one's own to touch."""
    return table.touchable(me) > 0


def deck_left(table: Table, me: int, card: int, chain: int) -> bool:
    """The deck is not empty."""
    return bool(table.deck)


def movable(table: Table, me: int, seats: Iterable[int]) -> list[int]:
    """A move for each card of these villages that `me` may move (G23)."""
    return cards_in(table, [seat for seat in seats if not table.guarded(seat, me)])


def ask_end(table: Table, seat: int, without: int = -1) -> Generator[list[int], int, bool]:
    """Ask for an end of a village, left (true) or right; an empty one has none. (X9: ends `without` a card.)"""
    village = table.villages[seat]
    if not village or village == [without]:
        return False
    return (yield ENDS) == AT_LEFT


def look_at_up_to(table: Table, me: int, most: int) -> Ask:
    """Look at up to so many facedown cards, one after another, none twice (G21)."""
    options = cards_in(table, everywhere(table), 0)
    for turn in range(most):
        move = yield from choose(options)
        if move == STOP:
            return
        table.look(me, move)
        if turn == 0:
            options.append(STOP)
        options.remove(move)
        if options == [STOP]:
            return


def able(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether the draw ability of this card could be begun by `me` (G21)."""
    number = table.faces[card]
    if table.cast.drawn[number] is None:
        return False
    when = table.cast.residents[number].when
    return when is not None and when(table, me, card, chain)


def borrowable(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether `me` may use the draw ability of a card that it did not just draw (X1 to X4)."""
    number = table.faces[card]
    if table.cast.drawn[number] is None or chain >> card & 1:
        return False
    resident = table.cast.residents[number]
    if not resident.lent:
        return False
    if resident.stays:
        owner = table.owner(card)
        if owner >= 0 and table.guarded(owner, me):
            return False
    return resident.when is not None and resident.when(table, me, card, chain | 1 << card)


def use_draw_ability(table: Table, me: int, card: int, chain: int, where: int = -1) -> Ask:
    """Use the draw ability of a card, wherever it lies; everybody sees which (B3, X1)."""
    table.seen[card] = EVERYBODY
    table.tell(ev.USED, me, where, card)
    act = table.cast.drawn[table.faces[card]]
    if act is not None:
        yield from act(table, me, card, chain | 1 << card)
