"""The registry of boxes, and the deck codes that mix their residents number by number (G1)."""

from random import Random
from typing import Final

from argentum.rules.boxes.amulet import AMULET
from argentum.rules.boxes.bullet import BULLET
from argentum.rules.boxes.coin import COIN
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.residents import BOXES, LETTERS, RESIDENTS_PER_BOX, Box, Cast, Resident

BOX_BY_LETTER: Final[dict[str, Box]] = {"a": AMULET, "b": BULLET, "c": COIN, "d": DAGGER}
RANDOM_DECK: Final = "random"  # each game gets a random deck code
_casts: dict[tuple[str, str], Cast] = {}


def deck_code(boxes: str) -> str:
    """Return the deck code, fourteen letters, of a box's name or of a deck code.

    >>> deck_code("dagger")
    'dddddddddddddd'
    >>> deck_code("DDDcdddddddddd")
    'dddcdddddddddd'
    """
    word = boxes.strip().lower()
    if word in BOXES:
        return word[0] * RESIDENTS_PER_BOX
    if len(word) == RESIDENTS_PER_BOX and all([letter in LETTERS for letter in word]):
        return word
    names = ", ".join(BOXES)
    raise ValueError(
        f"{boxes!r} names no deck: give a box ({names}) or a deck code of 14 letters from a, b, c and d,"
        f" one for each number from 0 to 13, such as 'dddcdddddddddd'"
    )


def default_token(code: str) -> str:
    """Return the token of a deck: that of the box with most numbers, at a tie the first in the alphabet (G1)."""
    return max(BOXES, key=lambda box: (code.count(box[0]), -BOXES.index(box)))


def cast_of(boxes: str, token: str = "") -> Cast:
    """Return the cast of a deck, with the deck's default token unless another is named."""
    code = deck_code(boxes)
    token = token.strip().lower() or default_token(code)
    if token not in BOXES:
        raise ValueError(f"{token!r} is not a token: choose one of {', '.join(BOXES)}")
    key = (code, token)
    if key not in _casts:
        residents = [BOX_BY_LETTER[letter].residents[number] for number, letter in enumerate(code)]
        _casts[key] = Cast(code, residents, BOX_BY_LETTER[token[0]])
    return _casts[key]


def random_deck_code(random: Random) -> str:
    """Return a random deck code: each number from any of the boxes."""
    return "".join([random.choice(LETTERS) for _ in range(RESIDENTS_PER_BOX)])


def resolve_deck_code(boxes: str, random: Random) -> str:
    """Return the deck code of a new game, which is random for :data:`RANDOM_DECK`.

    >>> resolve_deck_code("coin", Random(1)), len(resolve_deck_code(RANDOM_DECK, Random(1)))
    ('cccccccccccccc', 14)
    """
    return random_deck_code(random) if boxes.strip().lower() == RANDOM_DECK else deck_code(boxes)


def resident_of(box: str, number: int) -> Resident:
    """Return the resident of a box with this number.

    >>> resident_of("dagger", 8)
    <Magician (dagger 8)>
    """
    return BOX_BY_LETTER[box[0]].residents[number]


def residents() -> list[Resident]:
    """Return all residents, box by box."""
    return [resident for box in BOX_BY_LETTER.values() for resident in box.residents]
