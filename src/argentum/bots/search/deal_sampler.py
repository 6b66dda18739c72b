# mypyc: compile
"""Sample the cards that a seat does not know. Cards that opponents know and have kept are probably low."""

from random import Random
from typing import Final

from argentum.bots.heuristics.owner_knowledge import CALLER_KEEP_RATE, SAMPLER_FIT, keep_rate, keep_weights
from argentum.rules.game import Game
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX
from argentum.rules.table import HIGHEST_LOW_NUMBER, Table

UNIFORM_WEIGHTS: Final = [1.0] * RESIDENTS_PER_BOX  # by number: for cards that no owner knows


class DealSampler:
    """Sample tables that are consistent with everything that one seat of a game knows."""

    def __init__(self, game: Game, seat: str) -> None:
        self.game: Final = game
        self.seat: Final = seat
        self.table: Final = game.copy_table()
        table = self.table
        me = game.seats.index(seat)
        unknown = [card for card in range(CARDS_IN_DECK) if not table.knows(me, card)]
        owned = owner_known_cards(table, me)
        rate = keep_rate(SAMPLER_FIT, table.turns / table.players)
        # Relative probability, by number, that an owner keeps a card: first for other owners, then for a caller.
        self.weights: Final = [keep_weights(rate), keep_weights(rate + CALLER_KEEP_RATE)]
        # Cards that are known to be high (D7) are assigned first, because high faces may run out.
        self.passed_over_cards: Final = [(card, owned.get(card, -1)) for card in unknown if table.is_passed_over(card)]
        self.owner_known_cards: Final = [
            (card, called) for card, called in owned.items() if not table.is_passed_over(card)
        ]
        self.other_cards: Final = [card for card in unknown if card not in owned and not table.is_passed_over(card)]
        self.counts: Final = [0] * RESIDENTS_PER_BOX
        for card in unknown:
            self.counts[table.faces[card]] += 1

    def sample(self, random: Random) -> tuple[Table, list[int]]:
        """Return a sampled table, and the moves to play on it to reach the current position."""
        if not self.table.restartable:  # Within an ability, the faces must allow the choices already made in it.
            return self.game.redeal(self.seat, random).checkpoint()
        table = self.table.copy()
        table.seed = random.getrandbits(62)
        self.assign_faces(table, random)
        return table, []

    def assign_faces(self, table: Table, random: Random) -> None:
        counts = self.counts[:]
        for card, called in self.passed_over_cards:
            table.faces[card] = self.draw_number(counts, called, HIGHEST_LOW_NUMBER + 1, random)
        for card, called in self.owner_known_cards:
            table.faces[card] = self.draw_number(counts, called, 0, random)
        remaining_numbers = [number for number, count in enumerate(counts) for _ in range(count)]
        next_random = random.random
        for card in self.other_cards:
            index = int(next_random() * len(remaining_numbers))
            table.faces[card] = remaining_numbers[index]
            remaining_numbers[index] = remaining_numbers[-1]
            remaining_numbers.pop()

    def draw_number(self, counts: list[int], weights_index: int, lowest: int, random: Random) -> int:
        """Draw one of the remaining numbers that is at least `lowest`, and remove it from `counts`.

        `weights_index` is 1 for a card of the caller, 0 for a card of another owner, and -1 for uniform weights.
        """
        weights = UNIFORM_WEIGHTS if weights_index < 0 else self.weights[weights_index]
        total = 0.0
        for number in range(lowest, RESIDENTS_PER_BOX):
            total += counts[number] * weights[number]
        threshold = random.random() * total
        drawn_number = lowest
        for number in range(lowest, RESIDENTS_PER_BOX):
            if counts[number]:
                drawn_number = number
                threshold -= counts[number] * weights[number]
                if threshold < 0:
                    break
        counts[drawn_number] -= 1
        return drawn_number


def owner_known_cards(table: Table, me: int) -> dict[int, int]:
    """Find the cards of other seats that their owners know and `me` does not.

    Map each card to the index of its weights: 1 if the owner called, else 0.
    """
    return {
        card: 1 if seat == table.caller else 0
        for seat, village in enumerate(table.villages)
        for card in village
        if table.knows(seat, card) and not table.knows(me, card)
    }
