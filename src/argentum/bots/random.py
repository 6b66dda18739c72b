"""A bot that plays random moves."""

from typing import ClassVar

from argentum.bots.bot import Bot
from argentum.rules.move import Move
from argentum.rules.views import View


class RandomBot(Bot):
    """Choose one of the legal moves, each with the same probability."""

    name: ClassVar[str] = "random"
    summary: ClassVar[str] = "makes any legal move, without a thought"

    def choose(self, view: View) -> Move:
        return self.random.choice(view.legal)
