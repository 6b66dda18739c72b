"""Table names, default and cleaned player names."""

import unicodedata
from typing import Final

from argentum.display.errors import Refused
from argentum.rules.game import check_name
from argentum.words import errors as why

NAMES: Final = ("Ash", "Bramble", "Cinder", "Drift")  # by seat

LONGEST_NAME = 20
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that show nothing


def clean_name(name: object) -> str:
    """A name as it is shown: one short printable line."""
    if not isinstance(name, str):
        raise Refused(why.NAME)
    short = " ".join(unicodedata.normalize("NFC", name).split())[:LONGEST_NAME].strip()
    if not any([unicodedata.category(one)[0] in "LNPS" and one not in BLANKS for one in short]) or BLANKS & set(short):
        raise Refused(why.BLANK_NAME)
    try:
        check_name(short)
    except ValueError as error:
        raise Refused(str(error)) from None
    return short


def unused(name: str, taken: set[str]) -> str:
    """The name, with a number behind it if somebody has it already."""
    if name.casefold() not in taken:
        return name
    return next(other for nth in range(2, 9) if (other := f"{name[: LONGEST_NAME - 2]} {nth}").casefold() not in taken)
