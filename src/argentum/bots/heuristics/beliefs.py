"""Probabilities of unknown cards, from the cards that a seat knows."""

from collections.abc import Iterable
from math import exp, fsum
from typing import Final

from argentum.rules.residents import RESIDENTS_PER_BOX, copies_of
from argentum.rules.table import HIGHEST_LOW_NUMBER
from argentum.rules.views import Card, View

KEEP_RATE: Final = 0.22  # rate at which a known card is kept less often, per point
SORTING_TURNS: Final = 2.5  # turns until owners have discarded most high cards

Probabilities = tuple[float, ...]  # by number


class Beliefs:
    """The probability of each number for an unknown card."""

    def __init__(self, view: View) -> None:
        self.unseen = [copies_of(number) for number in range(RESIDENTS_PER_BOX)]
        for card in visible_cards(view):
            if card.number is not None:
                self.unseen[card.number] -= 1
        if view.hand is not None and view.hand.number is not None:
            self.unseen[view.hand.number] -= 1
        self.keep_rate = KEEP_RATE * (1 - exp(-view.turns / len(view.villages) / SORTING_TURNS))
        # Owners discard high cards that they know over time.
        self.known_to_owner = {
            card for seat, village in view.villages.items() for card in village if seat in card.known_by
        }
        self._chances: dict[Card, Probabilities] = {}

    def probabilities(self, card: Card) -> Probabilities:
        """Return the probability of each number for a card of a village."""
        if card not in self._chances:
            self._chances[card] = self._compute(card)
        return self._chances[card]

    def _compute(self, card: Card) -> Probabilities:
        if card.number is not None:
            return tuple([1.0 if number == card.number else 0.0 for number in range(RESIDENTS_PER_BOX)])
        weights = [float(count) for count in self.unseen]
        if card in self.known_to_owner:
            weights = [weight * exp(-self.keep_rate * number) for number, weight in enumerate(weights)]
        if card.passed:  # All seats know that it is above 4 (D7).
            weights[: HIGHEST_LOW_NUMBER + 1] = [0.0] * (HIGHEST_LOW_NUMBER + 1)
        total = fsum(weights)
        return tuple([weight / total for weight in weights]) if total else (1 / RESIDENTS_PER_BOX,) * RESIDENTS_PER_BOX


def mean(chances: Probabilities) -> float:
    return fsum([number * chance for number, chance in enumerate(chances)])


def variance(chances: Probabilities) -> float:
    expected = mean(chances)
    return fsum([chance * (number - expected) ** 2 for number, chance in enumerate(chances)])


def visible_cards(view: View) -> Iterable[Card]:
    for pile in (*view.villages.values(), *view.private.values(), view.deck, view.shown, view.discard):
        yield from pile
