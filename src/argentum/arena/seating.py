"""Who sits where: line-ups of bots, and all the orders in which each may sit."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, permutations
from math import ceil
from typing import TypeAlias

Seating: TypeAlias = tuple[str, ...]  # who sits at A, B and so on


def line_ups(names: Sequence[str], players: int) -> list[Seating]:
    """Who may play together: each bot sits at most once where there are enough bots, else each at least once.

    >>> line_ups(["steady", "novice"], 3)
    [('steady', 'steady', 'novice'), ('steady', 'novice', 'novice')]
    >>> line_ups(["random", "novice", "steady"], 2)
    [('random', 'novice'), ('random', 'steady'), ('novice', 'steady')]
    """
    if len(names) >= players:
        return list(combinations(names, players))
    return [one for one in combinations_with_replacement(names, players) if set(one) == set(names)]


def orders(line_up: Seating) -> list[Seating]:
    """Every order in which a line-up may sit.

    >>> orders(("steady", "steady", "novice"))
    [('steady', 'steady', 'novice'), ('steady', 'novice', 'steady'), ('novice', 'steady', 'steady')]
    """
    return list(dict.fromkeys(permutations(line_up)))


def deals_for(names: Sequence[str], players: int, games: int) -> int:
    """How many deals it takes until every line-up has played this many games.

    >>> deals_for(["steady", "novice"], 2, 200), deals_for(["steady", "novice"], 3, 200)
    (100, 67)
    """
    return ceil(games / min(len(orders(one)) for one in line_ups(names, players)))
