# mypyc: compile
"""The exception for an illegal move; `argentum.words.errors` writes the messages that players read."""

from collections.abc import Sequence
from typing import Final

# Why a move is refused.
NOT_A_MOVE: Final = "not a move"
NOT_LEGAL: Final = "not legal"
NOT_YOUR_TURN: Final = "not your turn"
ROUND_OVER: Final = "round over"
GAME_OVER: Final = "game over"

MAX_QUOTED_LENGTH: Final = 60  # characters of the refused text


class IllegalMove(ValueError):
    """An illegal move. As text, it states the reason and lists the legal moves.

    Attributes:
        kind: why the move is refused: `not a move`, `not legal`, `not your turn`, `round over` or `game over`
        move: the text of the move, shortened
        seat: the seat that tried to move, by default the seat to move; empty if the game is over
        to_move: the seat to move; empty if the game is over
        legal: the texts of the moves that are legal for `seat`
    """

    def __init__(self, kind: str, move: str, seat: str = "", to_move: str = "", legal: Sequence[str] = ()) -> None:
        super().__init__(kind, move, seat, to_move, legal)
        self.kind = kind
        self.move = shorten(move)
        self.seat = seat
        self.to_move = to_move
        self.legal = tuple(legal)

    def __str__(self) -> str:
        if self.kind in (ROUND_OVER, GAME_OVER):
            return f"'{self.move}' is refused: the {'round' if self.kind == ROUND_OVER else 'game'} is over"
        if self.kind == NOT_YOUR_TURN:
            return f"'{self.move}' is refused: it is not seat {self.seat}'s turn, seat {self.to_move} is to move"
        reason = "is not a move" if self.kind == NOT_A_MOVE else "is not legal now"
        return f"'{self.move}' {reason}; seat {self.seat} may play: {', '.join(self.legal)}"


def shorten(text: str) -> str:
    """Return a text on one line, cut off if it is too long to quote."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTED_LENGTH else line[: MAX_QUOTED_LENGTH - 3] + "..."
