"""The `Move` class, in a module of its own because mypyc cannot compile a subclass of ``int``."""

from functools import cache

from argentum.rules.notation import MOVE_LIMIT, MoveFields, move_fields, move_text, parse_move


@cache
def _text(move: int) -> str:
    return move_text(int(move))


@cache
def _fields(move: int) -> MoveFields:
    return move_fields(int(move))


class Move(int):
    """A move: an integer that prints as text.

    >>> Move.of("exchange A2")
    Move('exchange A2')
    >>> move = Move.of("give A2 B")
    >>> str(move), move.verb, move.spot, move.seat
    ('give A2 B', 'give', 'A2', 'B')
    >>> Move.of("take 2").verb, Move.of("take 2").number, Move.of("take").number
    ('take', 2, None)
    """

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> "Move":
        """Parse a move, a ``peek`` or ``exchange`` with one card only; raise `ValueError` if the text is not a move."""
        number = parse_move(text)
        if number < 0:
            raise ValueError(f"{text!r} is not a move; a move reads like 'draw', 'exchange A2' or 'at left'")
        return MOVES[number]

    def __bool__(self) -> bool:
        return True  # 0 is a move too.

    @property
    def verb(self) -> str:
        """The text without spot, number and seat: `exchange`, `draw private`; empty if only a card or village is named.

        >>> Move.of("exchange A2").verb, Move.of("draw private").verb, Move.of("B3").verb
        ('exchange', 'draw private', '')
        """
        return _fields(self).verb

    @property
    def spot(self) -> str:
        """The spot of the card that the move names; empty if it names none."""
        return _fields(self).spot

    @property
    def number(self) -> int | None:
        """N of `draw N`, `keep N`, `take N` and `use N`; None for other moves."""
        return _fields(self).number

    @property
    def seat(self) -> str:
        """The seat whose village the move names, or that receives the card of a `give` move; empty for other moves."""
        return _fields(self).seat

    def __str__(self) -> str:
        return _text(self)

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


MOVES = [Move(number) for number in range(MOVE_LIMIT)]
