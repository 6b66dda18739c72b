"""What one browser's table page shows, and the changed parts of it."""

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

PARTS = [(nth, name.replace("_", "-"), name) for nth, name in enumerate(TablePage._fields[:-2])]  # by their places


class PartChange(NamedTuple):
    """A part to be drawn: the id of its element, the macro, and what that is given, which is all that it shows."""

    id: str
    macro: str
    shows: tuple[object, ...]


def changed_parts(old: TablePage, new: TablePage) -> list[PartChange]:
    """The parts of a table's page that show something else than before, in a game of the same people."""
    changed = [PartChange(id_, name, (new[nth],)) for nth, id_, name in PARTS if old[nth] != new[nth]]
    for before, plot in zip(old.villages, new.villages, strict=True):
        if plot != before or new.village_context != old.village_context:
            changed.append(PartChange(f"village-{plot.village.seat.letter}", "village", (*plot, new.village_context)))
    return changed


MAX_FRAGMENTS = 1_500  # pieces that a connection remembers; then both sides begin anew
MAX_SPLIT = 4_096  # large pieces whose small ones are known
MAX_INTERNED = 16_384  # pieces of which readers share one text
ITEM, ITEM_END = "<li", "</li>"  # large pieces: cards and lines of the log, and what is between them
# Small ones begin here: buttons, the inside of cards, pictures, paragraphs.
FRAGMENT_START = re.compile(
    r'<(?:button|span class="(?:leaf|unseen|plate|pip|chip)|svg|p class|h2|li|/?[uo]l|/button|/svg)'
)

Fragment: TypeAlias = "str | int | list[Fragment]"


@lru_cache(MAX_INTERNED)
def interned(text: str) -> str:
    """The same text, for all readers that are sent it. (In Python 3.12.0 to 3.12.6, `sys.intern` keeps it for ever.)"""
    return text


def split_items(html: str) -> list[str]:
    """The large pieces of some HTML that was drawn whole."""
    first, *rest = str(html).split(ITEM)  # (Markup is slow to cut)
    pieces = [first]
    for one in rest:
        item, end, between = one.partition(ITEM_END)
        pieces += (ITEM + item + end, between)
    return pieces


@lru_cache(MAX_SPLIT)
def split_fragment(text: str) -> tuple[str, ...]:
    """The small pieces that a large one is made of. Other readers are sent many of the same."""
    starts = [0, *[found.start() for found in FRAGMENT_START.finditer(text, 1)], len(text)]
    return tuple([interned(text[start:end]) for start, end in pairwise(starts)])


class SentFragments:
    """The pieces that one browser has been sent."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}  # of the pieces, in their order

    def encode(self, fragments: Iterable[str]) -> str:
        """The pieces of some HTML, as JSON; it is given in fragments: each card and each line of the log is one."""
        packed: list[str] = []
        between: list[str] = []
        for one in fragments:
            if one.startswith(ITEM) and one.endswith(ITEM_END):
                if between:
                    packed.append(self._large("".join(between)))
                    between.clear()
                packed.append(self._large(one))
            elif one:
                between.append(one)
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
        packed = ",".join([self._small(piece) for piece in small])
        self.numbers[interned(text)] = str(len(self.numbers))
        return f"[{packed}]"

    def _small(self, text: str) -> str:
        number = self.numbers.get(text)
        if number is not None:
            return number
        self.numbers[text] = str(len(self.numbers))
        return quoted(text)

    def starts_over(self) -> bool:
        """Whether the browser is to forget what it has: at first, and when there are too many pieces."""
        if 0 < len(self.numbers) < MAX_FRAGMENTS:
            return False
        self.numbers.clear()
        return True

    def copy(self) -> "SentFragments":
        """Another browser's, who has been sent the same."""
        new = SentFragments()
        new.numbers = dict(self.numbers)
        return new


class FragmentDecoder:
    """What :class:`Sent` sends, put together again, as the page's script does it. For programs that read pages."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def parts(self, message: dict[str, object]) -> dict[str, str]:
        """The parts of a page that a message has, as whole HTML."""
        if message.get("anew"):
            self.pieces.clear()
        sent = message["parts"]
        assert isinstance(sent, list)
        return {name: "".join([self._piece(piece) for piece in packed]) for name, packed in sent}

    def _piece(self, piece: Fragment) -> str:
        if isinstance(piece, int):
            return self.pieces[piece]
        text = piece if isinstance(piece, str) else "".join([self._piece(one) for one in piece])
        self.pieces.append(text)
        return text


class CardMacros(NamedTuple):
    """Draws the smallest things on a page."""

    spot: Callable[[SceneCard, str], str]  # a card, of a deck with this code
    # A line of the story, with the players' names, which are isolated in it.
    sentence: Callable[[tuple[words.LogPart, ...], tuple[ResidentSummary, ...], tuple[str, ...]], str]
    item: Callable[[str, str, str], str]  # and the same, by a seat and with a sign, as an item of its list


class RenderedRow(NamedTuple):
    """The cards of a village, and the same as drawn."""

    cards: tuple[SceneCard, ...]
    drawn: tuple[str, ...]


NO_ROW = RenderedRow((), ())


class ShownTable:
    """What one browser shows of a table, as long as one game is played there."""

    def __init__(self) -> None:
        self.page: TablePage | None = None
        self.rows: dict[str, RenderedRow] = {}
        self.log: tuple[words.LogEntry, ...] = ()  # newest first
        self.lines: tuple[LogItem, ...] = ()  # the same, as drawn

    def copy(self) -> "ShownTable":
        """Another browser's, that shows the same."""
        new = ShownTable()
        new.page, new.rows, new.log, new.lines = self.page, dict(self.rows), self.log, self.lines
        return new

    def show(self, drawn: Scene, info: TableInfo, pen: CardMacros) -> TablePage:
        """Turn to a scene."""
        rows = [self._row(village, drawn.icon_sheet, pen) for village in drawn.villages]
        self._update_log(drawn, pen)
        self.page = TablePage.of(drawn, rows, self.lines, info)
        return self.page

    def diff(self, drawn: Scene, info: TableInfo, pen: CardMacros) -> list[PartChange]:
        """Turn to another scene of the same game: which parts have changed."""
        old = self.page
        assert old is not None
        return changed_parts(old, self.show(drawn, info, pen))

    def _row(self, village: Village, code: str, pen: CardMacros) -> tuple[str, ...]:
        """The cards of a village."""
        letter, cards = village.seat.letter, village.cards
        old = self.rows.get(letter, NO_ROW)
        if old.cards is not cards:
            drawn: list[str] = []
            for nth, card in enumerate(cards):
                same = nth < len(old.cards) and card == old.cards[nth]
                drawn.append(old.drawn[nth] if same else pen.spot(card, code))
            old = self.rows[letter] = RenderedRow(cards, tuple(drawn))
        return old.drawn

    def _update_log(self, drawn: Scene, pen: CardMacros) -> None:
        """Tell the story, which only grows: from the first line that stood there before, all others did too."""
        log, places = drawn.log, {id(entry): nth for nth, entry in enumerate(self.log)}
        lines: list[LogItem] = []
        for entry in log:
            at = places.get(id(entry))
            if at is not None:
                lines += self.lines[at : at + len(log) - len(lines)]
                break
            sentence = pen.sentence(entry.parts, drawn.cast, drawn.names)
            sign = LOG_GLYPHS.get(entry.icon_kind, "")
            lines.append(LogItem(sign, sentence, pen.item(entry.seat, sign, sentence)))
        self.log, self.lines = log, tuple(lines)
