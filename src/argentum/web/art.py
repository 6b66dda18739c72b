"""The pictures on the cards: one sheet of icons for each deck, so that a page loads the residents it can meet."""

import json
from functools import cache, lru_cache
from importlib.resources import files

from argentum.rulebook.card_art import gallery
from argentum.rules.residents import LETTERS, NUMBERS

EVERYBODY = "all"  # the sheet of the lobby and the rules pages
LONGEST = 60  # of the code of a sheet that names its icons


@cache
def icons() -> dict[str, dict[str, str]]:
    """The icons of the gallery by their names: `body` is SVG on a square of 512, `author` who drew it."""
    source = files("argentum.web").joinpath("static", "icons.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(source)
    return found


@cache
def authors() -> dict[str, tuple[str, ...]]:
    """Who drew the icons, and which.

    >>> sorted(authors())
    ['Carl Olsen', 'Cathelineau', 'DarkZaitzev', 'Delapouite', 'Lorc']
    """
    drawn: dict[str, list[str]] = {}
    for name, icon in icons().items():
        drawn.setdefault(icon["author"], []).append(name.replace("-", " "))
    return {author: tuple(names) for author, names in sorted(drawn.items())}


@lru_cache(maxsize=64)
def sprite(code: str) -> str:
    """The sheet of a deck code's residents and a token, or of everybody and all tokens: SVG symbols named by label.

    The letter of the token follows the deck code; without it the sheet has all four. A page that shows only a few
    names them instead: `D0-C1-D14`.

    >>> '<symbol id="C3"' in sprite("dddcdddddddddd"), '<symbol id="D3"' in sprite("dddcdddddddddd")
    (True, False)
    >>> '<symbol id="C14"' in sprite("dddcddddddddddc"), '<symbol id="D14"' in sprite("dddcddddddddddc")
    (True, False)
    >>> sprite("D0-C1-D14").count("<symbol")
    3
    """
    tokens = LETTERS
    if "-" in code and len(code) <= LONGEST and not set(code.split("-")) - set(gallery()):
        labels, tokens = code.split("-"), ""
    elif code == EVERYBODY:
        labels = [f"{letter.upper()}{number}" for letter in LETTERS for number in range(NUMBERS)]
    elif len(code) in (NUMBERS, NUMBERS + 1) and not code.strip(LETTERS):
        labels = [f"{letter.upper()}{number}" for number, letter in enumerate(code[:NUMBERS])]
        tokens = code[NUMBERS:] or LETTERS
    else:
        raise ValueError(f"{code!r} is not a deck code: it has {NUMBERS} letters from {', '.join(LETTERS)}")
    labels += [f"{letter.upper()}{NUMBERS}" for letter in tokens]
    symbols = [
        f'<symbol id="{label}" viewBox="0 0 512 512">{icons()[gallery()[label].icon]["body"]}</symbol>'
        for label in labels
    ]
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>"])
