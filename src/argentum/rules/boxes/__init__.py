# mypyc: compile
"""The registry of boxes, and deck codes, which name the box of each card number (G1)."""

from functools import cache
from random import Random
from typing import Final

from argentum.rules.boxes.amulet import AMULET
from argentum.rules.boxes.bullet import BULLET
from argentum.rules.boxes.coin import COIN
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.residents import RESIDENTS_PER_BOX, Box, Cast, Resident

ALL_BOXES: Final[tuple[Box, ...]] = (AMULET, BULLET, COIN, DAGGER)
BOX_NAMES: Final[tuple[str, ...]] = tuple([box.name for box in ALL_BOXES])
BOX_LETTERS: Final[str] = "".join([box.letter for box in ALL_BOXES])
BOX_BY_NAME: Final[dict[str, Box]] = {box.name: box for box in ALL_BOXES}
BOX_BY_LETTER: Final[dict[str, Box]] = {box.letter: box for box in ALL_BOXES}
DEFAULT_BOX: Final = "dagger"
RANDOM_DECK: Final = "random"  # accepted instead of a deck code: a new random deck for each game


def box_index(name: str) -> int:
    """Return the position of a box in `ALL_BOXES`."""
    return BOX_NAMES.index(name)


def deck_code(boxes: str) -> str:
    """Normalize the name of a box or a deck code to a deck code; raise `ValueError` for other texts.

    >>> deck_code("dagger")
    'dddddddddddddd'
    >>> deck_code("DDDcdddddddddd")
    'dddcdddddddddd'
    """
    word = boxes.strip().lower()
    if word in BOX_BY_NAME:
        return BOX_BY_NAME[word].letter * RESIDENTS_PER_BOX
    if len(word) == RESIDENTS_PER_BOX and all([letter in BOX_LETTERS for letter in word]):
        return word
    names = ", ".join(BOX_NAMES)
    letters = f"{', '.join(BOX_LETTERS[:-1])} and {BOX_LETTERS[-1]}"
    raise ValueError(
        f"{boxes!r} names no deck: give a box ({names}) or a deck code of {RESIDENTS_PER_BOX} letters from {letters},"
        f" one for each number from 0 to {RESIDENTS_PER_BOX - 1}, such as 'dddcdddddddddd'"
    )


def default_token(code: str) -> str:
    """Return the name of the box with the most numbers in a deck code; on a tie, the first in `ALL_BOXES` (G1)."""
    return max(BOX_NAMES, key=lambda name: (code.count(BOX_BY_NAME[name].letter), -box_index(name)))


def cast_of(boxes: str, token: str = "") -> Cast:
    """Return the cast for the name of a box or a deck code.

    `token` names the box whose token is used, by default :func:`default_token`. Raise `ValueError` for unknown names.
    """
    code = deck_code(boxes)
    token = token.strip().lower() or default_token(code)
    if token not in BOX_BY_NAME:
        raise ValueError(f"{token!r} is not a token: choose one of {', '.join(BOX_NAMES)}")
    return _cached_cast(code, token)


@cache
def _cached_cast(code: str, token: str) -> Cast:
    return Cast(
        code, [BOX_BY_LETTER[letter].residents[number] for number, letter in enumerate(code)], BOX_BY_NAME[token]
    )


def random_deck_code(random: Random) -> str:
    """Return a deck code with a random box for each number."""
    return "".join([random.choice(BOX_LETTERS) for _ in range(RESIDENTS_PER_BOX)])


def resolve_deck_code(boxes: str, random: Random) -> str:
    """Return the deck code for the name of a box, a deck code, or `RANDOM_DECK`, which gives a random code.

    >>> resolve_deck_code("coin", Random(1)), len(resolve_deck_code(RANDOM_DECK, Random(1)))
    ('cccccccccccccc', 14)
    """
    return random_deck_code(random) if boxes.strip().lower() == RANDOM_DECK else deck_code(boxes)


def resident_of(box: str, number: int) -> Resident:
    """Return a resident by the name of its box and its number.

    >>> resident_of("dagger", 8)
    <Magician (dagger 8)>
    """
    return BOX_BY_NAME[box].residents[number]


def residents() -> list[Resident]:
    """Return the residents of all boxes, box by box."""
    return [resident for box in ALL_BOXES for resident in box.residents]
