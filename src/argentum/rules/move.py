"""A move as a value. (Its own module: a subclass of ``int`` stays interpreted in the compiled build.)"""

from argentum.rules.moves import MOST_MOVES, parse, text


class Move(int):
    """A move: a number that knows its text.

    >>> Move.of("exchange A2")
    Move('exchange A2')
    >>> str(Move.of("draw"))
    'draw'
    """

    __slots__ = ()

    @classmethod
    def of(cls, written: str) -> "Move":
        """The move that a text names: the one-card forms of ``peek`` and ``exchange`` only."""
        number = parse(written)
        if number < 0:
            raise ValueError(f"{written!r} is not a move; a move reads like 'draw', 'exchange A2' or 'at left'")
        return MOVES[number]

    def __str__(self) -> str:
        return text(int(self))

    def __repr__(self) -> str:
        return f"Move({text(int(self))!r})"


MOVES = [Move(number) for number in range(MOST_MOVES)]
