"""Looking ahead with a network: it plays candidates on, on many guesses at once, and says what they are worth.

What a seat cannot know is dealt anew by what the network believes of each hidden card. On each deal every candidate is
played, and then everybody plays as the network would in their place, each by what they see, until the seat has its next
turn or the round is over. There the network says what the round will bring; or the round itself does.
"""

from collections.abc import Callable
from math import erf, prod, sqrt
from random import Random
from typing import Final

import numpy as np
from librt.strings import BytesWriter

from argentum.bots.guessing import Guesses
from argentum.bots.network import Bytes, Network, ask, loaded
from argentum.bots.search import Race
from argentum.envs.actions import ACTION_TABLE
from argentum.envs.observation import SIZE, write_observation
from argentum.rules.asking import ACTION
from argentum.rules.engine import Engine
from argentum.rules.game import Game
from argentum.rules.residents import NUMBERS
from argentum.rules.scoring import ROUNDS
from argentum.rules.table import LOW, Table

AT_ONCE: Final = 8  # deals that are played side by side
AT_FIRST: Final = 2  # so that there is an answer soon
LONGEST: Final = 60  # choices, after which a game that has not come to the seat's next turn is left
SPREAD: Final = 14.0  # of the difference that a round makes between two seats, as in training
CONVINCED: Final = 1.0  # deviations by which a move must be better than the one that is at hand


def search(
    file: str, game: Game, seat: str, candidates: list[int], random: Random, deals: int, stop: Callable[[], bool]
) -> tuple[int, int]:
    """The best candidate, of which the first is at hand, and the games that were played on.

    It takes so many deals, and fewer if only one candidate is left or `stop` says so.
    """
    network = loaded(file)
    me = game.seats.index(seat)
    dealer = Dealer(network, game, seat)
    race = Race(candidates)
    dealt = played = 0
    while dealt < deals and len(race.candidates) > 1:
        some = min(AT_ONCE if dealt else AT_FIRST, deals - dealt)
        lines = [Line(table, [*moves, one], me)
                 for table, moves in [dealer.deal(random) for _ in range(some)] for one in race.candidates]  # fmt: skip
        if not play_on(network, lines, stop):
            break
        for nth, line in enumerate(lines):
            race.results[race.candidates[nth % len(race.candidates)]].append(line.worth)
        dealt += some
        played += len(lines)
        race.drop()
    best = race.best()
    gap, deviation = race.lead(best, candidates[0])
    return (best if gap > CONVINCED * deviation else candidates[0]), played


def play_on(network: Network, lines: list["Line"], stop: Callable[[], bool]) -> bool:
    """Play games on, all at once, to where each can be valued; false if that was stopped."""
    left = [line for line in lines if not line.settle()]
    while left:
        if stop():
            return False
        logits, values, _ = ask(network, observed([line.engine for line in left]))
        going: list[Line] = []
        for nth, line in enumerate(left):
            if line.at_rest:
                line.worth = float(values[nth])
                continue
            actions = line.actions()
            line.make(line.options()[int(logits[nth, actions].argmax())])
            if not line.settle():
                going.append(line)
        left = going
    return True


def observed(engines: list[Engine]) -> Bytes:
    """What the seats that are to choose see."""
    out = BytesWriter()
    for engine in engines:
        seat = engine.chooser
        write_observation(engine.table, seat, seat, False, engine.choices_of(seat), out, None)
    return np.frombuffer(out.getvalue(), np.uint8).reshape(len(engines), SIZE)


class Line:
    """A game that is played on from a deal."""

    def __init__(self, table: Table, moves: list[int], me: int) -> None:
        table = table.copy()
        table.quiet = True
        self.me: Final = me
        self.before: Final = table.totals[:]
        self.turns: Final = table.turns
        self.engine: Final = Engine(table, table.round)
        self.engine.start()
        self.made = -len(moves)
        self.worth = 0.0
        for move in moves:
            self.make(move)

    @property
    def at_rest(self) -> bool:
        """Whether the seat has its next turn before it, or it has taken too long: then the network says."""
        engine = self.engine
        if engine.chooser != self.me:
            return False
        return (engine.table.turns > self.turns and engine.table.step == ACTION) or self.made >= LONGEST

    def settle(self) -> bool:
        """Whether the round is over; what it brought is noted then."""
        table = self.engine.table
        if table.over:
            left = ROUNDS - table.round
            self.worth = standing(table.totals, self.me, left) - standing(self.before, self.me, left + 1)
        return table.over

    def options(self) -> list[int]:
        """The legal moves."""
        return self.engine.choices_of(self.engine.chooser)

    def actions(self) -> list[int]:
        """The same as numbers of actions."""
        known = ACTION_TABLE[self.engine.table.players][self.engine.chooser]
        return [known[move] for move in self.options()]

    def make(self, move: int) -> None:
        """Make a move."""
        self.made += 1
        self.engine.step(move)


def standing(totals: list[int], me: int, left: int) -> float:
    """How well a seat stands, at most 1, with so many rounds left: as :mod:`argentum.learn.outcomes` has it."""
    seats = range(len(totals))
    alone = [prod([_before(totals[other] - totals[seat], left) for other in seats if other != seat]) for seat in seats]
    return (alone[me] / sum(alone) * len(totals) - 1) / (len(totals) - 1)


def _before(lead: int, left: int) -> float:
    """The chance to end before another seat, by the lead in points."""
    return (1 + (erf(lead / (SPREAD * sqrt(2 * left))) if left else (lead > 0) - (lead < 0))) / 2


class Dealer:
    """Deals what a seat cannot know, by what a network believes."""

    def __init__(self, network: Network, game: Game, seat: str) -> None:
        self.guesses: Final = Guesses(game, seat)
        table = self.table = self.guesses.table
        self.counts: Final = self.guesses.counts
        self.doubts: Final = [card for card, _ in [*self.guesses.bound, *self.guesses.owned]]
        self.rest: Final = self.guesses.rest
        self.beliefs: Final[dict[int, list[float]]] = {}
        if table.at_rest:
            self.believe(network, game.seats.index(seat))

    def believe(self, network: Network, me: int) -> None:
        """By how much each number is likelier for each card of a village than it is for any hidden card."""
        table, total = self.table, sum(self.counts)
        out = BytesWriter()
        write_observation(table, me, me, False, [], out, None)
        logits = ask(network, np.frombuffer(out.getvalue(), np.uint8)[None])[2][0]
        there = [card for step in range(table.players) for card in table.villages[(me + step) % table.players]]
        hidden = {*self.doubts, *self.rest}
        for token, card in enumerate(there):  # they come first in an observation, in this order
            if card in hidden:
                likely = np.exp(logits[token] - logits[token].max())
                likely /= likely.sum()
                even = [max(count, 0.5) / total for count in self.counts]
                self.beliefs[card] = [float(likely[number]) / even[number] for number in range(NUMBERS)]

    def deal(self, random: Random) -> tuple[Table, list[int]]:
        """The table of another deal, and the moves to make on it."""
        if not self.table.at_rest:  # inside an ability the deal must agree with what is done in it
            return self.guesses.deal(random)
        table = self.table.copy()
        table.seed = random.getrandbits(62)
        counts = self.counts[:]
        others = [card for card in self.rest if card not in self.beliefs]
        for card in [*self.doubts, *[card for card in self.rest if card in self.beliefs]]:
            table.faces[card] = self.draw(card, counts, random)
        left = [number for number, count in enumerate(counts) for _ in range(count)]
        random.shuffle(left)
        for card, number in zip(others, left, strict=True):
            table.faces[card] = number
        return table, []

    def draw(self, card: int, counts: list[int], random: Random) -> int:
        """A number for a card, of those that are left; one that all know to be high is, while there are such."""
        likely = self.beliefs.get(card)
        weights = [count * (1.0 if likely is None else likely[number]) for number, count in enumerate(counts)]
        if self.table.passed >> card & 1 and sum(weights[LOW + 1 :]) > 0:
            weights[: LOW + 1] = [0.0] * (LOW + 1)
        if sum(weights) <= 0:
            weights = [float(count) for count in counts]
        found = random.choices(range(NUMBERS), weights)[0]
        counts[found] -= 1
        return found
