"""A bot that plays like the quick player: by a few figures for each resident."""

from typing import ClassVar

from argentum.bots.bot import Bot
from argentum.bots.search.playout_policy import policy_for
from argentum.bots.steady import SteadyBot
from argentum.rules.game import Game
from argentum.rules.move import MOVES, Move
from argentum.rules.views import View


class QuickBot(Bot):
    """What seer expects of everybody, as a player of its own.

    It wants an imagined game, since the quick player sits at a table: what the seat cannot know is dealt at random
    there, and the quick player looks at nothing else.
    """

    name: ClassVar[str] = "quick"
    summary: ClassVar[str] = "goes by rules of thumb, a few for each card, and does not stop to think"
    uses_search: ClassVar[bool] = True

    def choose(self, view: View) -> Move:
        """Without a game to look at: what steady plays."""
        return SteadyBot().choose(view)

    def choose_with_search(self, view: View, imagined: Game) -> Move:
        """What the quick player chooses."""
        me = imagined.seats.index(view.seat)
        return MOVES[policy_for(imagined.cast).choose_for(imagined.copy_table(), me, imagined.legal_moves_of(me))]
