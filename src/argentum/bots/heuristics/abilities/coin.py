"""Ability models of Silver Coin (look_on goes to common)."""

from math import fsum, sqrt
from typing import Final

from argentum.bots.heuristics.abilities.common import borrowed, look_on
from argentum.bots.heuristics.ability_model import (
    BORROWS,
    CLEARS,
    DIGS,
    FLIPS,
    LOOKS,
    PARTS,
    PLANS,
    PUTS,
    REMOVES,
    SWITCHES,
    Picks,
    Plan,
    Target,
    Village,
    any_card,
    any_facedown,
    any_faceup,
    any_village,
    cards,
    movable,
    once,
    own_cards,
    within_reach,
)
from argentum.bots.heuristics.beliefs import variance
from argentum.bots.heuristics.evaluation import TEMPO, Judgement, faceup, normal
from argentum.bots.heuristics.exchanges import Exchanges, offer
from argentum.rules.views import Card


def regifter(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it gives the worst other card away, to the harm of somebody else."""
    others = [judgement.mean(one) for one in village if one is not card and not one.covered]
    return total - 1.7 * max(others, default=0.0) if card.up else total


def regift(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Give a card away at the end of the round, or none."""
    if not target.seat:
        return 0.0
    end, receiver = judgement.ending, target.verb[-1]
    return end.gain({target.seat: end.without(target.spot), receiver: [*end.villages[receiver], end.card(target.spot)]})


PLANS["C0"] = Plan(gain=regift, standing=regifter, faceup=11.0, ending=PARTS)


def con_artist(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it is good for another turn."""
    return total - 1.2 * judgement.soon if card.up else total


def another_turn(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Con Artist: turns are good."""
    return TEMPO


PLANS["C1"] = Plan(once, another_turn, con_artist, faceup=1.5, eager=True)


def curator(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes a card off every other turn."""
    return total - min(judgement.left, 4.0) * 0.6 if card.up else total


def exhibits(judgement: Judgement) -> list[Target]:
    """What a Curator may do with each card."""
    turned = [one._replace(verb="rotate") for one in own_cards(judgement)]
    return turned + [one._replace(verb="discard") for one in turned if judgement.card(one.spot).sideways]


def curate(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Discard the worst sideways card; else turn the worst sideways, if there is time to discard it."""
    card = judgement.card(target.spot)
    if judgement.has(card, judgement.cast.clings):
        return -0.1  # it would stay
    gain = judgement.gain({judgement.me: judgement.without(target.spot)})
    if target.verb == "discard":
        return gain - offer(judgement, card)
    return -gain / 2 if card.sideways else gain / 3 * judgement.soon


PLANS["C2"] = Plan(exhibits, curate, curator, faceup=2.5, eager=True)


def helper(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Pixie, Blob: of some use while faceup."""
    return total - 0.3 * judgement.soon if card.up else total


def pixie(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn another card over; the Pixie is spent on it."""
    return judgement.flip(target.spot) - 0.3 * judgement.soon


PLANS["C3"] = Plan(any_card, pixie, helper, faceup=0.3, deed=FLIPS)


def blob(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Use what lies on the discard pile."""
    return borrowed(judgement, judgement.view.discard[0]) if judgement.view.discard else 0.0


PLANS["C4"] = Plan(once, blob, helper, faceup=0.5, deed=BORROWS)


def apprentice_tanner(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Five points, for a flip."""
    joins = judgement.gain({judgement.me: [*judgement.villages[judgement.me], faceup(5)]})
    return joins + judgement.flip(target.spot)


PLANS["C5"] = Plan(any_card, apprentice_tanner, deed=FLIPS)


def huntress(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn one card down, then another one up."""
    gain = judgement.flip(target.spot)
    if judgement.card(target.spot).up:
        gain += max([judgement.flip(one.spot) for one in any_facedown(judgement)], default=0.0)
    return gain


PLANS["C6"] = Plan(any_faceup, huntress, usual=0.8, deed=FLIPS)


def nostro(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at a village."""
    return fsum([judgement.look(one.spot) for one in cards(judgement, [target.seat], False)])


PLANS["C7"] = Plan(any_village, nostro, usual=1.5, deed=LOOKS)


def removable(judgement: Judgement) -> list[Target]:
    """Faceup cards that may be taken away."""
    return [one for one in movable(judgement) if judgement.card(one.spot).up]


def assassin(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Away with a bad card of one's own, or a good one of somebody else's."""
    return judgement.gain({target.seat: judgement.without(target.spot)})


PLANS["C8"] = Plan(removable, assassin, usual=2.0, deed=REMOVES)


def psychic(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at three cards."""
    return look_on(judgement, target, picked, 3)


PLANS["C9"] = Plan(any_facedown, psychic, usual=1.6, deed=LOOKS)


def buried(judgement: Judgement) -> list[Card]:
    """The three cards below a Nosferatu, or that will lie there."""
    return within_reach(judgement, "C10")[:3]


def diggings(judgement: Judgement) -> list[Target]:
    """What a Nosferatu may do."""
    return [Target(verb, "", nth + 1) for nth in range(len(buried(judgement))) for verb in ("take", "use")]


def nosferatu(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Take a good card, or use one."""
    card = buried(judgement)[target.place - 1]
    return Exchanges(judgement).best(card)[0] if target.verb == "take" else borrowed(judgement, card)


PLANS["C10"] = Plan(diggings, nosferatu, usual=2.0, deed=DIGS)


def golem(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Put what lies on the discard pile where it does most good."""
    pile = judgement.view.discard
    first = 1 if pile and judgement.is_one("C11", pile[0]) and judgement.view.hand is None else 0
    if len(pile) <= first:
        return 0.0
    return judgement.gain({target.seat: judgement.put(target.spot, pile[first])})


PLANS["C11"] = Plan(movable, golem, usual=2.5, deed=PUTS, takes=True)


BLANK: Final = Card(None, False)


def ways(judgement: Judgement) -> list[Target]:
    """Two directions."""
    return [Target("clockwise"), Target("counterclockwise")]


def village_idiot(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Pass one's worst card on, and get a neighbour's best."""
    if target.seat:  # whatever comes for it
        return judgement.gain({target.seat: judgement.put(target.spot, BLANK)})
    seats = [seat for seat in judgement.villages if not judgement.closed(seat) and cards(judgement, [seat])]
    if judgement.me not in seats or len(seats) < 2:
        return 0.0
    step = 1 if target.verb == "clockwise" else -1
    giver = seats[(seats.index(judgement.me) - step) % len(seats)]
    theirs = [one.spot for one in cards(judgement, [giver])]
    return max([judgement.switch(one.spot, other) for one in own_cards(judgement) for other in theirs], default=0.0)


PLANS["C12"] = Plan(ways, village_idiot, usual=4.0, deed=SWITCHES, takes=True)


def wolfman(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes a low village count nothing."""
    if not card.up:
        return total
    others = fsum([printed(judgement, one) for one in village]) - 13
    spread = fsum([variance(judgement.beliefs.chances(one)) for one in village if one.number is None])
    chance = normal((12.5 + judgement.left - others) / sqrt(spread + 0.1 + judgement.left))
    return total * (1 - chance)


def printed(judgement: Judgement, card: Card) -> float:
    """What a Wolfman counts for another card (C13)."""
    counts_nothing = judgement.muted(card) or (card.up and judgement.is_one("D2", card))
    return 0.0 if counts_nothing else judgement.mean(card)


PLANS["C13"] = Plan(standing=wolfman, faceup=6.0, ending=CLEARS)


def silver_coin(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn a card over, but not the first that comes along."""
    return judgement.flip(target.spot) - min(judgement.left, 4.0) * 0.8


PLANS["C14"] = Plan(any_card, silver_coin, deed=FLIPS)
