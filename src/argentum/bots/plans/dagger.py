"""Silver Dagger: what its residents and its token are good for."""

from argentum.bots.beliefs import variance
from argentum.bots.judgement import TEMPO, Judgement, Spot, Village, density, faceup, standing
from argentum.bots.plan import (
    Picks,
    Target,
    any_facedown,
    any_village,
    cards,
    movable,
    once,
    own_cards,
    plan,
    their_facedown,
    usual,
)
from argentum.bots.plans.bullet import borrowed
from argentum.bots.plans.coin import look_on
from argentum.rules.table import LOW
from argentum.rules.views import Card


@standing("D0")
def debt_collector(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes off a point for each card of the others."""
    others = sum([len(cards) for other, cards in judgement.villages.items() if other != seat])
    return total - others if card.up else total


@standing("D1")
def spies(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Of some use while faceup."""
    return total - 0.2 * judgement.soon if card.up else total


@plan("D1", their_facedown)
def spy(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at somebody's card."""
    return judgement.look(target.spot)


@standing("D2")
def halfling(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it counts nothing and halves the sum."""
    return (total - 2) / 2 if card.up else total


@standing("D3")
def sentinel(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it keeps the others out."""
    return total - 0.5 * judgement.soon if card.up else total


@standing("D4")
def undead(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it can be passed on."""
    return total - 4.0 * judgement.soon if card.up else total


@plan("D4", once, "")
def zombie(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Off to the seat that played before."""
    seat = judgement.view.previous
    mine = judgement.villages[judgement.me]
    places = [place for place, card in enumerate(mine) if card.up and judgement.is_one("D4", card)]
    if not seat or not places:
        return 0.0
    theirs = [*judgement.villages[seat], faceup(4)._replace(up=False)]
    return judgement.gain({judgement.me: judgement.without(Spot(judgement.me, places[0])), seat: theirs})


@plan("D5", own_cards, usual=4.0)
def approximator(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Two bad cards for a five."""
    if picked:
        return pair_for_five(judgement, picked[0].spot, target.spot)
    others = [one.spot for one in own_cards(judgement) if one != target]
    return max([pair_for_five(judgement, target.spot, one) for one in others], default=0.0)


def pair_for_five(judgement: Judgement, one: Spot, other: Spot) -> float:
    """The gain of discarding two cards for an Approximator."""
    village = list(judgement.put(one, faceup(5)))
    if judgement.is_one("D4", judgement.card(one)) or judgement.is_one("D4", judgement.card(other)):
        return -5.0  # it would stay
    del village[other.place]
    return judgement.gain({judgement.me: village})


@plan("D6", any_village, "village", usual=1.0)
def flipper(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn a village over."""
    return sum([judgement.flip(one.spot) for one in cards(judgement, [target.seat])])


@plan("D7", any_facedown, usual=1.0)
def elusive_seer(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at one's own cards, or turn a good one faceup."""
    card = judgement.card(target.spot)
    if card.number is None:
        return judgement.look(target.spot)
    return judgement.flip(target.spot) if card.number <= LOW else 0.0


@plan("D8", their_facedown, "word card", usual=2.5)
def magician(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Turn up a card to use it, or to have it."""
    turned = picked[0] if picked and picked[0].seat else None
    if target.kind == "word":
        return borrowed(judgement, judgement.card(turned.spot)) if turned is not None else 0.0
    if turned is not None:
        return judgement.switch(turned.spot, target.spot)
    card = judgement.card(target.spot)
    gain = 0.0
    mine = [one.spot for one in own_cards(judgement)]
    worst = max(mine, key=lambda spot: judgement.mean(judgement.card(spot)), default=None)
    for number, chance in judgement.chances(card):
        ways = [usual(judgement, number)]
        if worst is not None and not judgement.guarded(target.seat):
            theirs = judgement.put(target.spot, judgement.card(worst))
            ways.append(judgement.gain({judgement.me: judgement.put(worst, faceup(number)), target.seat: theirs}))
        gain += chance * max(ways)
    return gain


@plan("D9", any_facedown, usual=1.3)
def mystic_seer(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Look at two cards."""
    return look_on(judgement, target, picked, 2)


@plan("D10", once, "", usual=1.0)
def renfield(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Know what to draw, and have the last turns."""
    return 1.0 * judgement.soon


@plan("D11", once, "", usual=2.0)
@plan("D14", once, "")
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


@plan("D12", any_facedown, usual=4.0)
def master_thief(judgement: Judgement, target: Target, picked: Picks) -> float:
    """Steal a good card, or slip somebody a bad one."""
    if picked:
        return judgement.switch(picked[0].spot, target.spot)
    if judgement.guarded(target.seat):
        return judgement.look(target.spot)
    partners = [one.spot for one in movable(judgement) if one.seat != target.seat]
    return max([judgement.switch(target.spot, one) for one in partners], default=0.0)


@standing("D13")
def furry(judgement: Judgement, seat: str, village: Village, card: Card, total: float) -> float:
    """A sum of exactly 50 is as good as it gets, if the round is about to end."""
    if judgement.soon == 1 or abs(total - 50) > 15:
        return total
    spread = sum([variance(judgement.beliefs.chances(one)) for one in village if one.number is None])
    return total - 100 * (1 - judgement.soon) * density(total - 50, spread + judgement.left)
