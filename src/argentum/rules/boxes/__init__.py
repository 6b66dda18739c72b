"""The boxes, and the deck codes that mix them number by number (G1)."""

from random import Random
from typing import Final

from argentum.rules.boxes.amulet import AMULET
from argentum.rules.boxes.bullet import BULLET
from argentum.rules.boxes.coin import COIN
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.residents import BOXES, LETTERS, RESIDENTS_PER_BOX, Box, Cast, Resident

BOX_BY_LETTER: Final[dict[str, Box]] = {"a": AMULET, "b": BULLET, "c": COIN, "d": DAGGER}
RANDOM_DECK: Final = "random"  # stands for a deck code of its own for each game
_casts: dict[tuple[str, str], Cast] = {}


def deck_code(boxes: str) -> str:
    """The fourteen letters that a box's name or a deck code stands for.

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
    """The token that a deck brings: that of the box with the most numbers, at a tie the first in the alphabet (G1)."""
    return max(BOXES, key=lambda box: (code.count(box[0]), -BOXES.index(box)))


def cast_of(boxes: str, token: str = "") -> Cast:
    """The cast of a deck, with the deck's own token unless another is chosen."""
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
    """A deck code at random: each number from any of the boxes."""
    return "".join([random.choice(LETTERS) for _ in range(RESIDENTS_PER_BOX)])


def resolve_deck_code(boxes: str, random: Random) -> str:
    """The deck code of a new game: that of a box or a code, or one at random for :data:`ANY_DECK`.

    >>> code_for("coin", Random(1)), len(code_for(ANY_DECK, Random(1)))
    ('cccccccccccccc', 14)
    """
    return random_deck_code(random) if boxes.strip().lower() == RANDOM_DECK else deck_code(boxes)


def resident_of(box: str, number: int) -> Resident:
    """The resident of a box with this number.

    >>> resident_of("dagger", 8)
    <Magician (dagger 8)>
    """
    return BOX_BY_LETTER[box[0]].residents[number]


def residents() -> list[Resident]:
    """All fifty-six residents, box by box."""
    return [resident for box in BOX_BY_LETTER.values() for resident in box.residents]
