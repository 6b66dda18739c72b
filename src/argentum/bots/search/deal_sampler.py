# mypyc: compile
"""Sample the cards that a seat does not know. Cards that opponents know and have kept are probably low."""

from random import Random
from typing import Final

from argentum.bots.heuristics.owner_knowledge import CALLER_KEEP_RATE, SAMPLER_FIT, keep_rate, keep_weights
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.position import Position
from argentum.rules.table import Table


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
    rate = keep_rate(SAMPLER_FIT, table.turns / table.players)
    owner_weights, caller_weights = keep_weights(rate), keep_weights(rate + CALLER_KEEP_RATE)
    return {
        card: caller_weights if seat == table.caller else owner_weights
        for seat, village in enumerate(table.villages)
        for card in village
        if table.knows(seat, card) and not table.knows(me, card)
    }
