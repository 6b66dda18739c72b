"""Advice of the first-game guide: the move that the bot `steady` would choose."""

from argentum.bots.heuristics.evaluation import Evaluation
from argentum.bots.heuristics.exchanges import Exchanges, Places
from argentum.bots.steady import SteadyBot
from argentum.rules.move import Move
from argentum.rules.notation import TAKE, place_of
from argentum.rules.views import Card, View
from argentum.words import Advice


def guide_advice(view: View) -> Advice | None:
    """Return advice for the pending choice of the view's seat, or None if it has none."""
    if not view.legal:
        return None
    if view.looking:
        first, second = [move.spot for move in (*view.legal, *_chosen_moves(view))][:2]
        return Advice(view.legal[0], (first, second))
    move = SteadyBot(0).choose(view)
    if move.verb == "exchange" and view.hand is not None:
        return Advice(move, _find_best_spots(view, view.hand, (place_of(move),)))
    if move == TAKE:
        return Advice(move, _find_best_spots(view, view.discard[0]))
    return Advice(move, ())


def _chosen_moves(view: View) -> tuple[Move, ...]:
    return view.asking.picked if view.asking is not None else ()


def _find_best_spots(view: View, card: Card, required: Places = ()) -> tuple[str, ...]:
    """Return the spots of the most valuable exchange for `card`, which must include the `required` indices."""
    _, places = Exchanges(Evaluation(view)).best_option(card, required)
    return tuple([f"{view.seat}{place + 1}" for place in places])
