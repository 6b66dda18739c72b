"""The class of ability models, their registry, and functions that list the targets of an ability."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from argentum.rules.asking import ANY_FACING, FACEDOWN, FACEUP, all_seats, card_moves, movable_cards, other_seats
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import (
    GIVE,
    PASS,
    SEAT_LETTERS,
    USE,
    USE_ABILITY,
    USE_TOKEN,
    has_base,
    names_card,
    names_village,
    place_of,
    seat_of,
)
from argentum.rules.residents import TIMING_SCORING
from argentum.rules.views import Card, View

if TYPE_CHECKING:
    from argentum.bots.heuristics.evaluation import Evaluation

Village: TypeAlias = Sequence[Card]


class Spot(NamedTuple):
    """A place in a village; places count from 0 at the owner's left."""

    seat: str
    place: int


class Target(NamedTuple):
    """The target of a move within an ability: a card, a village (`place` -1), or a verb with an optional number.

    In a target without a seat, `place` is the number in the move, such as 3 in `take 3`.
    """

    verb: str = ""
    seat: str = ""
    place: int = -1

    @property
    def spot(self) -> Spot:
        return Spot(self.seat, self.place)


NO_TARGET: Final = Target()
PickedTargets: TypeAlias = Sequence[Target]  # targets already chosen in this ability
GainFunction: TypeAlias = "Callable[[Evaluation, Target, PickedTargets], float]"
TargetFunction: TypeAlias = "Callable[[Evaluation], Iterable[Target]]"
# Return the adjusted sum of a village that has a known card; arguments: evaluation, seat, village, card and sum.
SumAdjustment: TypeAlias = "Callable[[Evaluation, str, Village, Card, float], float]"

# Effects of abilities, for the playout policy, which does not compute exact gains.
EFFECT_NONE: Final = 0  # no effect that needs a choice
EFFECT_LOOK: Final = 1  # look at cards
EFFECT_FLIP: Final = 2  # turn cards over
EFFECT_SWITCH: Final = 3  # switch two cards between villages
EFFECT_REMOVE: Final = 4  # remove a faceup card
EFFECT_BORROW: Final = 5  # use the ability of a faceup card
EFFECT_REPLACE: Final = 6  # replace a card with one from the discard pile
EFFECT_MERGE: Final = 7  # replace two own cards with one
EFFECT_SHUFFLE: Final = 8  # shuffle a village
EFFECT_TRADE: Final = 9  # turn a card up, then use it or switch it for an own one
EFFECT_COVER: Final = 10  # cover a card with the token
EFFECT_SKIP_TURN: Final = 11  # make another seat skip a turn
EFFECT_USE_PILE: Final = 12  # take or use cards from the discard pile
EFFECT_GUARD: Final = 13  # protect a card
EFFECT_SEEK_LOW: Final = 14  # look at a card and turn it up if it is low
EFFECT_GIVE_UP: Final = 15  # remove an own card, or give it away, at the end of the round
EFFECT_ROTATE: Final = 16  # turn an own card sideways, or discard one that is sideways

# Effects of a faceup card on its owner's sum at the end of a round.
SUM_UNCHANGED: Final = 0
SUM_HALVED: Final = 1
SUM_WITHOUT_HIGHEST: Final = 2  # the highest card does not count
SUM_CLEARED: Final = 3  # a low sum counts 0
SUM_REDUCED: Final = 4  # the sum falls by the number of cards of the other seats


@dataclass(frozen=True)
class AbilityModel:
    """The value of a resident or token: functions that compute gains, and constants for quick estimates."""

    # The targets of the first choice, the gain of a target, and the effect of the card on its village's sum.
    targets: "TargetFunction | None" = None
    gain: "GainFunction | None" = None
    adjust_sum: "SumAdjustment | None" = None
    typical_gain: float = 0.0  # gain of using the drawn card
    faceup_bonus: float = 0.0  # points by which the card is better while faceup
    final_value: float | None = None  # points of the card at the end of the round; None: its number
    effect: int = EFFECT_NONE
    own_cards_only: bool = False  # whether only own cards are targets
    may_take_cards: bool = False  # whether it may take cards from other villages
    always_use: bool = False  # used whenever possible
    sum_effect: int = SUM_UNCHANGED
    counts_zero_faceup: bool = False  # whether the card itself counts 0 while faceup at the end of the round


NO_MODEL: Final = AbilityModel()  # for residents that count only their number
ABILITY_MODELS: Final[dict[str, AbilityModel]] = {}  # by the label of the resident or token


def ability_gain(evaluation: "Evaluation", label: str) -> float:
    """Return the gain of using an ability now with its best first target; -1 if there is no target."""
    model = ABILITY_MODELS.get(label, NO_MODEL)
    if model.gain is None or model.targets is None:
        return 0.0
    return max([model.gain(evaluation, target, ()) for target in model.targets(evaluation)], default=-1.0)


def typical_gain(evaluation: "Evaluation", number: int) -> float:
    """Return the estimated gain of drawing a card with this number and using its ability."""
    return evaluation.models[number].typical_gain * (1.0 if evaluation.turns_left else 0.5)


@cache
def target_of_move(move: Move) -> Target:
    if names_card(move):
        verb = f"give {move.seat}" if move >= GIVE else move.verb
        return Target(verb, SEAT_LETTERS[seat_of(move)], place_of(move))
    if names_village(move):
        return Target("", move.seat)
    return Target(move.verb) if move.number is None else Target(move.verb, "", move.number)


def ability_started_by(view: View, move: Move) -> str:
    """Return the label of the resident or token whose ability a move starts; empty for moves that start none.

    Also empty for an ability that another card borrows.
    """
    asking = view.asking
    if move == USE_TOKEN:
        return view.cast.token_label
    if has_base(move, USE_ABILITY):
        number = view.villages[view.seat][place_of(move)].number
        return "" if number is None else view.residents[number].label
    if asking is None:
        return ""
    if move == USE and asking.number is None and view.hand is not None and view.hand.number is not None:
        return view.residents[view.hand.number].label
    is_scoring = asking.number is not None and view.residents[asking.number].timing == TIMING_SCORING
    return asking.label if is_scoring and move != PASS else ""


def single_empty_target(evaluation: "Evaluation") -> list[Target]:
    """Return the single empty target of an ability that asks for no target."""
    return [NO_TARGET]


# Targets that the rules allow. `asking` has the functions of the same names for moves.


def card_targets(evaluation: "Evaluation", seats: Iterable[str], facing: int = ANY_FACING) -> list[Target]:
    """Return the cards in these villages that the viewing seat may touch (G23).

    `facing` restricts them to `FACEUP` or `FACEDOWN` cards.
    """
    return _targets(card_moves(evaluation.table, evaluation.seat, [SEAT_LETTERS.index(seat) for seat in seats], facing))


def _targets(moves: Iterable[int]) -> list[Target]:
    return [target_of_move(MOVES[move]) for move in moves]


def any_card_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.villages)


def faceup_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.villages, FACEUP)


def facedown_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.villages, FACEDOWN)


def own_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, [evaluation.me])


def own_facedown_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, [evaluation.me], FACEDOWN)


def other_facedown_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.others, FACEDOWN)


def movable_targets(evaluation: "Evaluation") -> list[Target]:
    """Return the cards in all villages that the viewing seat may move (G23, D3)."""
    return _targets(movable_cards(evaluation.table, evaluation.seat, all_seats(evaluation.table)))


def other_movable_targets(evaluation: "Evaluation") -> list[Target]:
    return _targets(movable_cards(evaluation.table, evaluation.seat, other_seats(evaluation.table, evaluation.seat)))


def village_targets(evaluation: "Evaluation") -> list[Target]:
    """Return the villages with a card that the viewing seat may touch (G23)."""
    return [Target("", seat) for seat in evaluation.villages if card_targets(evaluation, [seat])]


def reachable_pile_cards(evaluation: "Evaluation", label: str) -> list[Card]:
    """Return the cards of the discard pile that the seat may choose for the ability `label`.

    If that ability is not asking, return the whole pile.
    """
    asking, pile = evaluation.view.asking, evaluation.view.discard
    if asking is not None and asking.label == label:
        return [pile[depth - 1] for depth in asking.depths]
    return list(pile)
