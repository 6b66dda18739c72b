"""Decks in words."""

from functools import lru_cache

from argentum.rules.residents import BOXES, NUMBERS
from argentum.words.seating import listed


def counts(code: str) -> dict[str, int]:
    """How many numbers each box supplies."""
    return {box: code.count(box[0]) for box in BOXES}


@lru_cache(maxsize=1024)
def deck_words(code: str) -> str:
    """A deck in words.

    >>> deck_words("dddddddcdcddcd")
    "Dagger with Coin's 7, 9 and 12"
    >>> deck_words("bbbbbbbbbbbbbb")
    'Silver Bullet'
    """
    most = max(BOXES, key=lambda box: counts(code)[box])
    others = [box for box in BOXES if box != most and counts(code)[box]]
    if not others:
        return f"Silver {most.title()}"
    if counts(code)[most] < NUMBERS / 2:
        return f"A mix of {listed([box.title() for box in BOXES if counts(code)[box]])}"
    guests = [
        f"{box.title()}'s {listed([str(number) for number in range(NUMBERS) if code[number] == box[0]])}"
        for box in others
    ]
    return f"{most.title()} with {listed(guests)}"
