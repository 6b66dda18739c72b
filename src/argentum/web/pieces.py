"""HTML in pieces: what a browser has been sent before is named by its number instead of being sent again.

Most of a page is the same from move to move, and much of it occurs in several places: a back, a face, a line of the
log. So a part of the page travels as a list of pieces. A piece is a text; a list of the smaller pieces that it is made
of; or the number of a piece that came before on the same connection. Texts and lists get numbers in the order in which
they are complete. What is sent follows from what this reader has been sent, and from nothing else.
"""

import re
from sys import intern
from typing import TypeAlias

MOST = 1_500  # pieces that a connection remembers; then both sides begin anew
ITEM = "<li"  # large pieces begin here: cards and lines of the log
# And small ones here: buttons, the inside of cards, pictures, paragraphs.
CUTS = re.compile(r'<(?:button|span class="(?:leaf|unseen|plate|pip|chip)|svg|p class|h2|/?[uo]l|/button|/svg)')

Piece: TypeAlias = "str | int | list[Piece]"


class Sent:
    """The pieces that one browser has been sent."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}  # of the pieces, in their order

    def pack(self, html: str) -> list[Piece]:
        """The pieces of some HTML."""
        first, *items = str(html).split(ITEM)  # (Markup is slow to cut)
        packed: list[Piece] = []
        for piece in (first, *[ITEM + item for item in items]):
            number = self.numbers.get(piece)
            packed.append(self._large(piece) if number is None else number)
        return packed

    def _large(self, text: str) -> Piece:
        packed: list[Piece] = []
        start = 0
        for found in CUTS.finditer(text, 1):
            packed.append(self._small(text[start : found.start()]))
            start = found.start()
        last = self._small(text[start:])
        if not packed:
            return last
        self.numbers[intern(text)] = len(self.numbers)  # (all readers share the text itself)
        return [*packed, last]

    def _small(self, text: str) -> str | int:
        number = self.numbers.get(text)
        if number is not None:
            return number
        self.numbers[intern(text)] = len(self.numbers)
        return text

    def begins(self) -> bool:
        """Whether the browser is to forget what it has: at first, and when there are too many pieces."""
        if 0 < len(self.numbers) < MOST:
            return False
        self.numbers.clear()
        return True

    def copy(self) -> "Sent":
        """Another browser's, who has been sent the same."""
        new = Sent()
        new.numbers = dict(self.numbers)
        return new


class Received:
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

    def _piece(self, piece: Piece) -> str:
        if isinstance(piece, int):
            return self.pieces[piece]
        text = piece if isinstance(piece, str) else "".join([self._piece(one) for one in piece])
        self.pieces.append(text)
        return text
