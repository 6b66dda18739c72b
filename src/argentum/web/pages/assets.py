"""Digests of assets in URLs, cache headers, icon sheets."""

import re
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files

from argentum.rulebook.card_art import all_card_art, icons
from argentum.rules.boxes import BOX_LETTERS
from argentum.rules.residents import RESIDENTS_PER_BOX

ALL_RESIDENTS = "all"  # the sheet of the lobby and the rules pages
MAX_SHEET_NAME = 60  # of the code of a sheet that names its icons


@cache
def icon_authors() -> dict[str, tuple[str, ...]]:
    """Who drew the icons, and which.

    >>> sorted(authors())
    ['Carl Olsen', 'Cathelineau', 'DarkZaitzev', 'Delapouite', 'Lorc']
    """
    drawn: dict[str, list[str]] = {}
    for name, icon in icons().items():
        drawn.setdefault(icon["author"], []).append(name.replace("-", " "))
    return {author: tuple(names) for author, names in sorted(drawn.items())}


@lru_cache(maxsize=64)
def icon_sheet(code: str) -> str:
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
    tokens = BOX_LETTERS
    if "-" in code and len(code) <= MAX_SHEET_NAME and not set(code.split("-")) - set(all_card_art()):
        labels, tokens = code.split("-"), ""
    elif code == ALL_RESIDENTS:
        labels = [f"{letter.upper()}{number}" for letter in BOX_LETTERS for number in range(RESIDENTS_PER_BOX)]
    elif len(code) in (RESIDENTS_PER_BOX, RESIDENTS_PER_BOX + 1) and not code.strip(BOX_LETTERS):
        labels = [f"{letter.upper()}{number}" for number, letter in enumerate(code[:RESIDENTS_PER_BOX])]
        tokens = code[RESIDENTS_PER_BOX:] or BOX_LETTERS
    else:
        raise ValueError(
            f"{code!r} is not a deck code: it has {RESIDENTS_PER_BOX} letters from {', '.join(BOX_LETTERS)}"
        )
    labels += [f"{letter.upper()}{RESIDENTS_PER_BOX}" for letter in tokens]
    symbols = [
        f'<symbol id="{label}" viewBox="0 0 512 512">{icons()[all_card_art()[label].icon]["body"]}</symbol>'
        for label in labels
    ]
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>"])


CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"  # a browser may keep it, but asks whether it has changed
ASSET_LINK = re.compile(r'((?:href|src)="/static/)([\w./-]+\.(?:css|js))"')


@cache
def asset_digest(path: str) -> str:
    """The version of a static file; empty if there is none of that name."""
    file = files("argentum.web") / "static" / path
    return sha256(file.read_bytes()).hexdigest()[:10] if file.is_file() else ""


def with_digests(page: str) -> str:
    """A page that names its style sheets and scripts with their versions."""
    return ASSET_LINK.sub(lambda found: f'{found[1]}{found[2]}?v={asset_digest(found[2])}"', page)


def at(path: str) -> str:
    """Where the server has a path. Parts of a page show pictures too, so the address of those has their version.

    >>> at("/rules"), at("/static/glyphs.svg").partition("?")[0]
    ('/rules', '/static/glyphs.svg')
    """
    static = path.startswith("/static/") and path.endswith(".svg")
    return f"{path}?v={asset_digest(path.removeprefix('/static/'))}" if static else path


def cache_control(path: str, query: str) -> str:
    """How long a browser may keep a static file that it asked for in this way."""
    known = asset_digest(path)
    return CACHE_FOREVER if known and query == f"v={known}" else REVALIDATE
