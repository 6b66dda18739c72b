"""The `Move` class, in a module of its own because mypyc cannot compile a subclass of ``int``."""

from functools import cache

from argentum.rules.notation import GIVE, MOVE_LIMIT, move_text, names_card, names_village, parse_move


@cache
def _describe(move: int) -> tuple[str, str, str]:
    """Return the text, verb and spot of a move."""
    text = move_text(int(move))
    if move >= GIVE:
        return text, "give", text.split()[1]
    spot = text.split()[-1] if names_card(move) or names_village(move) else ""
    return text, text.removesuffix(spot).rstrip(), spot


class Move(int):
    """A move: an integer that prints as text.

    >>> Move.of("exchange A2")
    Move('exchange A2')
    >>> str(Move.of("draw"))
    'draw'
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
        """The text without spots and seats: `exchange`, `draw private`; empty if only a card or village is named.

        >>> Move.of("exchange A2").verb, Move.of("exchange A2").spot, Move.of("B").spot
        ('exchange', 'A2', 'B')
        """
        return _describe(self)[1]

    @property
    def spot(self) -> str:
        """The spot or village that the move names; empty if there is none. For a `give` move, the spot of the card."""
        return _describe(self)[2]

    def __str__(self) -> str:
        return _describe(self)[0]

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


MOVES = [Move(number) for number in range(MOVE_LIMIT)]
