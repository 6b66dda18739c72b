# mypyc: compile
"""Sample the cards that a seat does not know. Cards that opponents know and have kept are probably low."""

from math import exp
from random import Random
from typing import Final

from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.position import Position
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.rules.table import Table

# Owners keep a known card with a probability proportional to exp(-rate * number); callers have lower cards.
SAMPLER_KEEP_RATE: Final = 0.2
CALLER_KEEP_RATE: Final = 0.06  # added for a caller
SAMPLER_SORTING_TURNS: Final = 1.8  # turns until owners have discarded most high cards


class DealSampler:
    """Sample positions that agree with everything that one seat knows."""

    def __init__(self, position: Position, seat: str) -> None:
        self.position: Final = position
        self.seat: Final = seat
        self.weights: Final = owner_weights(position.table, SEAT_LETTERS.index(seat))
        self.last_sample: Position | None = None

    def sample(self, random: Random) -> Position | None:
        """Return a sampled position. If none is found in many attempts, return the last one again, if any."""
        # Inside an ability, the weights would belong to the start of the turn.
        weights = self.weights if self.position.is_at_rest else None
        sample = self.position.redealt(self.seat, random, weights)
        if sample is not None:
            self.last_sample = sample
        return self.last_sample


def owner_weights(table: Table, me: int) -> dict[int, list[float]]:
    """Return relative probabilities of the numbers of cards that their owners know, and `me` does not."""
    keep_rate = SAMPLER_KEEP_RATE * (1 - exp(-table.turns / table.players / SAMPLER_SORTING_TURNS))
    owner_weights, caller_weights = [
        [exp(-rate * number) for number in range(RESIDENTS_PER_BOX)]
        for rate in (keep_rate, keep_rate + CALLER_KEEP_RATE)
    ]
    return {
        card: caller_weights if seat == table.caller else owner_weights
        for seat, village in enumerate(table.villages)
        for card in village
        if table.knows(seat, card) and not table.knows(me, card)
    }
