"""Names of tables and players: new and default names, and the cleaning of chosen ones."""

import re
import unicodedata
from collections.abc import Container, Iterator
from random import SystemRandom
from typing import Final

from argentum.display.errors import Refused
from argentum.rules.game import check_name
from argentum.words import errors

ADJECTIVES = """
amber ancient ashen autumn bold brave calm clever cosy crimson curious dapper dusky early fabled faint gentle gilded
golden grand hidden hollow humble jolly keen kindly little lofty loyal lucky merry mellow mossy nimble noble pale
patient proud quiet rustic shy silent silken sleepy sly snowy solemn starry stormy subtle sunny sweet tender twilit
velvet wandering warm wild windy wise wistful witty woven young
"""
NOUNS = """
acorn alder arch badger barn beech bell birch bough bridge candle cellar chapel cloak cottage cricket crow dormouse
ember falcon fern ferry fiddle fox gate goose hare harp hawk hazel heath hedge heron hill inn ivy lantern lark lynx
marten meadow mill moon moth nettle oak orchard otter owl pine plum pond quill raven reed robin rook rowan sable
shire sparrow spindle stag stoat swan thistle thorn tower vole well willow wren yew
"""
TABLE_NAME = re.compile(r"[a-z]{2,12}-[a-z]{2,12}(-\d{1,6})?")  # names of any other form do not exist

DEFAULT_PLAYER_NAMES: Final = ("Ash", "Bramble", "Cinder", "Drift")  # by seat

MAX_NAME_LENGTH = 20
INVISIBLE_CHARACTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols without a visible glyph


def new_table_names(taken: Container[str]) -> Iterator[str]:
    """Yield table names that are not taken. They are hard to guess, because a name is enough to find a table."""
    random = SystemRandom()
    while True:
        words = f"{random.choice(ADJECTIVES.split())}-{random.choice(NOUNS.split())}"
        name = f"{words}-{random.randrange(100_000, 1_000_000)}"
        if name not in taken:
            yield name


def clean_name(name: object) -> str:
    """Return a player name, normalized and truncated; raise `Refused` if it is not text, invisible or invalid."""
    if not isinstance(name, str):
        raise Refused(errors.INVALID_NAME)
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())[:MAX_NAME_LENGTH].strip()
    if not any(
        [
            unicodedata.category(character)[0] in "LNPS" and character not in INVISIBLE_CHARACTERS
            for character in cleaned
        ]
    ) or INVISIBLE_CHARACTERS & set(cleaned):
        raise Refused(errors.BLANK_NAME)
    try:
        check_name(cleaned)
    except ValueError:
        raise Refused(errors.UNPRINTABLE_NAME) from None
    return cleaned


def unique_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number appended if it is taken; `taken` contains case-folded names."""
    if name.casefold() not in taken:
        return name
    return next(
        other for number in range(2, 9) if (other := f"{name[: MAX_NAME_LENGTH - 2]} {number}").casefold() not in taken
    )
