"""A move as a value. (Its own module: a subclass of ``int`` stays interpreted in the compiled build.)"""

from argentum.rules.notation import CARD, GIVE, MOST_MOVES, TAKE_NTH, VILLAGE, parse, text


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

    def __bool__(self) -> bool:
        return True  # also the move with the number 0

    @property
    def verb(self) -> str:
        """The move without the card, village or number that it names: `exchange`, `draw private`; empty for `B3`.

        >>> Move.of("exchange A2").verb, Move.of("exchange A2").spot, Move.of("B").spot
        ('exchange', 'A2', 'B')
        """
        return "give" if self >= GIVE else str(self).removesuffix(self.spot).rstrip()

    @property
    def spot(self) -> str:
        """The card spot or village that the move names; for a gift, the card; else empty."""
        if self >= GIVE:
            return str(self).split()[1]
        return str(self).split()[-1] if self >= CARD or VILLAGE <= self < TAKE_NTH else ""

    def __str__(self) -> str:
        return text(int(self))

    def __repr__(self) -> str:
        return f"Move({text(int(self))!r})"


MOVES = [Move(number) for number in range(MOST_MOVES)]
