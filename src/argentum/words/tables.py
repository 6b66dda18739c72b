"""A table in two short lines, for a list of one's tables."""

from collections.abc import Sequence

INVITATION = "Invitation link"
FOR_ONLOOKERS = "Link for onlookers"
ORDINALS = ("first", "second", "third", "fourth")


def tab_title(name: str, turn: bool) -> str:
    """The title of a table's tab in the browser.

    >>> tab_title("quiet-owl", True)
    'Your turn · Argentum, quiet-owl'
    """
    return f"{'Your turn · ' if turn else ''}Argentum, {name}"


def company(others: Sequence[str]) -> str:
    """Who else is at a table."""
    return ", ".join(others) or "nobody else yet"


def gathering(free: int) -> str:
    """How a table stands before its game.

    >>> gathering(0), gathering(1), gathering(2)
    ('ready to start', 'waiting for 1 friend', 'waiting for 2 friends')
    """
    return f"waiting for {free} {'friend' if free == 1 else 'friends'}" if free else "ready to start"


def playing(turn: bool, watching: bool) -> str:
    """How a table stands during its game."""
    return "your turn" if turn else "watching" if watching else "playing"


def finished(rank: int) -> str:
    """How a game ended for whoever came first, second, …; for an onlooker the rank is 0.

    >>> finished(2), finished(0)
    ('finished, you came second', 'finished')
    """
    return f"finished, you came {ORDINALS[rank - 1]}" if rank else "finished"


def course(round: int, rounds: int, others: Sequence[str]) -> str:
    """How far a game is, and with whom.

    >>> course(2, 4, ["Bo", "Cy"])
    'Round 2 of 4 · Bo, Cy'
    """
    return f"Round {round} of {rounds} · {company(others)}"


def totals(rows: Sequence[tuple[str, int, bool]]) -> str:
    """The result: each name with its points, and whether it is the reader's own.

    >>> totals([("Bo", 31, False), ("Ann", 40, True)])
    'Bo 31, you 40'
    """
    return ", ".join([f"{'you' if yours else name} {total}" for name, total, yours in rows])
