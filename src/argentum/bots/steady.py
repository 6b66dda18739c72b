"""A bot that remembers all cards, rates every move in points, and calls when that is likely to win."""

from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.heuristics.abilities import ABILITY_MODELS
from argentum.bots.heuristics.ability_model import NO_MODEL, ability_gain, ability_started_by, target_of_move
from argentum.bots.heuristics.calling import call_gain
from argentum.bots.heuristics.evaluation import Evaluation
from argentum.bots.heuristics.exchanges import Exchanges, discard_cost
from argentum.rules.asking import (
    STEP_END_WINDOW,
    STEP_FIRST_LOOK,
    STEP_HAND,
    STEP_KEEP,
    STEP_MAIN_ACTION,
    STEP_MORE_CARDS,
    STEP_PENALTY_END,
    STEP_SPOT,
    STEP_VILLAGE_END,
)
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import (
    AND_CARD,
    DONE,
    DRAW_SHOWN,
    EXCHANGE,
    KEEP_FROM_DECK,
    STOP,
    USE_ABILITY,
    USE_TOKEN,
    deck_depth,
    has_base,
    place_of,
    shown_place,
)
from argentum.rules.residents import WINDOW_MAIN_ACTION
from argentum.rules.views import Asking, View

MIN_ABILITY_GAIN: Final = 0.02  # gain above which a village ability or the token is used
# Added to the gain of a useful ability that does not replace the main action, so that only a call is rated higher.
PRIORITY_BONUS: Final = 50.0
TURN_WINDOW_STEPS: Final = (STEP_MAIN_ACTION, STEP_HAND, STEP_END_WINDOW)  # steps at which a turn may continue (G5)
# Steps at which all options are equal: no seat knows any of the cards, or only the place of a card is chosen.
TRIVIAL_STEPS: Final = (STEP_FIRST_LOOK, STEP_SPOT, STEP_VILLAGE_END, STEP_PENALTY_END)


class SteadyBot(Bot):
    """Rate every legal move in points and choose the best."""

    name: ClassVar[str] = "steady"
    summary: ClassVar[str] = "forgets nothing, counts cards and makes good use of everybody"

    def choose(self, view: View) -> Move:
        return max(rate_moves(view), key=lambda rating: rating[0])[1]


def rate_moves(view: View) -> list[tuple[float, Move]]:
    """Return the legal moves with their ratings: gains in points, plus a bonus for moves that should come first.

    If all moves are equally good, return only the first; while cards are named for an exchange, only the best.
    """
    asking = view.asking
    if asking is None or len(view.legal) == 1 or asking.step in TRIVIAL_STEPS:
        return [(0.0, view.legal[0])]
    evaluation = Evaluation(view)
    if asking.step == STEP_MORE_CARDS:
        return [(0.0, next_exchange_card(evaluation))]
    if asking.number is None and asking.step in TURN_WINDOW_STEPS:
        exchanges = Exchanges(evaluation)
        return [(rate_window_move(evaluation, exchanges, move), move) for move in view.legal]
    return [(rate_ability_choice(evaluation, asking, move), move) for move in view.legal]


def rate_window_move(evaluation: Evaluation, exchanges: Exchanges, move: Move) -> float:
    """Rate a main action, a use of the card in hand, or a move at the end of the turn (G5)."""
    view = evaluation.view
    if DRAW_SHOWN < move < KEEP_FROM_DECK:  # a shown card (A1)
        return exchanges.visible_card_gain(view.shown[shown_place(move) - 1])
    match move.verb:
        case "call":
            return 2 * PRIORITY_BONUS if call_gain(evaluation) > 0 else -2 * PRIORITY_BONUS
        case "ability" | "token":
            return rate_ability(evaluation, move)
        case "draw":
            return exchanges.draw_gain()
        case "draw private":
            return exchanges.visible_card_gain(view.private[view.seat][0])
        case "take":
            return exchanges.best_option(view.discard[0])[0]
        case "exchange" if view.hand is not None:
            return exchanges.best_option(view.hand, [place_of(move)])[0]
        case "discard" | "use" if view.hand is not None:
            return rate_discard(evaluation, ability_started_by(view, move))
    return 0.0


def gain_of_rating(rating: float) -> float:
    """Return the gain of a rating, without its bonus; 0 for calls and for abilities that should not be used."""
    if abs(rating) < PRIORITY_BONUS / 2:
        return rating
    return rating - PRIORITY_BONUS if PRIORITY_BONUS / 2 < rating < 1.5 * PRIORITY_BONUS else 0.0


def rate_ability(evaluation: Evaluation, move: Move) -> float:
    """Rate the use of the token or of a village ability, with a bonus if it does not replace the main action."""
    gain = ability_gain(evaluation, ability_started_by(evaluation.view, move))
    if (
        move != USE_TOKEN
        and evaluation.cast.windows[evaluation.card_at(target_of_move(move).spot).number or 0] == WINDOW_MAIN_ACTION
    ):
        return gain
    return PRIORITY_BONUS + gain if gain > MIN_ABILITY_GAIN else -PRIORITY_BONUS


def rate_discard(evaluation: Evaluation, label: str) -> float:
    """Return the gain of discarding the card in hand, after using the ability `label` unless that is empty."""
    hand = evaluation.view.hand
    gain = ability_gain(evaluation, label) if label else 0.0
    joins_village = label != "" and hand is not None and evaluation.view.residents[hand.number or 0].joins_village
    if hand is None or joins_village or evaluation.avoids_discard_pile:
        return gain  # The card does not go to the discard pile.
    return gain - discard_cost(evaluation, hand)


def rate_ability_choice(evaluation: Evaluation, asking: Asking, move: Move) -> float:
    """Return the gain of a choice within an ability, or a low rating for interrupting it with a Curator (C2)."""
    view = evaluation.view
    if has_base(move, USE_ABILITY):
        return -PRIORITY_BONUS
    if move == STOP:
        return 0.0
    if asking.step == STEP_KEEP:
        return Exchanges(evaluation).visible_card_gain(view.deck[deck_depth(move) - 1])
    if has_base(move, EXCHANGE) and view.hand is not None:
        return Exchanges(evaluation).best_option(view.hand, [place_of(move)])[0]
    gain = ABILITY_MODELS.get(asking.label, NO_MODEL).gain
    return (
        0.0
        if gain is None
        else gain(evaluation, target_of_move(move), [target_of_move(picked) for picked in asking.picked])
    )


def next_exchange_card(evaluation: Evaluation) -> Move:
    """Return the move that names the next card of the best exchange, or `done`."""
    view = evaluation.view
    assert view.hand is not None
    named_places = [int(spot[1:]) - 1 for spot in view.named]
    _, places = Exchanges(evaluation).best_option(view.hand, named_places)
    return next((move for move in view.legal if has_base(move, AND_CARD) and place_of(move) in places), MOVES[DONE])
