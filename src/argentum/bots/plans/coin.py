"""Silver Coin: what its residents and its token are good for."""

from math import sqrt
from typing import Final

from argentum.bots.beliefs import variance
from argentum.bots.exchanges import Exchanges, offer
from argentum.bots.judgement import TEMPO, Judgement, Village, faceup, normal, standing
from argentum.bots.plan import (
    Picks,
    Target,
    any_card,
    any_facedown,
    any_faceup,
    any_village,
    cards,
    movable,
    once,
    own_cards,
    plan,
)
from argentum.bots.plans.bullet import borrowed
from argentum.rules.views import Card


@standing("C0")
def regifter(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it gives the worst other card away, to the harm of somebody else."""
    others = [judgement.mean(one) for one in village if one is not card and not one.covered]
    return total - 1.7 * max(others, default=0.0) if card.up else total


@standing("C1")
def con_artist(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it is good for another turn."""
    return total - 1.2 * judgement.soon if card.up else total


@plan("C1", once, "")
def another_turn(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Con Artist: turns are good."""
    return TEMPO


@standing("C2")
def curator(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes a card off every other turn."""
    return total - min(judgement.left, 4.0) * 0.6 if card.up else total


def exhibits(judgement: Judgement) -> list[Target]:
    """What a Curator may do with each card."""
    turned = [one._replace(verb="rotate") for one in own_cards(judgement)]
    return turned + [one._replace(verb="discard") for one in turned if judgement.card(one.spot).sideways]


@plan("C2", exhibits)
def curate(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Discard the worst sideways card; else turn the worst sideways, if there is time to discard it."""
    card = judgement.card(target.spot)
    if judgement.is_one("D4", card):
        return -0.1  # a Zombie stays
    gain = judgement.gain({judgement.me: judgement.without(target.spot)})
    if target.verb == "discard":
        return gain - offer(judgement, card)
    return -gain / 2 if card.sideways else gain / 3 * judgement.soon


@standing("C3")
@standing("C4")
def helper(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Pixie, Blob: of some use while faceup."""
    return total - 0.3 * judgement.soon if card.up else total


@plan("C3", any_card)
def pixie(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn another card over; the Pixie is spent on it."""
    return judgement.flip(target.spot) - 0.3 * judgement.soon


@plan("C4", once, "")
def blob(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Use what lies on the discard pile."""
    return borrowed(judgement, judgement.view.discard[0]) if judgement.view.discard else 0.0


@plan("C5", any_card)
def apprentice_tanner(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Five points, for a flip."""
    joins = judgement.gain({judgement.me: [*judgement.villages[judgement.me], faceup(5)]})
    return joins + judgement.flip(target.spot)


@plan("C6", any_faceup, usual=0.8)
def huntress(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn one card down, then another one up."""
    gain = judgement.flip(target.spot)
    if judgement.card(target.spot).up:
        gain += max([judgement.flip(one.spot) for one in any_facedown(judgement)], default=0.0)
    return gain


@plan("C7", any_village, "village", usual=1.5)
def nostro(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at a village."""
    return sum([judgement.look(one.spot) for one in cards(judgement, [target.seat], False)])


def removable(judgement: Judgement) -> list[Target]:
    """Faceup cards that may be taken away."""
    return [one for one in movable(judgement) if judgement.card(one.spot).up]


@plan("C8", removable, usual=2.0)
def assassin(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Away with a bad card of one's own, or a good one of somebody else's."""
    return judgement.gain({target.seat: judgement.without(target.spot)})


@plan("C9", any_facedown, usual=1.6)
def psychic(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at three cards."""
    return look_on(judgement, target, picked, 3)


def look_on(judgement: Judgement, target: Target, picked: Picks, most: int) -> float:
    """Look at a card, and at the best others as far as there are looks left; the best comes first."""
    looks = sorted([judgement.look(one.spot) for one in any_facedown(judgement) if one != target], reverse=True)
    return 1.01 * judgement.look(target.spot) + sum(looks[: most - 1 - len(picked)])


def buried(judgement: Judgement) -> list[Card]:
    """The three cards below a Nosferatu, which is in hand or lies on top."""
    pile = judgement.view.discard
    first = 1 if pile and judgement.is_one("C10", pile[0]) and judgement.view.hand is None else 0
    return list(pile[first : first + 3])


def diggings(judgement: Judgement) -> list[Target]:
    """What a Nosferatu may do."""
    return [Target(verb, "", nth + 1) for nth in range(len(buried(judgement))) for verb in ("take", "use")]


@plan("C10", diggings, "word", usual=2.0)
def nosferatu(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Take a good card, or use one."""
    pile = buried(judgement)
    if not 1 <= target.place <= len(pile):
        return 0.0
    card = pile[target.place - 1]
    return Exchanges(judgement).best(card)[0] if target.verb == "take" else borrowed(judgement, card)


@plan("C11", movable, usual=2.5)
def golem(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Put what lies on the discard pile where it does most good."""
    pile = judgement.view.discard
    first = 1 if pile and judgement.is_one("C11", pile[0]) and judgement.view.hand is None else 0
    if len(pile) <= first:
        return 0.0
    return judgement.gain({target.seat: judgement.put(target.spot, pile[first])})


BLANK: Final = Card(None, False)


def ways(judgement: Judgement) -> list[Target]:
    """Two directions."""
    return [Target("clockwise"), Target("counterclockwise")]


@plan("C12", ways, "word card", usual=4.0)
def village_idiot(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Pass one's worst card on, and get a neighbour's best."""
    if target.seat:  # whatever comes for it
        return judgement.gain({target.seat: judgement.put(target.spot, BLANK)})
    seats = [seat for seat in judgement.villages if not judgement.guarded(seat) and judgement.villages[seat]]
    if judgement.me not in seats or len(seats) < 2:
        return 0.0
    step = 1 if target.verb == "clockwise" else -1
    giver = seats[(seats.index(judgement.me) - step) % len(seats)]
    theirs = [one.spot for one in cards(judgement, [giver])]
    return max([judgement.switch(one.spot, other) for one in own_cards(judgement) for other in theirs], default=0.0)


@standing("C13")
def wolfman(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes a low village count nothing."""
    if not card.up:
        return total
    others = sum([judgement.printed(one) for one in village]) - 13
    spread = sum([variance(judgement.beliefs.chances(one)) for one in village if one.number is None])
    chance = normal((12.5 + judgement.left - others) / sqrt(spread + 0.1 + judgement.left))
    return total * (1 - chance)


@plan("C14", any_card)
def silver_coin(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn a card over, but not the first that comes along."""
    return judgement.flip(target.spot) - min(judgement.left, 4.0) * 0.8
