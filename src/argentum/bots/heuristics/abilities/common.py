"""Gains that several ability models share."""

from math import fsum

from argentum.bots.heuristics.ability_model import (
    BORROWS,
    DIGS,
    PLANS,
    TRADES,
    Picks,
    Target,
    Targets,
    any_facedown,
    worth,
)
from argentum.bots.heuristics.evaluation import Judgement
from argentum.rules.residents import TIMING_DRAWN
from argentum.rules.views import Card


def borrowed(judgement: Judgement, card: Card) -> float:
    """What it gains to use the draw ability of another card."""
    if not lends(judgement, card):
        return 0.0
    label = judgement.label(card)
    borrows = PLANS[label].deed in (BORROWS, DIGS, TRADES)  # of one that borrows in turn, not much is expected
    return 0.5 if borrows else worth(judgement, label)


def lends(judgement: Judgement, card: Card) -> bool:
    """Whether a card has a draw ability that may be borrowed (X1, X2)."""
    if card.number is None or not card.up:
        return False
    resident = judgement.view.residents[card.number]
    return resident.timing == TIMING_DRAWN and resident.can_be_borrowed


def look_on(judgement: Judgement, target: Target, picked: Picks, most: int, targets: Targets = any_facedown) -> float:
    """Look at a card, and at the best others as far as there are looks left; the best comes first."""
    looks = sorted([judgement.look(one.spot) for one in targets(judgement) if one != target], reverse=True)
    return 1.01 * judgement.look(target.spot) + fsum(looks[: most - 1 - len(picked)])
