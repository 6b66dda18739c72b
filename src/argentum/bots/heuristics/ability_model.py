"""A plan: what bots know of a resident or a token. There is one for each, in `plans/`, and nothing anywhere else."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from argentum.rules.boxes import BOX_BY_NAME
from argentum.rules.move import Move
from argentum.rules.notation import (
    GIVE,
    PASS,
    PICK_CARD,
    PICK_VILLAGE,
    SEAT_LETTERS,
    TAKE_FROM_PILE,
    USE,
    USE_ABILITY,
    USE_TOKEN,
)
from argentum.rules.residents import TIMING_SCORING
from argentum.rules.views import Card, View

if TYPE_CHECKING:
    from argentum.bots.heuristics.evaluation import Evaluation

Village: TypeAlias = Sequence[Card]


class Spot(NamedTuple):
    """A place of a village, from 0 at its owner's left."""

    seat: str
    place: int


class Target(NamedTuple):
    """What a move inside an ability names: a card, a village (`place` -1), or a word, perhaps with a number."""

    verb: str = ""
    seat: str = ""
    place: int = -1

    @property
    def spot(self) -> Spot:
        """Where the card lies."""
        return Spot(self.seat, self.place)


NO_TARGET: Final = Target()
PickedTargets: TypeAlias = Sequence[Target]  # what was chosen so far in this use
GainFunction: TypeAlias = "Callable[[Evaluation, Target, PickedTargets], float]"
TargetFunction: TypeAlias = "Callable[[Evaluation], Iterable[Target]]"
# What a known card means for its owner's sum besides its number: judgement, seat, village, card and the sum so far;
# the sum with it is returned.
SumAdjustment: TypeAlias = "Callable[[Evaluation, str, Village, Card, float], float]"

# What an ability does, for a player that has no time to work out a gain.
EFFECT_NONE: Final = 0  # nothing that is asked for
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

# What a faceup card does to its owner's sum at the end of a round.
SUM_UNCHANGED: Final = 0
SUM_HALVED: Final = 1
SUM_WITHOUT_HIGHEST: Final = 2  # takes the highest card away
SUM_CLEARED: Final = 3  # a low sum
SUM_REDUCED: Final = 4  # for the cards of the others


@dataclass(frozen=True)
class AbilityModel:
    """What a resident or a token is good for. Whoever has no plan is a plain number."""

    # To weigh it with care: what could be chosen first, what each choice gains, and what its card means for a sum.
    targets: "TargetFunction | None" = None
    gain: "GainFunction | None" = None
    adjust_sum: "SumAdjustment | None" = None
    # As a rule: what its ability gains when drawn, and by how much its card is better for its owner if faceup.
    typical_gain: float = 0.0
    faceup_bonus: float = 0.0
    final_value: float | None = None  # at the end, if not its number
    effect: int = EFFECT_NONE
    own_cards_only: bool = False  # it works on cards of one's own only
    may_take_cards: bool = False  # it may take a good card from somebody
    always_use: bool = False  # a village ability that is used whenever it may be
    sum_effect: int = SUM_UNCHANGED


NO_MODEL: Final = AbilityModel()
ABILITY_MODELS: Final[dict[str, AbilityModel]] = {}  # by the label of the resident or token


def ability_gain(evaluation: "Evaluation", label: str) -> float:
    """What it gains to use an ability now, with the best choice; very little if there is nothing to choose."""
    model = ABILITY_MODELS.get(label, NO_MODEL)
    if model.gain is None or model.targets is None:
        return 0.0
    return max([model.gain(evaluation, target, ()) for target in model.targets(evaluation)], default=-1.0)


def typical_gain(evaluation: "Evaluation", number: int) -> float:
    """What the draw ability of a number gains as a rule."""
    return evaluation.models[number].typical_gain * (1.0 if evaluation.turns_left else 0.5)


def target_of_move(move: Move) -> Target:
    """What a move names."""
    if move >= GIVE:
        return Target(f"give {SEAT_LETTERS[(move - GIVE) >> 8]}", SEAT_LETTERS[move >> 6 & 3], move & 63)
    if move >= PICK_CARD:
        return Target(move.verb, SEAT_LETTERS[move >> 6 & 3], move & 63)
    if PICK_VILLAGE <= move < TAKE_FROM_PILE:
        return Target("", SEAT_LETTERS[move - PICK_VILLAGE])
    verb, _, number = str(move).partition(" ")
    return Target(verb, "", int(number)) if number.isdigit() else Target(str(move))


def ability_started_by(view: View, move: Move) -> str:
    """The label of the ability or token that a move begins; empty for none. (A borrowed one is not begun so.)"""
    asking = view.asking
    if move == USE_TOKEN:
        return BOX_BY_NAME[view.token].token_label
    if move & ~255 == USE_ABILITY:
        number = view.villages[view.seat][move & 63].number
        return "" if number is None else view.residents[number].label
    if asking is None:
        return ""
    if move == USE and asking.number is None and view.hand is not None and view.hand.number is not None:
        return view.residents[view.hand.number].label
    closing = asking.number is not None and view.residents[asking.number].timing == TIMING_SCORING
    return asking.label if closing and move != PASS else ""


# What there is to choose from.


def no_choice(evaluation: "Evaluation") -> list[Target]:
    """Nothing to choose."""
    return [NO_TARGET]


def card_targets(evaluation: "Evaluation", seats: Iterable[str], up: bool | None = None) -> list[Target]:
    """The cards of some villages that one may touch: all, or those that lie faceup or facedown."""
    return [
        Target("", seat, place)
        for seat in seats
        for place, card in enumerate(evaluation.villages[seat])
        if (up is None or card.up == up) and evaluation.may_touch(Spot(seat, place))
    ]


def any_card_targets(evaluation: "Evaluation") -> list[Target]:
    """Any card."""
    return card_targets(evaluation, evaluation.villages)


def faceup_targets(evaluation: "Evaluation") -> list[Target]:
    """Any faceup card."""
    return card_targets(evaluation, evaluation.villages, True)


def facedown_targets(evaluation: "Evaluation") -> list[Target]:
    """Any facedown card."""
    return card_targets(evaluation, evaluation.villages, False)


def own_targets(evaluation: "Evaluation") -> list[Target]:
    """One's own cards."""
    return card_targets(evaluation, [evaluation.me])


def own_facedown_targets(evaluation: "Evaluation") -> list[Target]:
    """One's own facedown cards."""
    return card_targets(evaluation, [evaluation.me], False)


def other_facedown_targets(evaluation: "Evaluation") -> list[Target]:
    """Facedown cards of other villages."""
    return card_targets(evaluation, evaluation.others, False)


def movable_targets(evaluation: "Evaluation") -> list[Target]:
    """Cards that may be moved (G23)."""
    return card_targets(evaluation, [seat for seat in evaluation.villages if not evaluation.is_closed(seat)])


def other_movable_targets(evaluation: "Evaluation") -> list[Target]:
    """Cards of other villages that may be moved."""
    return [model for model in movable_targets(evaluation) if model.seat != evaluation.me]


def reachable_pile_cards(evaluation: "Evaluation", label: str) -> list[Card]:
    """The cards of the discard pile that `take 1`, `use 2` ... mean; before it is asked, all, from the top."""
    asking, pile = evaluation.view.asking, evaluation.view.discard
    if asking is not None and asking.label == label:
        return [pile[depth - 1] for depth in asking.depths]
    return list(pile)


def village_targets(evaluation: "Evaluation") -> list[Target]:
    """Any village with cards that one may touch."""
    return [Target("", seat) for seat in evaluation.villages if card_targets(evaluation, [seat])]
