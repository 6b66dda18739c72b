"""A bot that plays the moves of the playout policy."""

from typing import ClassVar

from argentum.bots.bot import Bot
from argentum.bots.search.playout_policy import policy_for
from argentum.bots.steady import SteadyBot
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.position import Position
from argentum.rules.views import View


class QuickBot(Bot):
    """Play the moves of the playout policy, which finishes the rounds of a search.

    `uses_search` is set because the policy reads a table instead of a view. It uses only the faces that the seat knows.
    """

    name: ClassVar[str] = "quick"
    summary: ClassVar[str] = "goes by rules of thumb, a few for each card, and does not stop to think"
    uses_search: ClassVar[bool] = True

    def choose(self, view: View) -> Move:
        """Return the move of `steady`, because there is no table for the policy."""
        return SteadyBot().choose(view)

    def choose_with_search(self, view: View, position: Position) -> Move:
        me, table = SEAT_LETTERS.index(view.seat), position.table
        return MOVES[policy_for(table.cast).choose_for_seat(table, me, position.legal_moves_of(me))]
