"""Track what one browser's table page shows, and encode its changed parts with references to fragments sent before."""

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
    """The parts of a table page that differ between two pages of one game."""
    changed = [PartChange(id_, name, (new[index],)) for index, id_, name in PARTS if old[index] != new[index]]
    for old_part, part in zip(old.villages, new.villages, strict=True):
        if part != old_part or new.village_context != old.village_context:
            changed.append(PartChange(f"village-{part.village.seat.letter}", "village", (*part, new.village_context)))
    return changed


MAX_FRAGMENTS = 1_500  # per connection; then both sides start over
MAX_SPLIT = 4_096  # large fragments whose splits are cached
MAX_INTERNED = 16_384  # fragments whose text readers share
ITEM, ITEM_END = "<li", "</li>"  # large fragments: cards and log lines, and the HTML between them
# Small fragments start here: buttons, the inside of cards, pictures, paragraphs.
FRAGMENT_START = re.compile(
    r'<(?:button|span class="(?:card-inside|visually-hidden|plate|pip|chip)|svg|p class|h2|li|/?[uo]l|/button|/svg)'
)

Fragment: TypeAlias = "str | int | list[Fragment]"


@lru_cache(MAX_INTERNED)
def interned(text: str) -> str:
    """Share one string object between readers. (In Python 3.12.0 to 3.12.6, `sys.intern` never frees it.)"""
    return text


def split_items(html: str) -> list[str]:
    """Split the HTML of a whole page into large fragments."""
    first, *rest = str(html).split(ITEM)  # Markup.split is slow
    fragments = [first]
    for text in rest:
        item, end, between = text.partition(ITEM_END)
        fragments += (ITEM + item + end, between)
    return fragments


@lru_cache(MAX_SPLIT)
def split_fragment(text: str) -> tuple[str, ...]:
    """Split a large fragment into small ones, many of which other readers get too."""
    starts = [0, *[match.start() for match in FRAGMENT_START.finditer(text, 1)], len(text)]
    return tuple([interned(text[start:end]) for start, end in pairwise(starts)])


class SentFragments:
    """The fragments that one browser has, by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}  # of each fragment, in the order sent

    def encode(self, fragments: Iterable[str]) -> str:
        """Encode HTML as JSON: new fragments as text, known ones by number. Each card or log line is one fragment."""
        packed: list[str] = []
        between: list[str] = []
        for text in fragments:
            if text.startswith(ITEM) and text.endswith(ITEM_END):
                if between:
                    packed.append(self._large("".join(between)))
                    between.clear()
                packed.append(self._large(text))
            elif text:
                between.append(text)
        if between:
            packed.append(self._large("".join(between)))
        return f"[{','.join(packed)}]"

    def _large(self, text: str) -> str:
        number = self.numbers.get(text)
        if number is not None:
            return number
        text = str(text)  # (Markup is slow to cut)
        small = split_fragment(text)
        if len(small) == 1:
            return self._small(small[0])
        packed = ",".join([self._small(fragment) for fragment in small])
        self.numbers[interned(text)] = str(len(self.numbers))
        return f"[{packed}]"

    def _small(self, text: str) -> str:
        number = self.numbers.get(text)
        if number is not None:
            return number
        self.numbers[text] = str(len(self.numbers))
        return quoted(text)

    def starts_over(self) -> bool:
        """Clear the fragments if there are none or too many; return whether the browser must clear its own."""
        if 0 < len(self.numbers) < MAX_FRAGMENTS:
            return False
        self.numbers.clear()
        return True

    def copy(self) -> "SentFragments":
        """A copy for another browser that has been sent the same."""
        new = SentFragments()
        new.numbers = dict(self.numbers)
        return new


class FragmentDecoder:
    """Decode the output of :class:`SentFragments`, as the page's script does."""

    def __init__(self) -> None:
        self.fragments: list[str] = []

    def parts(self, message: dict[str, object]) -> dict[str, str]:
        """The HTML of the parts in a message, by id."""
        if message.get("reset"):
            self.fragments.clear()
        sent = message["parts"]
        assert isinstance(sent, list)
        return {name: "".join([self._decode(fragment) for fragment in packed]) for name, packed in sent}

    def _decode(self, fragment: Fragment) -> str:
        if isinstance(fragment, int):
            return self.fragments[fragment]
        text = fragment if isinstance(fragment, str) else "".join([self._decode(part) for part in fragment])
        self.fragments.append(text)
        return text


class CardMacros(NamedTuple):
    """The cached macros of cards and log lines."""

    spot: Callable[[SceneCard, str], str]  # a card, with the name of the icon sheet
    # A log line, with the players' names, which are isolated for bidirectional text.
    sentence: Callable[[tuple[words.LogPart, ...], tuple[ResidentSummary, ...], tuple[str, ...]], str]
    item: Callable[[str, str, str], str]  # a list item from seat, glyph and sentence


class RenderedRow(NamedTuple):
    """The cards of a village and their HTML."""

    cards: tuple[SceneCard, ...]
    html: tuple[str, ...]


NO_ROW = RenderedRow((), ())


class ShownTable:
    """What one browser shows of a table during one game."""

    def __init__(self) -> None:
        self.page: TablePage | None = None
        self.rows: dict[str, RenderedRow] = {}
        self.log: tuple[words.LogEntry, ...] = ()  # newest first
        self.lines: tuple[LogItem, ...] = ()  # the rendered lines of `log`

    def copy(self) -> "ShownTable":
        """A copy for another browser that shows the same."""
        new = ShownTable()
        new.page, new.rows, new.log, new.lines = self.page, dict(self.rows), self.log, self.lines
        return new

    def show(self, scene: Scene, info: TableInfo, macros: CardMacros) -> TablePage:
        """Build the page of a scene, and remember it."""
        rows = [self._row(village, scene.icon_sheet, macros) for village in scene.villages]
        self._update_log(scene, macros)
        self.page = TablePage.of(scene, rows, self.lines, info)
        return self.page

    def diff(self, scene: Scene, info: TableInfo, macros: CardMacros) -> list[PartChange]:
        """Build the page of another scene of the same game; return the parts that changed."""
        old = self.page
        assert old is not None
        return changed_parts(old, self.show(scene, info, macros))

    def _row(self, village: Village, code: str, macros: CardMacros) -> tuple[str, ...]:
        letter, cards = village.seat.letter, village.cards
        old = self.rows.get(letter, NO_ROW)
        if old.cards is not cards:
            html: list[str] = []
            for index, card in enumerate(cards):
                same = index < len(old.cards) and card == old.cards[index]
                html.append(old.html[index] if same else macros.spot(card, code))
            old = self.rows[letter] = RenderedRow(cards, tuple(html))
        return old.html

    def _update_log(self, scene: Scene, macros: CardMacros) -> None:
        """Render the new lines; the log only grows, so all lines after the first known one are known."""
        log, positions = scene.log, {id(entry): index for index, entry in enumerate(self.log)}
        lines: list[LogItem] = []
        for entry in log:
            at = positions.get(id(entry))
            if at is not None:
                lines += self.lines[at : at + len(log) - len(lines)]
                break
            sentence = macros.sentence(entry.parts, scene.cast, scene.names)
            glyph = LOG_GLYPHS.get(entry.icon_kind, "")
            lines.append(LogItem(glyph, sentence, macros.item(entry.seat, glyph, sentence)))
        self.log, self.lines = log, tuple(lines)
