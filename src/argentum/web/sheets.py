"""The table's page as one browser shows it: what is shown already is not drawn again."""

from collections.abc import Callable
from typing import NamedTuple

from argentum import words
from argentum.display.scene import CardScene, Portrait, Scene, Village
from argentum.display.seat_memory import SIGNS
from argentum.web.parts import Drawing, Info, Line, Page, changes


class Pen(NamedTuple):
    """Draws the smallest things on a page."""

    spot: Callable[[CardScene, str], str]  # a card, of a deck with this code
    # A line of the story, with the players' names, which are isolated in it.
    sentence: Callable[[tuple[words.Part, ...], tuple[Portrait, ...], tuple[str, ...]], str]
    item: Callable[[str, str, str], str]  # and the same, by a seat and with a sign, as an item of its list


class Row(NamedTuple):
    """The cards of a village, and the same as drawn."""

    cards: tuple[CardScene, ...]
    drawn: tuple[str, ...]


NO_ROW = Row((), ())


class Sheet:
    """What one browser shows of a table, as long as one game is played there."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self.rows: dict[str, Row] = {}
        self.story: tuple[words.Entry, ...] = ()  # newest first
        self.lines: tuple[Line, ...] = ()  # the same, as drawn

    def copy(self) -> "Sheet":
        """Another browser's, that shows the same."""
        new = Sheet()
        new.page, new.rows, new.story, new.lines = self.page, dict(self.rows), self.story, self.lines
        return new

    def show(self, drawn: Scene, info: Info, pen: Pen) -> Page:
        """Turn to a scene."""
        rows = [self._row(village, drawn.code, pen) for village in drawn.villages]
        self._tell(drawn, pen)
        self.page = Page.of(drawn, rows, self.lines, info)
        return self.page

    def go_on(self, drawn: Scene, info: Info, pen: Pen) -> list[Drawing]:
        """Turn to another scene of the same game: which parts have changed."""
        old = self.page
        assert old is not None
        return changes(old, self.show(drawn, info, pen))

    def _row(self, village: Village, code: str, pen: Pen) -> tuple[str, ...]:
        """The cards of a village."""
        letter, cards = village.seat.letter, village.cards
        old = self.rows.get(letter, NO_ROW)
        if old.cards is not cards:
            drawn: list[str] = []
            for nth, card in enumerate(cards):
                same = nth < len(old.cards) and card == old.cards[nth]
                drawn.append(old.drawn[nth] if same else pen.spot(card, code))
            old = self.rows[letter] = Row(cards, tuple(drawn))
        return old.drawn

    def _tell(self, drawn: Scene, pen: Pen) -> None:
        """Tell the story, which only grows: from the first line that stood there before, all others did too."""
        log, places = drawn.log, {id(entry): nth for nth, entry in enumerate(self.story)}
        lines: list[Line] = []
        for entry in log:
            at = places.get(id(entry))
            if at is not None:
                lines += self.lines[at : at + len(log) - len(lines)]
                break
            sentence = pen.sentence(entry.parts, drawn.cast, drawn.names)
            sign = SIGNS.get(entry.deed, "")
            lines.append(Line(sign, sentence, pen.item(entry.seat, sign, sentence)))
        self.story, self.lines = log, tuple(lines)
