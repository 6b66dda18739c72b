# mypyc: compile, optimize
"""Find the changed parts of a browser's table page, and encode them with references to fragments sent before."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from json.encoder import encode_basestring as quoted
from typing import NamedTuple, TypeAlias

from argentum import words
from argentum.display.scene import ResidentSummary, Scene, SceneCard, Village
from argentum.display.seat_memory import LOG_GLYPHS
from argentum.web.pages.table import LogItem, TableInfo, TablePage

PARTS = [(index, name.replace("_", "-"), name) for index, name in enumerate(TablePage._fields[:-2])]


class PartChange(NamedTuple):
    """A part to render: the id of its element, its macro, and the macro's arguments."""

    id: str
    macro: str
    arguments: tuple[object, ...]


def changed_parts(old: TablePage, new: TablePage) -> list[PartChange]:
    """Return the parts that differ between two table pages of one game."""
    changed = [PartChange(id_, name, (new[index],)) for index, id_, name in PARTS if old[index] != new[index]]
    for old_part, part in zip(old.villages, new.villages, strict=True):
        if part != old_part or new.village_context != old.village_context:
            changed.append(PartChange(f"village-{part.village.seat.letter}", "village", (*part, new.village_context)))
    return changed


MAX_FRAGMENTS = 1_500  # per connection; when there are more, server and page clear their fragments
MAX_SPLIT = 4_096  # large fragments whose splits are cached
MAX_INTERNED = 16_384  # fragments whose text readers share
ITEM, ITEM_END = "<li", "</li>"  # delimit large fragments: cards and log lines
# Small fragments start here: buttons, the inside of cards, pictures, paragraphs.
FRAGMENT_START = re.compile(
    r'<(?:button|span class="(?:card-inside|visually-hidden|plate|pip|chip)|svg|p class|h2|li|/?[uo]l|/button|/svg)'
)

Fragment: TypeAlias = "str | int | list[Fragment]"


@lru_cache(MAX_INTERNED)
def intern_text(text: str) -> str:
    """Return one shared string object for equal texts; in Python 3.12.0 to 3.12.6, `sys.intern` never frees them."""
    return text


def split_items(html: str) -> list[str]:
    """Split the HTML of a whole page into large fragments: cards, log lines, and the HTML between them."""
    first, *others = str(html).split(ITEM)  # Markup.split is slow.
    fragments = [first]
    for text in others:
        item, end, between = text.partition(ITEM_END)
        fragments += (ITEM + item + end, between)
    return fragments


@lru_cache(MAX_SPLIT)
def split_fragment(text: str) -> tuple[str, ...]:
    """Split a large fragment into small ones, which are often equal for different readers."""
    starts = [0, *[match.start() for match in FRAGMENT_START.finditer(text, 1)], len(text)]
    return tuple([intern_text(text[start:end]) for start, end in pairwise(starts)])


class SentFragments:
    """Encodes HTML as fragments, replacing those that a browser already has by their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}  # number of each fragment sent, as text

    def encode(self, fragments: Iterable[str]) -> str:
        """Encode the HTML of an element as a JSON array; each card or log line is one of its fragments."""
        encoded: list[str] = []
        between: list[str] = []
        for text in fragments:
            if text.startswith(ITEM) and text.endswith(ITEM_END):
                if between:
                    encoded.append(self._encode_large("".join(between)))
                    between.clear()
                encoded.append(self._encode_large(text))
            elif text:
                between.append(text)
        if between:
            encoded.append(self._encode_large("".join(between)))
        return f"[{','.join(encoded)}]"

    def _encode_large(self, text: str) -> str:
        number = self.numbers.get(text)
        if number is not None:
            return number
        text = str(text)  # Slicing Markup is slow.
        small = split_fragment(text)
        if len(small) == 1:
            return self._encode_small(small[0])
        encoded = ",".join([self._encode_small(fragment) for fragment in small])
        self.numbers[intern_text(text)] = str(len(self.numbers))
        return f"[{encoded}]"

    def _encode_small(self, text: str) -> str:
        number = self.numbers.get(text)
        if number is not None:
            return number
        self.numbers[text] = str(len(self.numbers))
        return quoted(text)

    def clear_if_full(self) -> bool:
        """Clear the fragments if there are too many; return whether the browser must clear its own.

        Also return True before the first fragment.
        """
        if 0 < len(self.numbers) < MAX_FRAGMENTS:
            return False
        self.numbers.clear()
        return True

    def copy(self) -> "SentFragments":
        """Return a copy for another browser that has been sent the same fragments."""
        new = SentFragments()
        new.numbers = dict(self.numbers)
        return new


class FragmentDecoder:
    """Decodes the output of :class:`SentFragments`, as the page's script does."""

    def __init__(self) -> None:
        self.fragments: list[str] = []

    def decode_parts(self, message: dict[str, object]) -> dict[str, str]:
        """Return the HTML of the parts in a message, by id."""
        if message.get("reset"):
            self.fragments.clear()
        sent = message["parts"]
        assert isinstance(sent, list)
        return {name: "".join([self._decode(fragment) for fragment in fragments]) for name, fragments in sent}

    def _decode(self, fragment: Fragment) -> str:
        if isinstance(fragment, int):
            return self.fragments[fragment]
        text = fragment if isinstance(fragment, str) else "".join([self._decode(part) for part in fragment])
        self.fragments.append(text)
        return text


class CardMacros(NamedTuple):
    """Cached macros for cards and log lines."""

    spot: Callable[[SceneCard, str], str]  # from a card and the name of the icon sheet
    # From the parts of a log line, the deck's residents, and the players' names, isolated for bidirectional text.
    sentence: Callable[[tuple[words.LogPart, ...], tuple[ResidentSummary, ...], tuple[str, ...]], str]
    item: Callable[[str, str, str], str]  # from seat, glyph and sentence


class RenderedRow(NamedTuple):
    """The cards of a village and their HTML."""

    cards: tuple[SceneCard, ...]
    html: tuple[str, ...]


NO_ROW = RenderedRow((), ())


class ShownTable:
    """The table page as one browser shows it during one game."""

    def __init__(self) -> None:
        self.page: TablePage | None = None
        self.rows: dict[str, RenderedRow] = {}
        self.log: tuple[words.LogEntry, ...] = ()  # newest first
        self.lines: tuple[LogItem, ...] = ()  # the rendered lines of `log`

    def copy(self) -> "ShownTable":
        """Return a copy for another browser that shows the same page."""
        new = ShownTable()
        new.page, new.rows, new.log, new.lines = self.page, dict(self.rows), self.log, self.lines
        return new

    def show(self, scene: Scene, info: TableInfo, macros: CardMacros) -> TablePage:
        """Build the page of a scene, and store it for the next `diff`."""
        rows = [self._render_row(village, scene.icon_sheet, macros) for village in scene.villages]
        self._update_log(scene, macros)
        self.page = TablePage.from_scene(scene, rows, self.lines, info)
        return self.page

    def diff(self, scene: Scene, info: TableInfo, macros: CardMacros) -> list[PartChange]:
        """Build the page of another scene of the same game; return the parts that changed."""
        old = self.page
        assert old is not None
        return changed_parts(old, self.show(scene, info, macros))

    def _render_row(self, village: Village, icon_sheet: str, macros: CardMacros) -> tuple[str, ...]:
        """Return the HTML of a village's cards, rendering only those that changed."""
        letter, cards = village.seat.letter, village.cards
        old = self.rows.get(letter, NO_ROW)
        if old.cards is not cards:
            html: list[str] = []
            for index, card in enumerate(cards):
                same = index < len(old.cards) and card == old.cards[index]
                html.append(old.html[index] if same else macros.spot(card, icon_sheet))
            old = self.rows[letter] = RenderedRow(cards, tuple(html))
        return old.html

    def _update_log(self, scene: Scene, macros: CardMacros) -> None:
        """Render the new log lines. The log is newest first and only grows, so after a known line all are known."""
        log, positions = scene.log, {id(entry): index for index, entry in enumerate(self.log)}
        lines: list[LogItem] = []
        for entry in log:
            index = positions.get(id(entry))
            if index is not None:
                lines += self.lines[index : index + len(log) - len(lines)]
                break
            sentence = macros.sentence(entry.parts, scene.cast, scene.names)
            glyph = LOG_GLYPHS.get(entry.icon_kind, "")
            lines.append(LogItem(glyph, sentence, macros.item(entry.seat, glyph, sentence)))
        self.log, self.lines = log, tuple(lines)
