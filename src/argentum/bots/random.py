"""The bot that plays at random."""

from typing import ClassVar

from argentum.bots.bot import Bot
from argentum.rules.move import Move
from argentum.rules.views import View


class RandomBot(Bot):
    """Any legal move, each with the same chance."""

    name: ClassVar[str] = "random"
    summary: ClassVar[str] = "makes any legal move, without a thought"

    def choose(self, view: View) -> Move:
        """One of the legal moves."""
        return self.random.choice(view.legal)
