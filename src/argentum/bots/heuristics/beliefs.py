"""Probabilities of unknown cards, derived from what a seat sees."""

from collections.abc import Iterable
from math import fsum
from typing import TypeAlias

from argentum.bots.heuristics.owner_knowledge import EVALUATION_FIT, keep_rate, keep_weights
from argentum.rules.residents import RESIDENTS_PER_BOX, copies_of
from argentum.rules.table import HIGHEST_LOW_NUMBER
from argentum.rules.views import Card, View

Probabilities: TypeAlias = tuple[float, ...]  # by number


class Beliefs:
    """Probabilities of the unknown cards in a view.

    They depend on which cards are unseen, and on whether the owner knows the card, because owners keep low cards.
    """

    def __init__(self, view: View) -> None:
        self.unseen = [copies_of(number) for number in range(RESIDENTS_PER_BOX)]
        for card in cards_on_table(view):
            if card.number is not None:
                self.unseen[card.number] -= 1
        if view.hand is not None and view.hand.number is not None:
            self.unseen[view.hand.number] -= 1
        self.keep_weights = keep_weights(keep_rate(EVALUATION_FIT, view.turns / len(view.villages)))
        self.known_to_owner = {
            card for seat, village in view.villages.items() for card in village if seat in card.known_by
        }
        self._probabilities: dict[Card, Probabilities] = {}

    def probabilities(self, card: Card) -> Probabilities:
        """Return the probability of each number for a card of a village; cached."""
        if card not in self._probabilities:
            self._probabilities[card] = self._compute(card)
        return self._probabilities[card]

    def _compute(self, card: Card) -> Probabilities:
        if card.number is not None:
            return tuple([1.0 if number == card.number else 0.0 for number in range(RESIDENTS_PER_BOX)])
        weights = [float(count) for count in self.unseen]
        if card in self.known_to_owner:
            weights = [weight * keep_weight for weight, keep_weight in zip(weights, self.keep_weights, strict=True)]
        if card.passed:  # An Elusive Seer showed that it is above 4 (D7).
            weights[: HIGHEST_LOW_NUMBER + 1] = [0.0] * (HIGHEST_LOW_NUMBER + 1)
        total = fsum(weights)
        return tuple([weight / total for weight in weights]) if total else (1 / RESIDENTS_PER_BOX,) * RESIDENTS_PER_BOX


def mean(probabilities: Probabilities) -> float:
    return fsum([number * probability for number, probability in enumerate(probabilities)])


def variance(probabilities: Probabilities) -> float:
    expected = mean(probabilities)
    return fsum([probability * (number - expected) ** 2 for number, probability in enumerate(probabilities)])


def cards_on_table(view: View) -> Iterable[Card]:
    for pile in (*view.villages.values(), *view.private.values(), view.deck, view.shown, view.discard):
        yield from pile
