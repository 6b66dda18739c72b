"""Guessing what one cannot see: re-deals of a table in which what opponents did makes sense."""

from math import exp
from random import Random
from typing import Final

from argentum.rules.game import Game
from argentum.rules.residents import NUMBERS
from argentum.rules.table import LOW, Table

KEEPING: Final = 0.2  # how much less likely, for each point, an owner keeps a card that it has known for long
LONG: Final = 1.8  # turns in which an owner begins to sort out what it keeps
CALLED: Final = 0.06  # how much less likely, for each point, a caller has a card that it knows


class Guesses:
    """Deals that a seat may imagine, each with the moves that were made since the table was kept."""

    def __init__(self, game: Game, seat: str) -> None:
        self.game: Final = game
        self.seat: Final = seat
        table = game.table
        me = 1 << game.seats.index(seat)
        self.unknown: Final = [card for card, seen in enumerate(table.seen) if not (seen & me or table.up[card])]
        self.owned: Final = kept(table, me)
        keeping = KEEPING * (1 - exp(-table.finished / table.players / LONG))
        self.weights: Final = [
            [exp(-rate * number) for number in range(NUMBERS)] for rate in (keeping, keeping + CALLED)
        ]

    def deal(self, random: Random) -> tuple[Table, list[int]]:
        """The table of another deal, and the moves to make on it."""
        game = self.game
        if not game.table.at_rest:  # inside an ability the deal must agree with what is done in it
            dealt = game.redeal(self.seat, random)
            return dealt.start, dealt.moves
        table = game.table.copy()
        table.seed = random.getrandbits(62)
        self.fill(table, random)
        return table, []

    def fill(self, table: Table, random: Random) -> None:
        """Deal the unknown faces anew: first what opponents know of their own, which is likely to be low."""
        faces = table.faces
        counts = [0] * NUMBERS
        for card in self.unknown:
            counts[faces[card]] += 1
        passed = table.passed
        chance = random.random
        placed = 0
        for card, called in self.owned:
            weights = self.weights[called]
            lowest = LOW + 1 if passed >> card & 1 else 0
            at = chance() * sum([counts[number] * weights[number] for number in range(lowest, NUMBERS)])
            for number in range(lowest, NUMBERS):
                at -= counts[number] * weights[number]
                if at < 0 and counts[number]:
                    break
            faces[card] = number
            counts[number] -= 1
            placed |= 1 << card
        self.fill_rest(table, counts, placed, random)

    def fill_rest(self, table: Table, counts: list[int], placed: int, random: Random) -> None:
        """Deal what is left to the other cards; those that all know to be above 4 get such faces."""
        rest = [number for number, count in enumerate(counts) for _ in range(count)]
        chance = random.random
        faces, passed = table.faces, table.passed
        for card in self.unknown:
            if passed >> card & 1 and not placed >> card & 1:
                high = [place for place, number in enumerate(rest) if number > LOW]
                faces[card] = rest.pop(high[int(chance() * len(high))])
                placed |= 1 << card
        for card in self.unknown:
            if not placed >> card & 1:
                place = int(chance() * len(rest))
                faces[card] = rest[place]
                rest[place] = rest[-1]
                rest.pop()


def kept(table: Table, me: int) -> list[tuple[int, int]]:
    """The cards of others that their owner knows and this seat does not, each with whether the owner called."""
    return [
        (card, 1 if seat == table.caller else 0)
        for seat, village in enumerate(table.villages)
        for card in village
        if table.seen[card] >> seat & 1 and not (table.up[card] or table.seen[card] & me)
    ]
