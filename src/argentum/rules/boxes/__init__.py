# mypyc: compile
"""The registry of boxes, and deck codes, which name the box of each card number (G1)."""

from functools import cache
from random import Random
from typing import Final
from warnings import warn

from argentum.rules.boxes.amulet import AMULET
from argentum.rules.boxes.bullet import BULLET
from argentum.rules.boxes.coin import COIN
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.boxes.discovery import BoxWarning, RejectedBox, load_foreign_boxes
from argentum.rules.residents import RESIDENTS_PER_BOX, Box, Cast, Resident

PUBLISHED_BOXES: Final[tuple[Box, ...]] = (AMULET, BULLET, COIN, DAGGER)
_foreign = load_foreign_boxes(PUBLISHED_BOXES)
FOREIGN_BOXES: Final[tuple[Box, ...]] = tuple(_foreign.boxes)  # in the order of their letters
REJECTED_BOXES: Final[tuple[RejectedBox, ...]] = tuple(_foreign.rejected)
ALL_BOXES: Final[tuple[Box, ...]] = PUBLISHED_BOXES + FOREIGN_BOXES
BOX_NAMES: Final[tuple[str, ...]] = tuple([box.name for box in ALL_BOXES])
BOX_LETTERS: Final[str] = "".join([box.letter for box in ALL_BOXES])
BOX_BY_NAME: Final[dict[str, Box]] = {box.name: box for box in ALL_BOXES}
BOX_BY_LETTER: Final[dict[str, Box]] = {box.letter: box for box in ALL_BOXES}
TOKEN_NAMES: Final[tuple[str, ...]] = tuple([box.name for box in ALL_BOXES if box.has_token])
DEFAULT_BOX: Final = "dagger"
ALL_ADDED: Final = "all"  # in place of the name of a box to add to random decks
RANDOM_DECK: Final = "random"  # accepted instead of a deck code: a new random deck for each game


def own_residents(number: int) -> list[Resident]:
    """Return the residents with a number, in the order of `ALL_BOXES`; boxes that inherit theirs are left out."""
    return [box.residents[number] for box in ALL_BOXES if box.residents[number].letter == box.letter]


def box_index(name: str) -> int:
    """Return the position of a box in `ALL_BOXES`."""
    return BOX_NAMES.index(name)


def deck_code(boxes: str) -> str:
    """Normalize the name of a box or a deck code to a deck code; raise `ValueError` for other texts.

    A number whose resident a box inherits from its base gets the letter of the base.

    >>> deck_code("dagger")
    'dddddddddddddd'
    >>> deck_code("DDDcdddddddddd")
    'dddcdddddddddd'
    """
    word = boxes.strip().lower()
    code = BOX_BY_NAME[word].letter * RESIDENTS_PER_BOX if word in BOX_BY_NAME else word
    if len(code) == RESIDENTS_PER_BOX and all([letter in BOX_LETTERS for letter in code]):
        return "".join([BOX_BY_LETTER[letter].residents[number].letter for number, letter in enumerate(code)])
    unknown = ", ".join(sorted(set(code) - set(BOX_LETTERS)))
    cause = f", because no box here has the letter {unknown}" if len(code) == RESIDENTS_PER_BOX and unknown else ""
    names = ", ".join(BOX_NAMES)
    letters = f"{', '.join(BOX_LETTERS[:-1])} and {BOX_LETTERS[-1]}"
    raise ValueError(
        f"{boxes!r} names no deck{cause}: give a box ({names}) or a deck code of {RESIDENTS_PER_BOX} letters from"
        f" {letters}, one for each number from 0 to {RESIDENTS_PER_BOX - 1}, such as 'dddcdddddddddd'"
    )


def default_token(code: str) -> str:
    """Return the name of the box with the most numbers in a deck code; on a tie, the first in `ALL_BOXES` (G1).

    The whole deck of a box with a base has that box's token, although most of its numbers may be the base's.
    """
    for box in FOREIGN_BOXES:
        if box.has_token and code == deck_code(box.name):
            return box.name
    return max(TOKEN_NAMES, key=lambda name: (code.count(BOX_BY_NAME[name].letter), -box_index(name)))


def cast_of(boxes: str, token: str = "") -> Cast:
    """Return the cast for the name of a box or a deck code.

    `token` names the box whose token is used, by default :func:`default_token`. Raise `ValueError` for unknown names.
    """
    code = deck_code(boxes)
    token = token.strip().lower() or default_token(code)
    if token not in TOKEN_NAMES:
        raise ValueError(f"{token!r} is not a token: choose one of {', '.join(TOKEN_NAMES)}")
    return _cached_cast(code, token)


@cache
def _cached_cast(code: str, token: str) -> Cast:
    return Cast(
        code, [BOX_BY_LETTER[letter].residents[number] for number, letter in enumerate(code)], BOX_BY_NAME[token]
    )


def is_random_deck(boxes: str) -> bool:
    """Whether a text stands for random decks: `random`, or `random+NAME` with a box to add to the published ones.

    Several names may follow; `random+all` adds all boxes that are installed.
    """
    word = boxes.strip().lower()
    return word == RANDOM_DECK or word.startswith(f"{RANDOM_DECK}+")


def random_deck_letters(boxes: str = RANDOM_DECK) -> list[str]:
    """Return, for each number, the letters of the boxes from which random decks draw its resident.

    They are the published boxes, and those that `boxes` adds. Raise `ValueError` if one of these does not exist.
    """
    added = boxes.strip().lower().split("+")[1:]
    for name in added:
        if name not in BOX_BY_NAME and name != ALL_ADDED:
            raise ValueError(f"{boxes!r}: there is no box {name!r}; the boxes are {', '.join(BOX_NAMES)}")
    boxes_added = [box for box in FOREIGN_BOXES if box.name in added or ALL_ADDED in added]
    letters = "".join([box.letter for box in (*PUBLISHED_BOXES, *boxes_added)])
    return [
        "".join([resident.letter for resident in own_residents(number) if resident.letter in letters])
        for number in range(RESIDENTS_PER_BOX)
    ]


def random_deck_code(random: Random, boxes: str = RANDOM_DECK) -> str:
    """Return a deck code with a random box for each number; see :func:`random_deck_letters`."""
    return "".join([random.choice(letters) for letters in random_deck_letters(boxes)])


def resolve_deck_code(boxes: str, random: Random) -> str:
    """Return the deck code for the name of a box, a deck code, or `RANDOM_DECK`, which gives a random code.

    >>> resolve_deck_code("coin", Random(1)), len(resolve_deck_code(RANDOM_DECK, Random(1)))
    ('cccccccccccccc', 14)
    """
    return random_deck_code(random, boxes) if is_random_deck(boxes) else deck_code(boxes)


def resident_of(box: str, number: int) -> Resident:
    """Return a resident by the name of its box and its number.

    >>> resident_of("dagger", 8)
    <Magician (dagger 8)>
    """
    return BOX_BY_NAME[box].residents[number]


def residents() -> list[Resident]:
    """Return the residents of all boxes, box by box."""
    return [resident for box in ALL_BOXES for resident in box.own_residents]


def describe_foreign_boxes(cast: Cast) -> list[str]:
    """Describe each box of a deck or its token that is not published: name, letter and digest of the rules.

    Records and saved games contain these descriptions; :func:`check_foreign_box` reads them.
    """
    used = {BOX_BY_LETTER[letter].name for letter in cast.code} | {cast.token}
    return [f"{box.name} {box.letter} {box.digest}" for box in FOREIGN_BOXES if box.name in used]


def is_published(cast: Cast) -> bool:
    """Whether all residents and the token of a deck are of published boxes."""
    return not FOREIGN_BOXES or not describe_foreign_boxes(cast)


def check_foreign_box(description: str) -> None:
    """Raise `ValueError` if a box with this description is not installed; warn if its rules are different here."""
    words = description.lower().split()
    if len(words) != 3:
        raise ValueError(f"{description!r} does not describe a box: it has a name, a letter and a digest")
    name, letter, digest = words
    box = BOX_BY_NAME.get(name)
    if box is None or box.letter != letter:
        raise ValueError(
            f"this game needs the box {name!r} with the letter {letter!r}, which is not installed:"
            " install its package, or name its file by --box FILE"
        )
    if box.digest != digest:
        warn(
            f"the rules of the box {name!r} have changed since this game was saved (digest {digest}, now {box.digest}):"
            " its moves may be illegal or have other results",
            BoxWarning,
            stacklevel=2,
        )
