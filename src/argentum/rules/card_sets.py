# mypyc: compile
"""Arithmetic of matching sets (G10), on card numbers only."""

from collections.abc import Iterable
from typing import Final

from argentum.rules.residents import has_number

PENALTY_SET_SIZE: Final = 3  # a failed exchange of at least this many cards adds a penalty card (G11)


def missing_points(numbers: Iterable[int], wild: int) -> int:
    """Return how much must be added to raise all numbers to the highest; wild numbers match any (A13).

    >>> missing_points([7, 7], 0), missing_points([5, 7, 6], 0), missing_points([13, 7], 1 << 13)
    (0, 3, 0)
    """
    highest = total = plain_count = 0
    for number in numbers:
        if not has_number(wild, number):
            plain_count += 1
            total += number
            if number > highest:
                highest = number
    return highest * plain_count - total


def stays_in_village(number: int, lowest: int, clings: int) -> bool:
    """Whether a card of an exchange stays, because it clings and would come to lie on top of the discard pile (D4).

    `lowest` is the lowest number of the exchange, `clings` a bit mask of numbers.
    """
    return has_number(clings, number) and number <= lowest
