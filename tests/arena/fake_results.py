"""Random results for arena games, without playing them."""

from collections.abc import Iterable, Mapping
from random import Random

from argentum.arena.jobs import Job, SeatResult

STRENGTHS = {"random": 1.0, "novice": 4.0, "steady": 16.0, "oracle": 64.0}


def fake_results(jobs: Iterable[Job], strengths: Mapping[str, float] = STRENGTHS) -> dict[Job, tuple[SeatResult, ...]]:
    """Return results in which each rank goes to a bot with a probability proportional to its strength."""
    random = Random(5)
    results: dict[Job, tuple[SeatResult, ...]] = {}
    for job in jobs:
        remaining = list(range(len(job.seating)))
        ranks = [0] * len(remaining)
        for rank in range(1, len(ranks) + 1):
            weights = [strengths.get(job.seating[seat], 8.0) for seat in remaining]
            seat = random.choices(remaining, weights)[0]
            ranks[seat] = rank
            remaining.remove(seat)
        results[job] = tuple(
            SeatResult(bot, 10 * rank, rank, 2, 1, 50, 0.1, {"C8": 3})
            for bot, rank in zip(job.seating, ranks, strict=True)
        )
    return results
