"""Silver Bullet: what its residents and its token are good for."""

from typing import Final

from argentum.bots.exchanges import offer
from argentum.bots.judgement import BLIND, Judgement, Village, faceup, standing
from argentum.bots.plan import (
    Picks,
    Target,
    any_card,
    any_faceup,
    any_village,
    cards,
    movable,
    once,
    own_cards,
    plan,
    worth,
)
from argentum.rules.residents import DRAWN
from argentum.rules.views import Card

BORROWERS: Final = ("B9", "C10", "D8")  # of a borrower that is borrowed in turn, not much is expected


@standing("B0")
def hunter(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes the worst card away."""
    return total - highest(judgement, village) if card.up else total


def highest(judgement: Judgement, village: Village) -> float:
    """The highest number to expect in a village."""
    return max([judgement.mean(card) for card in village if not card.covered], default=0.0)


@standing("B1")
def lycan(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes sets."""
    return total - 0.4 * judgement.soon if card.up else total


@standing("B2")
@standing("B3")
def helper(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Priest, Goth Girl: of some use while faceup."""
    return total - 0.2 * judgement.soon if card.up else total


@plan("B2", own_cards)
@plan("B6", any_card, usual=0.9)
def flip(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Priest, Instigator: turn a card over."""
    return judgement.flip(target.spot)


@standing("B4")
def mortician(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes more of what is exchanged."""
    return total - 1.0 * judgement.soon if card.up else total


@plan("B4", once, "word")
def bury(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Mortician: `use 6` and the like."""
    return worth(judgement, judgement.labels[target.place]) if target.verb == "use" else 0.0


@plan("B5", once, "")
def cow(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Hide a card that the next seat would like to draw; or, while ahead, see what the others draw."""
    view = judgement.view
    if view.deck_up:
        return offer(judgement, view.deck[0]) - 0.1 if view.deck else 0.0
    return 0.1 if judgement.now > 0 else -0.1


@plan("B7", once, "", usual=1.5)
def insomniac(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Get to know one's own cards."""
    return sum([judgement.look(one.spot) for one in cards(judgement, [judgement.me], False)])


@plan("B8", any_village, "village", usual=0.8)
def thing(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Make somebody forget its cards."""
    village = judgement.villages[target.seat]
    known = len([card for card in village if not card.up and not card.covered and target.seat in card.known_by])
    loss = BLIND * judgement.soon * known
    return -loss if target.seat == judgement.me else judgement.weights[target.seat] * loss


def lenders(judgement: Judgement) -> list[Target]:
    """Faceup cards with a draw ability that may be borrowed."""
    return [one for one in any_faceup(judgement) if lends(judgement, judgement.card(one.spot))]


@plan("B9", lenders, usual=0.7)
def marksman(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Use the best ability in sight."""
    return borrowed(judgement, judgement.card(target.spot))


def borrowed(judgement: Judgement, card: Card) -> float:
    """What it gains to use the draw ability of another card."""
    if not lends(judgement, card):
        return 0.0
    label = judgement.label(card)
    return 0.5 if label in BORROWERS else worth(judgement, label)


def lends(judgement: Judgement, card: Card) -> bool:
    """Whether a card has a draw ability that may be borrowed (X1, X2)."""
    if card.number is None or not card.up:
        return False
    resident = judgement.view.residents[card.number]
    return resident.timing == DRAWN and resident.lent


@plan("B10", once, "", usual=0.2)
def count(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Bring the end of the round nearer while ahead."""
    ahead = judgement.ending.now
    return ahead - 2.0 if len(judgement.view.deck) <= 10 else 0.1 * ahead - 0.2


@plan("B11", movable, usual=4.0)
def troublemaker(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Switch one's worst card for somebody's best."""
    if picked:
        return judgement.switch(picked[0].spot, target.spot)
    return max(
        [judgement.switch(target.spot, one.spot) for one in movable(judgement) if one.seat != target.seat], default=0.0
    )


@plan("B12", any_village, "village", usual=5.0)
def gremlin(judgement: Judgement, target: Target, picked: Picks) -> float:
    """A present for a rival."""
    if judgement.guarded(target.seat):
        return -12.0
    return judgement.gain({target.seat: [*judgement.villages[target.seat], faceup(12)]})


@standing("B13")
def copycat(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """It counts as the lowest other card."""
    others = [judgement.copied(one) for one in village if not judgement.is_one("B13", one)]
    return total - 13 + min(others, default=13.0)


@plan("B14", own_cards)
def silver_bullet(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Make the worst card count nothing: a bad one at once, any before it is too late."""
    card = judgement.card(target.spot)
    gain = judgement.gain({judgement.me: judgement.put(target.spot, card._replace(covered=True))})
    return gain - min(judgement.left, 4.0) * 1.5
