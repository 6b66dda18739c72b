# mypyc: compile
"""Race candidate moves: play them out on the same sampled deals, and drop those that are clearly worse."""

from collections.abc import Callable
from math import fsum, sqrt
from random import Random
from typing import Final

from argentum.bots.search.deal_sampler import DealSampler
from argentum.bots.search.playout_policy import policy_for
from argentum.bots.search.playouts import finish_round
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.position import Position
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.standings import win_probability

FIRST_CHECK_DEALS: Final = 12  # deals played before the first candidates may be dropped
DROP_DEVIATIONS: Final = 2.6  # standard errors behind the best at which a candidate is dropped
SWITCH_DEVIATIONS: Final = 1.0  # standard errors by which a move must beat the first candidate


class Race:
    """The results of candidate moves on the same deals."""

    def __init__(self, candidates: list[int]) -> None:
        self.candidates = candidates
        self.results: dict[int, list[float]] = {candidate: [] for candidate in candidates}

    def mean_difference(self, candidate: int, other: int) -> tuple[float, float]:
        """Return the mean difference between the results of two candidates, and its standard error.

        With fewer than two deals, return 0 and 1.
        """
        results = list(zip(self.results[candidate], self.results[other], strict=False))
        if len(results) < 2:
            return 0.0, 1.0
        differences = [first - second for first, second in results]
        mean = fsum(differences) / len(differences)
        variance = fsum([(difference - mean) ** 2 for difference in differences]) / (len(differences) - 1)
        return mean, sqrt(variance / len(differences)) + 1e-9

    def best_candidate(self) -> int:
        return max(
            self.candidates, key=lambda candidate: fsum(self.results[candidate]) / max(len(self.results[candidate]), 1)
        )

    def drop_losers(self) -> None:
        """Drop the candidates that are significantly worse than the best one."""
        best = self.best_candidate()
        remaining = []
        for candidate in self.candidates:
            difference, error = self.mean_difference(best, candidate)
            if candidate == best or difference < DROP_DEVIATIONS * error:
                remaining.append(candidate)
        self.candidates = remaining


class PlayoutRunner:
    """Sample the deals of a search and play out all candidates on each of them.

    Several processes with the same `random` can share the work: each samples all deals, which is cheap, and plays out
    only its own.
    """

    def __init__(self, position: Position, seat: str, random: Random) -> None:
        self.sampler: Final = DealSampler(position, seat)
        self.policy: Final = policy_for(position.table.cast)
        self.me: Final = SEAT_LETTERS.index(seat)
        self.random: Final = random
        self.deal_count = 0

    def run(
        self, candidates: list[int], last: int, stop: Callable[[], bool], worker: int = 0, workers: int = 1
    ) -> list[list[float]]:
        """Play out the candidates on further deals, up to deal number `last`; return a row of their results per deal.

        Process number `worker` of `workers` plays out only every `workers`-th deal. Return early when `stop` returns
        True.
        """
        rows: list[list[float]] = []
        while self.deal_count < last:
            sample = self.sampler.sample(self.random)
            if sample is None:
                break
            is_own_deal = self.deal_count % workers == worker
            self.deal_count += 1
            if is_own_deal:
                rows.append([self.play_out(sample, candidate) for candidate in candidates])
                if stop():
                    break
        return rows

    def play_out(self, sample: Position, candidate: int) -> float:
        """Play a candidate, let the policy finish the round, and return the win probability."""
        engine = sample.engine()
        engine.step(candidate)
        finish_round(engine, self.policy)
        return win_probability(engine.table, self.me, ROUNDS_PER_GAME - engine.table.round)


def run_race(candidates: list[int], deals: int, play: Callable[[list[int], int], list[list[float]]]) -> tuple[int, int]:
    """Race candidates on up to `deals` deals; return the chosen one and the number of playouts.

    `play(candidates, last)` plays out further deals up to number `last` and returns a row of results per deal. The
    race ends if there are fewer rows. The first candidate is chosen unless another one is clearly better.
    """
    race = Race(candidates)
    deal_count, playouts, next_check = 0, 0, FIRST_CHECK_DEALS
    while deal_count < deals and len(race.candidates) > 1:
        last = min(next_check, deals)
        rows = play(race.candidates, last)
        for row in rows:
            for candidate, result in zip(race.candidates, row, strict=True):
                race.results[candidate].append(result)
        playouts += len(rows) * len(race.candidates)
        if len(rows) < last - deal_count:
            break
        deal_count = last
        race.drop_losers()
        next_check += next_check // 2
    best = race.best_candidate()
    difference, error = race.mean_difference(best, candidates[0])
    return (best if difference > SWITCH_DEVIATIONS * error else candidates[0]), playouts


def search(
    position: Position, seat: str, candidates: list[int], random: Random, deals: int, stop: Callable[[], bool]
) -> tuple[int, int]:
    """Race candidates in this process; return the chosen one and the number of playouts.

    The search ends after `deals` deals, when one candidate is left, or when `stop` returns True.
    """
    runner = PlayoutRunner(position, seat, random)
    return run_race(candidates, deals, lambda remaining, last: runner.run(remaining, last, stop))
