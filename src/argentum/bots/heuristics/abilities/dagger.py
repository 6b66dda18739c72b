"""Silver Dagger: what its residents and its token are good for."""

from math import fsum

from argentum.bots.heuristics.abilities.common import borrowed, look_on
from argentum.bots.heuristics.ability_model import (
    COLLECTS,
    FLIPS,
    HALVES,
    LOOKS,
    MERGES,
    PLANS,
    SEEKS,
    SKIPS,
    SWITCHES,
    TRADES,
    Picks,
    Plan,
    Spot,
    Target,
    Village,
    any_facedown,
    any_village,
    cards,
    movable,
    once,
    own_cards,
    their_facedown,
    usual,
)
from argentum.bots.heuristics.beliefs import variance
from argentum.bots.heuristics.evaluation import TEMPO, Judgement, density, faceup
from argentum.rules.table import HIGHEST_LOW_NUMBER
from argentum.rules.views import Card


def debt_collector(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes off a point for each card of the others."""
    others = sum([len(cards) for other, cards in judgement.villages.items() if other != seat])
    return total - others if card.up else total


PLANS["D0"] = Plan(standing=debt_collector, faceup=5.0, ending=COLLECTS)


def spies(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Of some use while faceup."""
    return total - 0.2 * judgement.soon if card.up else total


def spy(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at somebody's card."""
    return judgement.look(target.spot)


PLANS["D1"] = Plan(their_facedown, spy, spies, faceup=0.2, deed=LOOKS)


def halfling(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it counts nothing and halves the sum."""
    return (total - 2) / 2 if card.up else total


PLANS["D2"] = Plan(standing=halfling, faceup=6.0, ending=HALVES)


def sentinel(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it keeps the others out."""
    return total - 0.5 * judgement.soon if card.up else total


PLANS["D3"] = Plan(standing=sentinel, faceup=0.5)


def undead(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it can be passed on."""
    return total - 4.0 * judgement.soon if card.up else total


def zombie(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Off to the seat that played before."""
    seat = judgement.view.previous
    mine = judgement.villages[judgement.me]
    places = [place for place, card in enumerate(mine) if card.up and judgement.is_one("D4", card)]
    if not seat or not places:
        return 0.0
    theirs = [*judgement.villages[seat], faceup(4)._replace(up=False)]
    return judgement.gain({judgement.me: judgement.without(Spot(judgement.me, places[0])), seat: theirs})


PLANS["D4"] = Plan(once, zombie, undead, faceup=3.0, eager=True)


def approximator(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Two bad cards for a five."""
    if picked:
        return pair_for_five(judgement, picked[0].spot, target.spot)
    others = [one.spot for one in own_cards(judgement) if one != target]
    return max([pair_for_five(judgement, target.spot, one) for one in others], default=0.0)


def pair_for_five(judgement: Judgement, one: Spot, other: Spot) -> float:
    """The gain of discarding two cards for an Approximator."""
    village = list(judgement.put(one, faceup(5)))
    if any([judgement.has(judgement.card(spot), judgement.cast.clings) for spot in (one, other)]):
        return -5.0  # it would stay
    del village[other.place]
    return judgement.gain({judgement.me: village})


PLANS["D5"] = Plan(own_cards, approximator, usual=4.0, deed=MERGES)


def flipper(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn a village over."""
    return fsum([judgement.flip(one.spot) for one in cards(judgement, [target.seat])])


PLANS["D6"] = Plan(any_village, flipper, usual=1.0, deed=FLIPS)


def elusive_seer(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at one's own cards, or turn a good one faceup."""
    card = judgement.card(target.spot)
    if card.number is None:
        return judgement.look(target.spot)
    return judgement.flip(target.spot) if card.number <= HIGHEST_LOW_NUMBER else 0.0


PLANS["D7"] = Plan(any_facedown, elusive_seer, usual=1.0, deed=SEEKS)


def magician(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn up a card to use it, or to have it."""
    turned = picked[0] if picked else None
    if turned is not None and not target.seat:
        return borrowed(judgement, judgement.card(turned.spot))
    if turned is not None:
        return judgement.switch(turned.spot, target.spot)
    card = judgement.card(target.spot)
    gain = 0.0
    mine = [one.spot for one in own_cards(judgement)]
    worst = max(mine, key=lambda spot: judgement.mean(judgement.card(spot)), default=None)
    for number, chance in judgement.chances(card):
        ways = [usual(judgement, number)]
        if worst is not None and not judgement.closed(target.seat):
            theirs = judgement.put(target.spot, judgement.card(worst))
            ways.append(judgement.gain({judgement.me: judgement.put(worst, faceup(number)), target.seat: theirs}))
        gain += chance * max(ways)
    return gain


PLANS["D8"] = Plan(their_facedown, magician, usual=2.5, deed=TRADES, takes=True)


def mystic_seer(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at two cards."""
    return look_on(judgement, target, picked, 2)


PLANS["D9"] = Plan(any_facedown, mystic_seer, usual=1.3, deed=LOOKS)


def renfield(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Know what to draw, and have the last turns."""
    return 1.0 * judgement.soon


PLANS["D10"] = Plan(once, renfield, usual=1.0)


def reverse(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Reverser, the silver dagger: skip the other's turn; after a call, skip those who are yet to play."""
    caller = judgement.view.caller
    if len(judgement.villages) == 2:
        return 0.0 if caller else TEMPO
    step = 1 if judgement.view.direction == "clockwise" else -1
    return TEMPO * (to_play(judgement, step) - to_play(judgement, -step)) if caller else 0.01  # a token can wait


def to_play(judgement: Judgement, step: int) -> float:
    """How much those count who will play before the caller's turn comes, in that direction."""
    seats = list(judgement.villages)
    place = seats.index(judgement.me) + step
    total = 0.0
    while seats[place % len(seats)] not in (judgement.view.caller, judgement.me):
        total += judgement.weights[seats[place % len(seats)]]
        place += step
    return total


PLANS["D11"] = Plan(once, reverse, usual=2.0, deed=SKIPS)
PLANS["D14"] = Plan(once, reverse, deed=SKIPS)


def master_thief(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Steal a good card, or slip somebody a bad one."""
    if picked:
        return judgement.switch(picked[0].spot, target.spot)
    if judgement.closed(target.seat):
        return judgement.look(target.spot)
    partners = [one.spot for one in movable(judgement) if one.seat != target.seat]
    return max([judgement.switch(target.spot, one) for one in partners], default=0.0)


PLANS["D12"] = Plan(any_facedown, master_thief, usual=4.0, deed=SWITCHES, takes=True)


def furry(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """A sum of exactly 50 is as good as it gets, if the round is about to end."""
    if judgement.soon == 1 or abs(total - 50) > 15:
        return total
    spread = fsum([variance(judgement.beliefs.chances(one)) for one in village if one.number is None])
    return total - 100 * (1 - judgement.soon) * density(total - 50, spread + judgement.left)


PLANS["D13"] = Plan(standing=furry)
