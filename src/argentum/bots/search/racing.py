"""Looking ahead: play each candidate on many guesses to the end of the round, and see what comes of it."""

from collections.abc import Callable
from math import fsum, sqrt
from random import Random
from typing import Final

from argentum.bots.search.deal_sampler import DealSampler
from argentum.bots.search.playout_policy import PlayoutPolicy, policy_for
from argentum.bots.search.win_probability import win_probability
from argentum.rules.engine import Engine
from argentum.rules.game import Game
from argentum.rules.table import Table

FIRST_CHECK_DEALS: Final = 12  # deals before the first look at how the candidates do
DROP_DEVIATIONS: Final = 2.6  # deviations by which a candidate that is dropped lies behind the best
SWITCH_DEVIATIONS: Final = 1.0  # deviations by which a move must be better than the one that is at hand


def play_out(table: Table, moves: list[int], quick: PlayoutPolicy, me: int) -> float:
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
    return win_probability(table, me)


class Race:
    """Candidates that are tried on the same deals; those that fall behind are dropped."""

    def __init__(self, candidates: list[int]) -> None:
        self.candidates = candidates
        self.results: dict[int, list[float]] = {candidate: [] for candidate in candidates}

    def mean_difference(self, candidate: int, other: int) -> tuple[float, float]:
        """By how much one candidate is better than another on the same deals, and the deviation of that mean."""
        results = list(zip(self.results[candidate], self.results[other], strict=False))
        if len(results) < 2:
            return 0.0, 1.0
        gaps = [mine - theirs for mine, theirs in results]
        mean = fsum(gaps) / len(gaps)
        variance = fsum([(gap - mean) ** 2 for gap in gaps]) / (len(gaps) - 1)
        return mean, sqrt(variance / len(gaps)) + 1e-9

    def best(self) -> int:
        """The candidate with the best results."""
        return max(
            self.candidates, key=lambda candidate: fsum(self.results[candidate]) / max(len(self.results[candidate]), 1)
        )

    def drop_losers(self) -> None:
        """Drop the candidates that lie well behind."""
        best = self.best()
        left = []
        for candidate in self.candidates:
            gap, deviation = self.mean_difference(best, candidate)
            if candidate == best or gap < DROP_DEVIATIONS * deviation:
                left.append(candidate)
        self.candidates = left


class PlayoutRunner:
    """The deals of a search, one after another, which follow from `random`; candidates are played out on the same ones.

    Several processes can share the work: each makes all deals, which is little, and plays its own share of them out.
    """

    def __init__(self, game: Game, seat: str, random: Random) -> None:
        self.sampler: Final = DealSampler(game, seat)
        self.policy: Final = policy_for(game.cast)
        self.me: Final = game.seats.index(seat)
        self.random: Final = random
        self.deal_count = 0

    def run(
        self, candidates: list[int], last: int, stop: Callable[[], bool], worker: int = 0, workers: int = 1
    ) -> list[list[float]]:
        """Go on to the `last` deal: for each of this share, what comes of each candidate; fewer if `stop` says so."""
        rows: list[list[float]] = []
        while self.deal_count < last:
            table, moves = self.sampler.sample(self.random)
            mine = self.deal_count % workers == worker
            self.deal_count += 1
            if mine:
                rows.append(
                    [play_out(table.copy(), [*moves, candidate], self.policy, self.me) for candidate in candidates]
                )
                if stop():
                    break
        return rows


def run_race(candidates: list[int], deals: int, play: Callable[[list[int], int], list[list[float]]]) -> tuple[int, int]:
    """Let candidates race: the best, of which the first is at hand, and the games that were played out.

    `play` plays some candidates on up to a deal, and gives a row of results for each; the race ends if one is missing.
    """
    race = Race(candidates)
    dealt, played, next_check = 0, 0, FIRST_CHECK_DEALS
    while dealt < deals and len(race.candidates) > 1:
        last = min(next_check, deals)
        rows = play(race.candidates, last)
        for row in rows:
            for candidate, result in zip(race.candidates, row, strict=True):
                race.results[candidate].append(result)
        played += len(rows) * len(race.candidates)
        if len(rows) < last - dealt:
            break
        dealt = last
        race.drop_losers()
        next_check += next_check // 2
    best = race.best()
    gap, deviation = race.mean_difference(best, candidates[0])
    return (best if gap > SWITCH_DEVIATIONS * deviation else candidates[0]), played


def search(
    game: Game, seat: str, candidates: list[int], random: Random, deals: int, stop: Callable[[], bool]
) -> tuple[int, int]:
    """The best candidate, of which the first is at hand, and the games that were played out.

    It takes so many deals, and fewer if only one candidate is left or `stop` says so.
    """
    imagined = PlayoutRunner(game, seat, random)
    return run_race(candidates, deals, lambda left, last: imagined.run(left, last, stop))
