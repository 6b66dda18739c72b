"""Models of what residents and tokens are worth, registered by the modules in `abilities/`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from argentum.rules.boxes import BOX_BY_NAME
from argentum.rules.move import Move
from argentum.rules.notation import (
    GIVE,
    PASS,
    SEAT_LETTERS,
    USE,
    USE_ABILITY,
    USE_TOKEN,
    is_base,
    names_card,
    names_village,
    place_of,
    receiver_of,
    seat_of,
    village_of,
)
from argentum.rules.residents import TIMING_SCORING
from argentum.rules.views import Card, View

if TYPE_CHECKING:
    from argentum.bots.heuristics.evaluation import Evaluation

Village: TypeAlias = Sequence[Card]


class Spot(NamedTuple):
    """A place in a village, numbered from 0 at the left of its owner."""

    seat: str
    place: int


class Target(NamedTuple):
    """What a move within an ability names: a card, a village (`place` -1), or a word with an optional number."""

    verb: str = ""
    seat: str = ""
    place: int = -1

    @property
    def spot(self) -> Spot:
        return Spot(self.seat, self.place)


NO_TARGET: Final = Target()
PickedTargets: TypeAlias = Sequence[Target]  # targets chosen so far
GainFunction: TypeAlias = "Callable[[Evaluation, Target, PickedTargets], float]"
TargetFunction: TypeAlias = "Callable[[Evaluation], Iterable[Target]]"
# Adjust the sum of a village for a known card; arguments: evaluation, seat, village, card and the sum so far.
SumAdjustment: TypeAlias = "Callable[[Evaluation, str, Village, Card, float], float]"

# The effect of an ability, for the playout policy, which does not compute exact gains.
EFFECT_NONE: Final = 0  # no effect that needs a choice
EFFECT_LOOK: Final = 1  # at cards
EFFECT_FLIP: Final = 2  # cards
EFFECT_SWITCH: Final = 3  # a card of one village for one of another
EFFECT_REMOVE: Final = 4  # a faceup card
EFFECT_BORROW: Final = 5  # the ability of a faceup card
EFFECT_REPLACE: Final = 6  # a card of the discard pile in the place of another
EFFECT_MERGE: Final = 7  # two of one's cards into one
EFFECT_SHUFFLE: Final = 8  # a village
EFFECT_TRADE: Final = 9  # turns a card up, to use it or to have it
EFFECT_COVER: Final = 10  # a card with a token
EFFECT_SKIP_TURN: Final = 11  # a turn
EFFECT_USE_PILE: Final = 12  # in the discard pile
EFFECT_GUARD: Final = 13  # a card
EFFECT_SEEK_LOW: Final = 14  # a low card, which it turns up

# The effect of a faceup card on its owner's sum at the end of a round.
SUM_UNCHANGED: Final = 0
SUM_HALVED: Final = 1
SUM_WITHOUT_HIGHEST: Final = 2  # takes the highest card away
SUM_CLEARED: Final = 3  # a low sum
SUM_REDUCED: Final = 4  # for the cards of the others


@dataclass(frozen=True)
class AbilityModel:
    """The value of a resident or token. Residents without a model count only their number."""

    # For exact gains: the first targets, the gain of each, and the adjustment of the sum.
    targets: "TargetFunction | None" = None
    gain: "GainFunction | None" = None
    adjust_sum: "SumAdjustment | None" = None
    # For typical gains: of the ability when drawn, and of the card while faceup.
    typical_gain: float = 0.0
    faceup_bonus: float = 0.0
    final_value: float | None = None  # value at the end of the round, if not its number
    effect: int = EFFECT_NONE
    own_cards_only: bool = False  # only own cards can be targets
    may_take_cards: bool = False  # can take a good card from another seat
    always_use: bool = False  # a village ability to use whenever possible
    sum_effect: int = SUM_UNCHANGED


NO_MODEL: Final = AbilityModel()
ABILITY_MODELS: Final[dict[str, AbilityModel]] = {}  # by the label of the resident or token


def ability_gain(evaluation: "Evaluation", label: str) -> float:
    """Return the gain of using an ability now with its best choice; very low if there is no choice."""
    model = ABILITY_MODELS.get(label, NO_MODEL)
    if model.gain is None or model.targets is None:
        return 0.0
    return max([model.gain(evaluation, target, ()) for target in model.targets(evaluation)], default=-1.0)


def typical_gain(evaluation: "Evaluation", number: int) -> float:
    """Return the average gain of the draw ability of a number."""
    return evaluation.models[number].typical_gain * (1.0 if evaluation.turns_left else 0.5)


def target_of_move(move: Move) -> Target:
    """Return the card, village or word that a move within an ability names."""
    if names_card(move):
        verb = f"give {SEAT_LETTERS[receiver_of(move)]}" if move >= GIVE else move.verb
        return Target(verb, SEAT_LETTERS[seat_of(move)], place_of(move))
    if names_village(move):
        return Target("", SEAT_LETTERS[village_of(move)])
    verb, _, number = str(move).partition(" ")
    return Target(verb, "", int(number)) if number.isdigit() else Target(str(move))


def ability_started_by(view: View, move: Move) -> str:
    """Return the label of the ability or token that a move starts; empty for none and for borrowed ones."""
    asking = view.asking
    if move == USE_TOKEN:
        return BOX_BY_NAME[view.token].token_label
    if is_base(move, USE_ABILITY):
        number = view.villages[view.seat][place_of(move)].number
        return "" if number is None else view.residents[number].label
    if asking is None:
        return ""
    if move == USE and asking.number is None and view.hand is not None and view.hand.number is not None:
        return view.residents[view.hand.number].label
    closing = asking.number is not None and view.residents[asking.number].timing == TIMING_SCORING
    return asking.label if closing and move != PASS else ""


# Target functions.


def no_choice(evaluation: "Evaluation") -> list[Target]:
    return [NO_TARGET]


def card_targets(evaluation: "Evaluation", seats: Iterable[str], up: bool | None = None) -> list[Target]:
    """Return the cards of villages that this seat may touch: all, or only faceup or facedown ones."""
    return [
        Target("", seat, place)
        for seat in seats
        for place, card in enumerate(evaluation.villages[seat])
        if (up is None or card.up == up) and evaluation.may_touch(Spot(seat, place))
    ]


def any_card_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.villages)


def faceup_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.villages, True)


def facedown_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, evaluation.villages, False)


def own_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, [evaluation.me])


def own_facedown_targets(evaluation: "Evaluation") -> list[Target]:
    return card_targets(evaluation, [evaluation.me], False)


def other_facedown_targets(evaluation: "Evaluation") -> list[Target]:
    """Facedown cards of other villages."""
    return card_targets(evaluation, evaluation.others, False)


def movable_targets(evaluation: "Evaluation") -> list[Target]:
    """Return the cards that may be moved (G23)."""
    return card_targets(evaluation, [seat for seat in evaluation.villages if not evaluation.is_closed(seat)])


def other_movable_targets(evaluation: "Evaluation") -> list[Target]:
    """Return the cards of other villages that may be moved (G23)."""
    return [model for model in movable_targets(evaluation) if model.seat != evaluation.me]


def reachable_pile_cards(evaluation: "Evaluation", label: str) -> list[Card]:
    """Return the cards of the discard pile named by `take 1`, `use 2` and so on; before the question, all."""
    asking, pile = evaluation.view.asking, evaluation.view.discard
    if asking is not None and asking.label == label:
        return [pile[depth - 1] for depth in asking.depths]
    return list(pile)


def village_targets(evaluation: "Evaluation") -> list[Target]:
    """Return the villages with a card that this seat may touch."""
    return [Target("", seat) for seat in evaluation.villages if card_targets(evaluation, [seat])]
