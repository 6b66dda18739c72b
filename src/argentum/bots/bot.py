"""The base class of bots."""

import sys
from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar

from argentum.rules.move import Move
from argentum.rules.position import Position
from argentum.rules.residents import Cast
from argentum.rules.views import View


class Bot(ABC):
    """A player that chooses moves from a :class:`View`.

    A bot may keep state between moves but must not rely on it: it can replace a player in the middle of a game, and it
    is not asked for every move of its seat. `view.asking` has the question, the card or rule that asks it, and the
    cards picked so far.
    """

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, shown in menus
    needs_subprocess: ClassVar[bool] = False  # cannot play in a browser
    uses_search: ClassVar[bool] = False  # `choose_with_search` is called instead of `choose`

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    @property
    def is_time_limited(self) -> bool:
        """Whether the time per move is limited, so that the same seed may give different moves."""
        return False

    @property
    def network_file(self) -> str:
        """The path of the bot's network, or an empty string."""
        return ""

    def knows_deck(self, cast: Cast) -> bool:  # noqa: ARG002  # for overrides
        """Whether the bot can play with a deck. If not, :func:`argentum.bots.ask` asks `steady` instead."""
        return True

    @classmethod
    def can_play(cls) -> bool:
        """Return whether this platform supports the bot and the packages that it needs are installed."""
        return not (cls.needs_subprocess and sys.platform == "emscripten")

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None) -> "Bot":  # noqa: ARG003  # for overrides
        """Return a bot with a budget per move; raise `ValueError` for bots that take none and for invalid budgets."""
        raise ValueError(f"{cls.name} takes no budget, such as {budget!r}")

    @abstractmethod
    def choose(self, view: View) -> Move:
        """Return one of `view.legal`, which is never empty."""

    def choose_with_search(self, view: View, position: Position) -> Move:  # noqa: ARG002  # for overrides
        """Return one of `view.legal`; called instead of `choose` if `uses_search`.

        `position` is the position as the seat knows it: `position.redealt(view.seat, random)` deals the unknown cards,
        and :func:`argentum.bots.search.playouts.play_out` plays such a sample out.
        """
        return self.choose(view)

    def close(self) -> None:  # noqa: B027  # most bots have nothing to stop
        """Stop a running search and free its resources. May be called from another thread."""
