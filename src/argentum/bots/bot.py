"""What a bot is: somebody who sees a seat's view and chooses a move."""

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar

from argentum.rules.move import Move
from argentum.rules.views import View


class Bot(ABC):
    """A player that sees a :class:`View` and nothing else.

    A bot may remember what it saw and did, but must not rely on it: it may sit in for somebody in the middle of a game,
    and need not be asked for every choice of its seat.
    """

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for a menu

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    @abstractmethod
    def choose(self, view: View) -> Move:
        """One of `view.legal`, which is not empty."""
