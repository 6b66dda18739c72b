"""A bot that plays the playout policy."""

from typing import ClassVar

from argentum.bots.bot import Bot
from argentum.bots.search.playout_policy import policy_for
from argentum.bots.steady import SteadyBot
from argentum.rules.game import Game
from argentum.rules.move import MOVES, Move
from argentum.rules.views import View


class QuickBot(Bot):
    """Play the fast rule-based policy that searches use for all seats.

    It needs a sampled game because the policy works on tables. It uses only faces that the seat knows.
    """

    name: ClassVar[str] = "quick"
    summary: ClassVar[str] = "goes by rules of thumb, a few for each card, and does not stop to think"
    uses_search: ClassVar[bool] = True

    def choose(self, view: View) -> Move:
        """Return the move of `steady`: there is no table for the policy."""
        return SteadyBot().choose(view)

    def choose_with_search(self, view: View, imagined: Game) -> Move:
        """Return the move of the policy."""
        me = imagined.seats.index(view.seat)
        return MOVES[policy_for(imagined.cast).choose_for(imagined.copy_table(), me, imagined.legal_moves_of(me))]
