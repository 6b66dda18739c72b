"""Steps of the batch environment per second of CPU time, for the build on PYTHONPATH.

To compare two builds, run it alternately for both: `PYTHONPATH=build/compiled python benchmarks/batch.py`.
"""

import numpy as np

from argentum.envs.batch.batch import Batch
from interleaved import fastest_time

STEPS = 40_000  # of all games together, per run
RUNS = 12
WARM_UP_STEPS = 300  # bring the games to different positions, because those early in a round are cheaper


def measure(games: int) -> int:
    """Return the steps per second of CPU time with random legal actions."""
    random, rounds = np.random.default_rng(1), STEPS // games
    with Batch(games, boxes="dagger", players=2) as batch:
        batch.reset(seed=1)
        for _ in range(WARM_UP_STEPS):
            batch.step(batch.sample(random))

        def run() -> int:
            for _ in range(rounds):
                batch.step(batch.sample(random))
            return rounds * games

        return int(1 / fastest_time(run, RUNS))


if __name__ == "__main__":
    for games in (64, 512, 2048):
        print(f"{games} games: {measure(games):,} steps per second")
