"""Looking ahead: play each candidate on many guesses to the end of the round, and see what comes of it."""

from collections.abc import Callable
from math import fsum, sqrt
from random import Random
from typing import Final

from argentum.bots.search.deal_sampler import Guesses
from argentum.bots.search.playout_policy import Quick, quick_for
from argentum.bots.search.win_probability import prospect
from argentum.rules.engine import Engine
from argentum.rules.game import Game
from argentum.rules.table import Table

FIRST_LOOK: Final = 12  # deals before the first look at how the candidates do
BEHIND: Final = 2.6  # deviations by which a candidate that is dropped lies behind the best
CONVINCED: Final = 1.0  # deviations by which a move must be better than the one that is at hand


def play_out(table: Table, moves: list[int], quick: Quick, me: int) -> float:
    """The prospects of a seat if these moves are made on a table at rest and the round is played to its end."""
    table.events_off = True
    engine = Engine(table, table.round)
    engine.start()
    for move in moves:
        engine.send(move)
    while not table.round_over:
        options = engine.options
        if options:
            engine.send(quick.choose(table, options))
        else:
            engine.advance()
    return prospect(table, me)


class Race:
    """Candidates that are tried on the same deals; those that fall behind are dropped."""

    def __init__(self, candidates: list[int]) -> None:
        self.candidates = candidates
        self.results: dict[int, list[float]] = {candidate: [] for candidate in candidates}

    def lead(self, one: int, other: int) -> tuple[float, float]:
        """By how much one candidate is better than another on the same deals, and the deviation of that mean."""
        results = list(zip(self.results[one], self.results[other], strict=False))
        if len(results) < 2:
            return 0.0, 1.0
        gaps = [mine - theirs for mine, theirs in results]
        mean = fsum(gaps) / len(gaps)
        variance = fsum([(gap - mean) ** 2 for gap in gaps]) / (len(gaps) - 1)
        return mean, sqrt(variance / len(gaps)) + 1e-9

    def best(self) -> int:
        """The candidate with the best results."""
        return max(self.candidates, key=lambda one: fsum(self.results[one]) / max(len(self.results[one]), 1))

    def drop(self) -> None:
        """Drop the candidates that lie well behind."""
        best = self.best()
        left = []
        for one in self.candidates:
            gap, deviation = self.lead(best, one)
            if one == best or gap < BEHIND * deviation:
                left.append(one)
        self.candidates = left


class Deals:
    """The deals of a search, one after another, which follow from `random`; candidates are played out on the same ones.

    Several processes can share the work: each makes all deals, which is little, and plays its own share of them out.
    """

    def __init__(self, game: Game, seat: str, random: Random) -> None:
        self.guesses: Final = Guesses(game, seat)
        self.quick: Final = quick_for(game.cast)
        self.me: Final = game.seats.index(seat)
        self.random: Final = random
        self.dealt = 0

    def play(
        self, candidates: list[int], last: int, stop: Callable[[], bool], share: int = 0, shares: int = 1
    ) -> list[list[float]]:
        """Go on to the `last` deal: for each of this share, what comes of each candidate; fewer if `stop` says so."""
        rows: list[list[float]] = []
        while self.dealt < last:
            table, moves = self.guesses.deal(self.random)
            mine = self.dealt % shares == share
            self.dealt += 1
            if mine:
                rows.append([play_out(table.copy(), [*moves, one], self.quick, self.me) for one in candidates])
                if stop():
                    break
        return rows


def run(candidates: list[int], deals: int, play: Callable[[list[int], int], list[list[float]]]) -> tuple[int, int]:
    """Let candidates race: the best, of which the first is at hand, and the games that were played out.

    `play` plays some candidates on up to a deal, and gives a row of results for each; the race ends if one is missing.
    """
    race = Race(candidates)
    dealt, played, look = 0, 0, FIRST_LOOK
    while dealt < deals and len(race.candidates) > 1:
        last = min(look, deals)
        rows = play(race.candidates, last)
        for row in rows:
            for candidate, result in zip(race.candidates, row, strict=True):
                race.results[candidate].append(result)
        played += len(rows) * len(race.candidates)
        if len(rows) < last - dealt:
            break
        dealt = last
        race.drop()
        look += look // 2
    best = race.best()
    gap, deviation = race.lead(best, candidates[0])
    return (best if gap > CONVINCED * deviation else candidates[0]), played


def search(
    game: Game, seat: str, candidates: list[int], random: Random, deals: int, stop: Callable[[], bool]
) -> tuple[int, int]:
    """The best candidate, of which the first is at hand, and the games that were played out.

    It takes so many deals, and fewer if only one candidate is left or `stop` says so.
    """
    imagined = Deals(game, seat, random)
    return run(candidates, deals, lambda left, last: imagined.play(left, last, stop))
