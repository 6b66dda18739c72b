"""Static files: digests for their URLs and cache headers; generated icon sheets and style sheets."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, normpath
from typing import Final

from argentum.rulebook.card_art import all_card_art, box_styles, icon_body, icons
from argentum.rules.boxes import ALL_BOXES, BOX_LETTERS, residents
from argentum.rules.residents import RESIDENTS_PER_BOX

ALL_RESIDENTS = "all"  # name of the sheet for the lobby and the rules page
TOKEN_LETTERS: Final = "".join([box.letter for box in ALL_BOXES if box.has_token])
MAX_SHEET_NAME = 200  # characters of a list of labels


@cache
def icon_authors() -> dict[str, tuple[str, ...]]:
    """Return a mapping of authors to the names of their icons.

    >>> sorted(icon_authors())
    ['Carl Olsen', 'Cathelineau', 'DarkZaitzev', 'Delapouite', 'Lorc']
    """
    icons_by_author: dict[str, list[str]] = {}
    for name, icon in icons().items():
        icons_by_author.setdefault(icon["author"], []).append(name.replace("-", " "))
    return {author: tuple(names) for author, names in sorted(icons_by_author.items())}


@lru_cache(maxsize=64)
def icon_sheet(code: str) -> str:
    """Return an SVG sprite with the icons of a deck code, of labels such as `D0-C1-D14`, or of `all` residents.

    A deck code may be followed by the letter of a token; otherwise the sprite includes all tokens. Raise `ValueError`
    for any other `code`.

    >>> '<symbol id="C3"' in icon_sheet("dddcdddddddddd"), '<symbol id="D3"' in icon_sheet("dddcdddddddddd")
    (True, False)
    >>> '<symbol id="C14"' in icon_sheet("dddcddddddddddc"), '<symbol id="D14"' in icon_sheet("dddcddddddddddc")
    (True, False)
    >>> icon_sheet("D0-C1-D14").count("<symbol")
    3
    """
    tokens = TOKEN_LETTERS
    if "-" in code and len(code) <= MAX_SHEET_NAME and not set(code.split("-")) - set(all_card_art()):
        labels, tokens = code.split("-"), ""
    elif code == ALL_RESIDENTS:
        labels = [resident.label for resident in residents()]
    elif len(code) in (RESIDENTS_PER_BOX, RESIDENTS_PER_BOX + 1) and not code.strip(BOX_LETTERS):
        labels = [f"{letter.upper()}{number}" for number, letter in enumerate(code[:RESIDENTS_PER_BOX])]
        tokens = code[RESIDENTS_PER_BOX:] or TOKEN_LETTERS
    else:
        raise ValueError(
            f"{code!r} is not a deck code: it has {RESIDENTS_PER_BOX} letters from {', '.join(BOX_LETTERS)}"
        )
    labels += [f"{letter.upper()}{RESIDENTS_PER_BOX}" for letter in tokens]
    symbols = [
        f'<symbol id="{label}" viewBox="0 0 512 512">{icon_body(all_card_art()[label].icon)}</symbol>'
        for label in labels
    ]
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>"])


# `--eaves` is the roof over the window of a card.
BOX_RULE = (
    ".of-{box.name} {{ --badge: {box.badge}; --window: {box.window}; --disc: {box.disc}; --eaves: {box.roofs};"
    " --number: {box.number}; --badge-font: {box.badge_font_sizes[0]}; --badge-font-two: {box.badge_font_sizes[1]};"
    " --box-edge: {edge}; }}"
)
# Phones show one box of the lobby at a time.
BOX_TAB_RULE = (
    ".lobby:has(#tab-{box.name}:checked)"
    " :is(:is(.choice, .box-head):not(.of-{box.name}), .number:not(:has(.of-{box.name}))) {{ display: none; }}"
)
PHONE = "(max-width: 699px), (max-height: 480px)"
STYLE_IMPORT = re.compile(r'@import "([\w./]+)" layer\((\w+)\);\n')


def box_tokens() -> str:
    """Build the style sheet with the colours of the boxes, as custom properties."""
    return "\n".join([BOX_RULE.format(box=box, edge=box.badge_edge or "initial") for box in box_styles()]) + "\n"


def box_tabs() -> str:
    """Build the style sheet with which the lobby shows one box at a time on phones."""
    rules = [BOX_TAB_RULE.format(box=box) for box in box_styles()]
    return "\n".join([f"@media {PHONE} {{", *rules, "}"]) + "\n"


GENERATED_SHEETS: Mapping[str, Callable[[], str]] = {"boxes.css": box_tokens, "box_tabs.css": box_tabs}


@cache
def page_style_sheets() -> tuple[str, ...]:
    """Return the names of the style sheets that pages link: those that import others."""
    folder = files("argentum.web") / "static" / "css"
    sheets = [file for file in folder.iterdir() if file.name.endswith(".css")] if folder.is_dir() else []
    return tuple(sorted([file.name for file in sheets if STYLE_IMPORT.search(file.read_text(encoding="utf-8"))]))


@cache
def style_sheet(name: str) -> str:
    """Return a page's style sheet, with the sheets that it imports in its place, each in its layer.

    >>> style_sheet("text.css").partition(";")[0]
    '@layer tokens, base, components, pages'
    """
    folder = files("argentum.web") / "static" / "css"

    def imported(match: re.Match[str]) -> str:
        path, layer = match.groups()
        generate = GENERATED_SHEETS.get(path)
        text = generate() if generate else (folder / path).read_text(encoding="utf-8")
        return f"@layer {layer} {{\n{text}}}\n"

    joined = STYLE_IMPORT.sub(imported, (folder / name).read_text(encoding="utf-8"))
    return re.sub(r"(?ms)/\*.*?\*/\s*|^\s+", "", joined)  # without comments and indentation


CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"  # means: may be stored, must be revalidated
STATIC = "/static/"
DIGEST_LENGTH = 10
BUILD_PREFIX = re.compile(rf"([0-9a-f]{{{DIGEST_LENGTH}}})/(.+)")


def _static_file(path: str) -> Traversable:
    return files("argentum.web").joinpath("static", path)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:DIGEST_LENGTH]


@cache
def asset_digest(path: str) -> str:
    """Return a digest of a static file's content; empty if there is no such file."""
    folder, _, name = path.partition("/")
    if folder == "css" and name in page_style_sheets():
        return _digest(style_sheet(name).encode())
    file = _static_file(path)
    return _digest(file.read_bytes()) if file.is_file() else ""


@cache
def page_build() -> str:
    """Return a digest of all scripts and style sheets; empty if there are none, as in the static edition.

    Pages send it when they connect, so that the server recognizes pages whose scripts differ from its own.
    """
    folders = [folder for folder in ("js", "vendor") if _static_file(folder).is_dir()]
    scripts = [f"{folder}/{file.name}" for folder in folders for file in _static_file(folder).iterdir()]
    paths = sorted([*scripts, *[f"css/{name}" for name in page_style_sheets()]])
    return _digest("".join([path + asset_digest(path) for path in paths]).encode()) if paths else ""


def url_for(path: str) -> str:
    """Return the URL of a path on the server; those of static files have a digest, so that browsers can cache them.

    Scripts are in a folder named after the build, because a module imports others by relative URLs.

    >>> url_for("/rules"), url_for("/static/glyphs.svg").partition("?")[0]
    ('/rules', '/static/glyphs.svg')
    >>> url_for("/static/js/home.js") == f"/static/{page_build()}/js/home.js"
    True
    """
    if not path.startswith(STATIC):
        return path
    name = path.removeprefix(STATIC)
    if path.endswith(".js"):
        return f"{STATIC}{page_build()}/{name}"
    return f"{path}?v={asset_digest(name)}" if path.endswith((".css", ".svg")) else path


def parse_url(path: str, query: str) -> tuple[str, str]:
    """Return the path of a static file, without its digest, and its Cache-Control header.

    `path` is relative to the static folder. Responses are cached permanently if the URL has the current digest.
    """
    if match := BUILD_PREFIX.fullmatch(path.replace("\\", "/")):
        return match[2], CACHE_FOREVER if match[1] == page_build() else REVALIDATE
    digest = asset_digest(path)
    return path, CACHE_FOREVER if digest and query == f"v={digest}" else REVALIDATE


IMPORT = re.compile(r'^import (?:[^"]+ from )?"(\.[^"]+)"', re.MULTILINE)


@cache
def imported_modules(script: str) -> tuple[str, ...]:
    """Return the modules that a script imports, and those that they import, so that pages can load them at once.

    >>> [module for module in imported_modules("/static/js/offline.js") if "settings" in module]
    ['/static/js/settings.js']
    """
    modules = {script}
    unread = [script]
    while unread:
        path = unread.pop()
        file = _static_file(path.removeprefix(STATIC))
        names = IMPORT.findall(file.read_text(encoding="utf-8")) if file.is_file() else ()
        imported = {normpath(f"{dirname(path)}/{name}") for name in names}
        unread += imported - modules
        modules |= imported
    return tuple(sorted(modules - {script}))


STATIC_LINK = re.compile(r'(?:href|src)="(/static/[^"#]+)')
FONT_LINK = re.compile(r"url\(\.\./(fonts/[^)]+)\)")


def service_worker(pages: Mapping[str, str]) -> str:
    """Return the script of the service worker, which caches pages, by path, and the static files that they load."""
    links = {link for page in pages.values() for link in STATIC_LINK.findall(page)}
    fonts = FONT_LINK.findall(_static_file("css/tokens.css").read_text(encoding="utf-8"))
    shell = [*pages, *sorted(links | {STATIC + font for font in fonts})]
    script = _static_file("js/service_worker.js").read_text(encoding="utf-8")
    return script.replace("@BUILD@", page_build()).replace('["@SHELL@"]', json.dumps(shell, indent=2))
