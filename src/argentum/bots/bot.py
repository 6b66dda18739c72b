"""What a bot is: somebody who sees a seat's view and chooses a move."""

import sys
from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar

from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View


class Bot(ABC):
    """A player that sees a :class:`View` and nothing else.

    A bot may remember what it saw and did, but must not rely on it: it may fill in for somebody in the middle of a
    game, and need not be asked for every choice of its seat. What is asked, by whom, and what was picked so far is in
    `view.asking`.
    """

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for a menu
    needs_subprocess: ClassVar[bool] = False  # whether it thinks in a process of its own, which a browser has not
    uses_search: ClassVar[bool] = False  # whether it wants an imagined game to play ahead on

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    @property
    def is_time_limited(self) -> bool:
        """Whether it thinks by the clock, so that the same seed may give different moves."""
        return False

    @property
    def network_file(self) -> str:
        """The file of the network that it plays by; empty without one."""
        return ""

    @classmethod
    def can_play(cls) -> bool:
        """Whether it can play here: everything it needs is installed."""
        return not (cls.needs_subprocess and sys.platform == "emscripten")

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None) -> "Bot":  # noqa: ARG003  # for those that take one
        """Make a bot that thinks within a budget per move; most bots take none."""
        raise ValueError(f"{cls.name} takes no budget, such as {budget!r}")

    @abstractmethod
    def choose(self, view: View) -> Move:
        """Choose one of `view.legal`, which is never empty."""

    def choose_with_search(self, view: View, sampled_game: Game) -> Move:  # noqa: ARG002  # for those that do
        """Choose a move with the help of an imagined game: a bot with `looks_ahead` is asked here.

        The imagined game is as the seat knows it: what it cannot know is dealt at random, and what is past is not in
        it. The bot may play on with it, and re-deal it for other games that could be.
        """
        return self.choose(view)

    def close(self) -> None:  # noqa: B027  # most bots have nothing to stop
        """Stop thinking: the bot is no longer needed. This may be called from another thread."""
