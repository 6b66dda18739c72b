"""Ability models of Silver Bullet (borrowed, lends go to common)."""

from math import fsum

from argentum.bots.heuristics.abilities.common import borrow_gain, has_borrowable_ability
from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_BORROW,
    EFFECT_COVER,
    EFFECT_FLIP,
    EFFECT_LOOK,
    EFFECT_SHUFFLE,
    EFFECT_SWITCH,
    SUM_WITHOUT_HIGHEST,
    AbilityModel,
    PickedTargets,
    Target,
    Village,
    ability_gain,
    any_card_targets,
    faceup_targets,
    movable_targets,
    no_choice,
    own_facedown_targets,
    own_targets,
    village_targets,
)
from argentum.bots.heuristics.evaluation import UNKNOWN_CARD_COST, Evaluation, faceup_card
from argentum.bots.heuristics.exchanges import discard_cost
from argentum.rules.views import Card


def hunter_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes the worst card away."""
    return total - highest_expected(judgement, village) if card.up else total


def highest_expected(judgement: Evaluation, village: Village) -> float:
    """The highest number to expect in a village."""
    return max([judgement.mean(card) for card in village if not card.covered], default=0.0)


def hunter_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Remove a card at the end of the round, or none."""
    return (
        judgement.at_round_end.gain({target.seat: judgement.at_round_end.without_card_at(target.spot)})
        if target.seat
        else 0.0
    )


ABILITY_MODELS["B0"] = AbilityModel(
    gain=hunter_gain, adjust_sum=hunter_sum, faceup_bonus=8.0, sum_effect=SUM_WITHOUT_HIGHEST
)


def lycan_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes sets."""
    return total - 0.4 * judgement.time_factor if card.up else total


ABILITY_MODELS["B1"] = AbilityModel(adjust_sum=lycan_sum, faceup_bonus=0.4)


def helper_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Priest, Goth Girl: of some use while faceup."""
    return total - 0.2 * judgement.time_factor if card.up else total


def flip_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Priest, Instigator: turn a card over."""
    return judgement.flip_gain(target.spot)


ABILITY_MODELS["B2"] = AbilityModel(
    own_targets, flip_gain, helper_sum, faceup_bonus=0.3, effect=EFFECT_FLIP, own_cards_only=True
)
ABILITY_MODELS["B3"] = AbilityModel(adjust_sum=helper_sum, faceup_bonus=0.2)


def mortician_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes more of what is exchanged."""
    return total - 1.0 * judgement.time_factor if card.up else total


def mortician_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Mortician: `use 6` and the like."""
    return ability_gain(judgement, judgement.cast.labels[target.place]) if target.verb == "use" else 0.0


ABILITY_MODELS["B4"] = AbilityModel(no_choice, mortician_gain, mortician_sum, faceup_bonus=1.0)


def cow_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Hide a card that the next seat would like to draw; or, while ahead, see what the others draw."""
    view = judgement.view
    if view.deck_up:
        return discard_cost(judgement, view.deck[0]) - 0.1 if view.deck else 0.0
    return 0.1 if judgement.current_outlook > 0 else -0.1


ABILITY_MODELS["B5"] = AbilityModel(no_choice, cow_gain)
ABILITY_MODELS["B6"] = AbilityModel(any_card_targets, flip_gain, typical_gain=0.9, effect=EFFECT_FLIP)


def insomniac_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Get to know one's own cards."""
    return fsum([judgement.look_gain(one.spot) for one in own_facedown_targets(judgement)])


ABILITY_MODELS["B7"] = AbilityModel(
    no_choice, insomniac_gain, typical_gain=1.5, effect=EFFECT_LOOK, own_cards_only=True
)


def thing_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Make somebody forget its cards."""
    village = judgement.villages[target.seat]
    known = len([card for card in village if not card.up and not card.covered and target.seat in card.known_by])
    loss = UNKNOWN_CARD_COST * judgement.time_factor * known
    return -loss if target.seat == judgement.me else judgement.weights[target.seat] * loss


ABILITY_MODELS["B8"] = AbilityModel(village_targets, thing_gain, typical_gain=0.8, effect=EFFECT_SHUFFLE)


def borrow_targets(judgement: Evaluation) -> list[Target]:
    """Faceup cards with a draw ability that may be borrowed."""
    return [one for one in faceup_targets(judgement) if has_borrowable_ability(judgement, judgement.card(one.spot))]


def marksman_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Use the best ability in sight."""
    return borrow_gain(judgement, judgement.card(target.spot))


ABILITY_MODELS["B9"] = AbilityModel(borrow_targets, marksman_gain, typical_gain=0.7, effect=EFFECT_BORROW)


def count_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Bring the end of the round nearer while ahead."""
    ahead = judgement.at_round_end.current_outlook
    return ahead - 2.0 if len(judgement.view.deck) <= 10 else 0.1 * ahead - 0.2


ABILITY_MODELS["B10"] = AbilityModel(no_choice, count_gain)


def troublemaker_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Switch one's worst card for somebody's best."""
    if picked:
        return judgement.switch_gain(picked[0].spot, target.spot)
    return max(
        [judgement.switch_gain(target.spot, one.spot) for one in movable_targets(judgement) if one.seat != target.seat],
        default=0.0,
    )


ABILITY_MODELS["B11"] = AbilityModel(
    movable_targets, troublemaker_gain, typical_gain=4.0, effect=EFFECT_SWITCH, may_take_cards=True
)


def open_village_targets(judgement: Evaluation) -> list[Target]:
    """Any village that is not closed."""
    return [Target("", seat) for seat in judgement.villages if not judgement.is_closed(seat)]


def gremlin_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """A present for a rival."""
    return judgement.gain({target.seat: [*judgement.villages[target.seat], faceup_card(12)]})


ABILITY_MODELS["B12"] = AbilityModel(open_village_targets, gremlin_gain, typical_gain=5.0)


def copycat_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """It counts as the lowest other card."""
    others = [copied_value(judgement, one) for one in village if not judgement.is_resident("B13", one)]
    return total - 13 + min(others, default=13.0)


def copied_value(judgement: Evaluation, card: Card) -> float:
    """What a Copycat may count for another card (B13, B14, X7)."""
    if judgement.is_muted(card):
        return 0.0
    return 13.0 if card.up and judgement.is_resident("D2", card) else judgement.mean(card)


ABILITY_MODELS["B13"] = AbilityModel(adjust_sum=copycat_sum, final_value=2.5)


def silver_bullet_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Make the worst card count nothing: a bad one at once, any before it is too late."""
    card = judgement.card(target.spot)
    gain = judgement.gain({judgement.me: judgement.with_card_at(target.spot, card._replace(covered=True))})
    return gain - min(judgement.turns_left, 4.0) * 1.5


ABILITY_MODELS["B14"] = AbilityModel(own_targets, silver_bullet_gain, effect=EFFECT_COVER)
