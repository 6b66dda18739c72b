# mypyc: compile, optimize
"""The result of an exchange: whether the cards match, and which leave or stay (G10, G11, D4).

The rules call these functions with the table; previews and bots call them with a
:func:`argentum.rules.known_table.known_table`, on which unknown cards have the number `UNKNOWN_NUMBER`.
"""

from collections.abc import Sequence
from typing import Final

from argentum.rules.residents import UNKNOWN_NUMBER, has_number
from argentum.rules.table import Table

DISCARD_PILE: Final = -1  # the usual destination of discards
PENALTY_SET_SIZE: Final = 3  # a failed exchange of at least this many cards adds a penalty card (G11)

MATCH: Final = "match"
DIFFER: Final = "differ"
UNSURE: Final = "unsure"  # depends on unknown cards


def match_state(numbers: list[int], wild: int, raising_cards: int = 0) -> str:
    """Return MATCH, DIFFER or UNSURE for cards with these numbers.

    Numbers in `wild`, a bit mask, count as any number (A13). Each of the `raising_cards`, active Lycans outside the
    set, can add 1 to one card (B1, X17).

    >>> match_state([7, 7], 0), match_state([6, 7], 0), match_state([6, 7], 0, 1), match_state([13, 7], 1 << 13)
    ('match', 'differ', 'match', 'match')
    """
    highest = total = plain_count = unknown_count = 0
    for number in numbers:
        if number == UNKNOWN_NUMBER:
            unknown_count += 1
        elif not has_number(wild, number):
            plain_count += 1
            total += number
            if number > highest:
                highest = number
    if highest * plain_count - total > raising_cards:
        return DIFFER  # Unknown cards cannot make up for known cards that differ.
    # A single unknown card matches any number of wild cards.
    return UNSURE if unknown_count and plain_count + unknown_count > 1 else MATCH


def leaving_indexes(numbers: list[int], clings: int) -> list[int]:
    """Return the indexes of those numbers of an exchange whose cards leave the village for the discard pile.

    A card in `clings`, a bit mask of numbers, leaves only if it is covered there by a lower number (D4). An unknown
    card is assumed not to cling, and not to be lower.

    >>> leaving_indexes([4, 4], 1 << 4), leaving_indexes([4, 13], 1 << 4), leaving_indexes([4, 3], 1 << 4)
    ([], [1], [0, 1])
    """
    if not clings:
        return list(range(len(numbers)))
    lowest = UNKNOWN_NUMBER
    for number in numbers:
        lowest = min(lowest, number)
    return [index for index, number in enumerate(numbers) if number > lowest or not has_number(clings, number)]


def discard_destination(table: Table, me: int) -> int:
    """Return the number of the active resident that redirects a seat's discards, or `DISCARD_PILE` (B3)."""
    hook = table.cast.redirects_discards
    if hook and table.has_active(me, hook):
        return next(table.faces[card] for card in table.villages[me] if table.is_active(card, hook))
    return DISCARD_PILE


def is_off_pile(table: Table, destination: int) -> bool:
    """Whether discards with this destination do not reach the discard pile (B3)."""
    return destination != DISCARD_PILE and table.cast.residents[destination].avoids_discard_pile


def set_match_state(table: Table, me: int, places: Sequence[int]) -> str:
    """Return whether the cards at these places match: MATCH or DIFFER, or UNSURE if that depends on unknown cards."""
    village, faces, raises = table.villages[me], table.faces, table.cast.raises_set_card
    raising_cards = 0
    if raises:
        for place, card in enumerate(village):
            if table.is_active(card, raises) and place not in places:
                raising_cards += 1
    return match_state([faces[village[place]] for place in places], table.cast.wild, raising_cards)


def leaving_places(table: Table, me: int, places: Sequence[int], destination: int) -> list[int]:
    """Return the places of the cards that leave in an exchange of the cards at `places`. The others cling (D4)."""
    if is_off_pile(table, destination):
        return list(places)
    village, faces = table.villages[me], table.faces
    indexes = leaving_indexes([faces[village[place]] for place in places], table.cast.clings)
    return [places[index] for index in indexes]
