"""HTML in pieces: what a browser has been sent before is named by its number instead of being sent again.

Most of a page is the same from move to move, and much of it occurs in several places: a back, a face, a line of the
log. So a part of the page travels as a list of pieces. A piece is a text; a list of the smaller pieces that it is made
of; or the number of a piece that came before on the same connection. Texts and lists get numbers in the order in which
they are complete. What is sent follows from what this reader has been sent, and from nothing else.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from json.encoder import encode_basestring as quoted
from typing import TypeAlias

MOST = 1_500  # pieces that a connection remembers; then both sides begin anew
MOST_CUT = 4_096  # large pieces whose small ones are known
MOST_SHARED = 16_384  # pieces of which readers share one text
ITEM, ITEM_END = "<li", "</li>"  # large pieces: cards and lines of the log, and what is between them
# Small ones begin here: buttons, the inside of cards, pictures, paragraphs.
CUTS = re.compile(r'<(?:button|span class="(?:leaf|unseen|plate|pip|chip)|svg|p class|h2|li|/?[uo]l|/button|/svg)')

Piece: TypeAlias = "str | int | list[Piece]"


@lru_cache(MOST_SHARED)
def shared(text: str) -> str:
    """The same text, for all readers that are sent it. (In Python 3.12.0 to 3.12.6, `sys.intern` keeps it for ever.)"""
    return text


def items_of(html: str) -> list[str]:
    """The large pieces of some HTML that was drawn whole."""
    first, *rest = str(html).split(ITEM)  # (Markup is slow to cut)
    pieces = [first]
    for one in rest:
        item, end, between = one.partition(ITEM_END)
        pieces += (ITEM + item + end, between)
    return pieces


@lru_cache(MOST_CUT)
def cut(text: str) -> tuple[str, ...]:
    """The small pieces that a large one is made of. Other readers are sent many of the same."""
    starts = [0, *[found.start() for found in CUTS.finditer(text, 1)], len(text)]
    return tuple([shared(text[start:end]) for start, end in pairwise(starts)])


class Sent:
    """The pieces that one browser has been sent."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}  # of the pieces, in their order

    def pack(self, fragments: Iterable[str]) -> str:
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
        small = cut(text)
        if len(small) == 1:
            return self._small(small[0])
        packed = ",".join([self._small(piece) for piece in small])
        self.numbers[shared(text)] = str(len(self.numbers))
        return f"[{packed}]"

    def _small(self, text: str) -> str:
        number = self.numbers.get(text)
        if number is not None:
            return number
        self.numbers[text] = str(len(self.numbers))
        return quoted(text)

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
