"""Ability models of Silver Bullet (borrowed, lends go to common)."""

from math import fsum

from argentum.bots.heuristics.abilities.common import borrowed, lends
from argentum.bots.heuristics.ability_model import (
    BORROWS,
    COVERS,
    FLIPS,
    LOOKS,
    PARTS,
    PLANS,
    SHUFFLES,
    SWITCHES,
    Picks,
    Plan,
    Target,
    Village,
    any_card,
    any_faceup,
    any_village,
    movable,
    once,
    own_cards,
    own_facedown,
    worth,
)
from argentum.bots.heuristics.evaluation import BLIND, Judgement, faceup
from argentum.bots.heuristics.exchanges import offer
from argentum.rules.views import Card


def hunter(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes the worst card away."""
    return total - highest(judgement, village) if card.up else total


def highest(judgement: Judgement, village: Village) -> float:
    """The highest number to expect in a village."""
    return max([judgement.mean(card) for card in village if not card.covered], default=0.0)


def hunt(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Remove a card at the end of the round, or none."""
    return judgement.ending.gain({target.seat: judgement.ending.without(target.spot)}) if target.seat else 0.0


PLANS["B0"] = Plan(gain=hunt, standing=hunter, faceup=8.0, ending=PARTS)


def lycan(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes sets."""
    return total - 0.4 * judgement.soon if card.up else total


PLANS["B1"] = Plan(standing=lycan, faceup=0.4)


def helper(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Priest, Goth Girl: of some use while faceup."""
    return total - 0.2 * judgement.soon if card.up else total


def flip(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Priest, Instigator: turn a card over."""
    return judgement.flip(target.spot)


PLANS["B2"] = Plan(own_cards, flip, helper, faceup=0.3, deed=FLIPS, own=True)
PLANS["B3"] = Plan(standing=helper, faceup=0.2)


def mortician(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes more of what is exchanged."""
    return total - 1.0 * judgement.soon if card.up else total


def bury(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Mortician: `use 6` and the like."""
    return worth(judgement, judgement.cast.labels[target.place]) if target.verb == "use" else 0.0


PLANS["B4"] = Plan(once, bury, mortician, faceup=1.0)


def cow(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Hide a card that the next seat would like to draw; or, while ahead, see what the others draw."""
    view = judgement.view
    if view.deck_up:
        return offer(judgement, view.deck[0]) - 0.1 if view.deck else 0.0
    return 0.1 if judgement.now > 0 else -0.1


PLANS["B5"] = Plan(once, cow)
PLANS["B6"] = Plan(any_card, flip, usual=0.9, deed=FLIPS)


def insomniac(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Get to know one's own cards."""
    return fsum([judgement.look(one.spot) for one in own_facedown(judgement)])


PLANS["B7"] = Plan(once, insomniac, usual=1.5, deed=LOOKS, own=True)


def thing(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Make somebody forget its cards."""
    village = judgement.villages[target.seat]
    known = len([card for card in village if not card.up and not card.covered and target.seat in card.known_by])
    loss = BLIND * judgement.soon * known
    return -loss if target.seat == judgement.me else judgement.weights[target.seat] * loss


PLANS["B8"] = Plan(any_village, thing, usual=0.8, deed=SHUFFLES)


def lenders(judgement: Judgement) -> list[Target]:
    """Faceup cards with a draw ability that may be borrowed."""
    return [one for one in any_faceup(judgement) if lends(judgement, judgement.card(one.spot))]


def marksman(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Use the best ability in sight."""
    return borrowed(judgement, judgement.card(target.spot))


PLANS["B9"] = Plan(lenders, marksman, usual=0.7, deed=BORROWS)


def count(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Bring the end of the round nearer while ahead."""
    ahead = judgement.ending.now
    return ahead - 2.0 if len(judgement.view.deck) <= 10 else 0.1 * ahead - 0.2


PLANS["B10"] = Plan(once, count)


def troublemaker(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Switch one's worst card for somebody's best."""
    if picked:
        return judgement.switch(picked[0].spot, target.spot)
    return max(
        [judgement.switch(target.spot, one.spot) for one in movable(judgement) if one.seat != target.seat], default=0.0
    )


PLANS["B11"] = Plan(movable, troublemaker, usual=4.0, deed=SWITCHES, takes=True)


def any_host(judgement: Judgement) -> list[Target]:
    """Any village that is not closed."""
    return [Target("", seat) for seat in judgement.villages if not judgement.closed(seat)]


def gremlin(judgement: Judgement, target: Target, picked: Picks) -> float:
    """A present for a rival."""
    return judgement.gain({target.seat: [*judgement.villages[target.seat], faceup(12)]})


PLANS["B12"] = Plan(any_host, gremlin, usual=5.0)


def copycat(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """It counts as the lowest other card."""
    others = [copied(judgement, one) for one in village if not judgement.is_one("B13", one)]
    return total - 13 + min(others, default=13.0)


def copied(judgement: Judgement, card: Card) -> float:
    """What a Copycat may count for another card (B13, B14, X7)."""
    if judgement.muted(card):
        return 0.0
    return 13.0 if card.up and judgement.is_one("D2", card) else judgement.mean(card)


PLANS["B13"] = Plan(standing=copycat, counts=2.5)


def silver_bullet(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Make the worst card count nothing: a bad one at once, any before it is too late."""
    card = judgement.card(target.spot)
    gain = judgement.gain({judgement.me: judgement.put(target.spot, card._replace(covered=True))})
    return gain - min(judgement.left, 4.0) * 1.5


PLANS["B14"] = Plan(own_cards, silver_bullet, deed=COVERS)
