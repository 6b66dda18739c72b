"""Silver Amulet: what its residents and its token are good for."""

from typing import Final

from argentum.bots.heuristics.abilities.common import look_on
from argentum.bots.heuristics.ability_model import (
    COVERS,
    DIGS,
    FLIPS,
    GUARDS,
    LOOKS,
    PLANS,
    SWITCHES,
    Picks,
    Plan,
    Spot,
    Target,
    Village,
    any_facedown,
    once,
    own_cards,
    own_facedown,
    their_facedown,
    their_movable,
    within_reach,
)
from argentum.bots.heuristics.evaluation import BLIND, Judgement
from argentum.bots.heuristics.exchanges import Exchanges, offer
from argentum.rules.notation import parse_spot
from argentum.rules.views import Card

MIDDLING: Final = 6.5  # what one gets for a card that is taken
SPENT: Final = 0.1  # a token that is used cannot be used better later

PLANS["A0"] = Plan()  # the judgement sees for itself when the round would end


def squire(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it shows cards: to all, but its owner is not always the last to choose."""
    return total - 0.1 * judgement.soon if card.up else total


PLANS["A1"] = Plan(standing=squire, faceup=0.1)


def empaths(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it gets to know the village."""
    unknown = len([one for one in village if not one.up and seat not in one.known_by])
    return total - 0.4 * min(unknown, 2) * judgement.soon if card.up else total


def look(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Empath, Apprentice Seer, Seer: look at a card."""
    return judgement.look(target.spot)


PLANS["A2"] = Plan(own_facedown, look, empaths, faceup=0.4, deed=LOOKS, own=True)


def bodyguards(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it keeps itself and another card."""
    return total - 0.3 * judgement.soon if card.up else total


def safety(judgement: Judgement, spot: Spot) -> float:
    """What it is worth that nobody takes a card of one's own: the lower it is, the more they would like it."""
    card = judgement.card(spot)
    bonus = judgement.plans[card.number].faceup if card.up and card.number is not None else 0.0
    loss = MIDDLING - judgement.mean(card) + bonus
    return judgement.threat / len(judgement.villages[spot.seat]) * max(loss, 0.0)


def wards(judgement: Judgement) -> list[Target]:
    """Cards of one's own that none guards yet, and that is not a guard."""
    guarded = [parse_spot(spot) & 63 for _, spot in judgement.view.guards if spot[0] == judgement.me]
    return [
        one
        for one in own_cards(judgement)
        if one.place not in guarded and not judgement.works(judgement.card(one.spot), judgement.cast.protects)
    ]


def guard(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Bodyguard: keep the best card; but not to and fro, one as good as the other."""
    kept = [Spot(spot[0], parse_spot(spot) & 63) for _, spot in judgement.view.guards if spot[0] == judgement.me]
    return safety(judgement, target.spot) - max([safety(judgement, spot) for spot in kept], default=0.0)


PLANS["A3"] = Plan(wards, guard, bodyguards, faceup=0.4, deed=GUARDS)


def rascal(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it draws better cards, turn for turn."""
    return total - min(judgement.left, 4.0) * 0.8 if card.up else total


PLANS["A4"] = Plan(standing=rascal, faceup=2.5)


def turn_up(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Exposer, Revealer: turn a card faceup."""
    return judgement.flip(target.spot)


PLANS["A5"] = Plan(own_facedown, turn_up, usual=0.8, deed=FLIPS, own=True)
PLANS["A6"] = Plan(any_facedown, turn_up, usual=0.9, deed=FLIPS)


def beholder(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at two cards of one's own."""
    return look_on(judgement, target, picked, 2, own_facedown)


PLANS["A7"] = Plan(own_facedown, beholder, usual=1.2, deed=LOOKS, own=True)
PLANS["A8"] = Plan(their_facedown, look, usual=0.3, deed=LOOKS)
PLANS["A9"] = Plan(any_facedown, look, usual=0.8, deed=LOOKS)


def treasures(judgement: Judgement) -> list[Target]:
    """What a Master may take: of equal cards, one."""
    first = {card: nth for nth, card in reversed(list(enumerate(within_reach(judgement, "A10"), 1)))}
    return [Target("take", "", nth) for nth in first.values()]


def master(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Take the card that does most good."""
    return Exchanges(judgement).best(within_reach(judgement, "A10")[target.place - 1])[0]


PLANS["A10"] = Plan(treasures, master, usual=4.0, deed=DIGS)


def witch(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Put the deck's top card where it does most good: at home, or in the place of somebody's best."""
    view = judgement.view
    if target.seat and view.hand is not None:
        return abroad(judgement, target.spot, view.hand)
    if not view.deck:
        return 0.0
    exchanges = Exchanges(judgement)
    theirs = {judgement.mean(judgement.card(one.spot)): one for one in their_movable(judgement)}
    best = [theirs[number] for number in sorted(theirs)[:2]]
    gain = 0.0
    for number, chance in judgement.chances(view.deck[0]):
        card = Card(number, view.deck_up, known_by=view.seat)
        ways = [exchanges.best(card)[0], *[abroad(judgement, one.spot, card) for one in best]]
        gain += chance * max(ways)
    return gain


def abroad(judgement: Judgement, spot: Spot, card: Card) -> float:
    """The gain of putting a card in the place of somebody else's, which is discarded unless it clings (X19)."""
    old = judgement.card(spot)
    if judgement.has(old, judgement.cast.clings):
        return -offer(judgement, card)
    return judgement.gain({spot.seat: judgement.put(spot, card)}) - offer(judgement, old)


PLANS["A11"] = Plan(once, witch, usual=4.0, takes=True)


def robber(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Get somebody's best card for one's worst, and look at it."""
    if picked:
        return judgement.switch(picked[0].spot, target.spot)
    look = BLIND * judgement.soon if judgement.card(target.spot).number is None else 0.0
    return max([look + judgement.switch(target.spot, one.spot) for one in own_cards(judgement)], default=0.0)


PLANS["A12"] = Plan(their_movable, robber, usual=3.5, deed=SWITCHES, takes=True)
PLANS["A13"] = Plan()  # a 13; the sets that it makes are in the hook


def silver_amulet(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Keep the best card for the rest of the round, if anybody might take it; it can still be used tomorrow."""
    return safety(judgement, target.spot) - SPENT


PLANS["A14"] = Plan(own_cards, silver_amulet, deed=COVERS)
