"""Steps a second of the batch engine of the build on PYTHONPATH, by processor time: a busy machine matters less then.

Run it for two builds in turn: `PYTHONPATH=build/compiled python benchmarks/batch.py`.
"""

from time import process_time

import numpy as np

from argentum.envs.batch.batch import Batch

STEPS = 40_000  # of all games together, in one go
TURNS = 12  # of which the quickest counts
EARLY = 300  # steps before, so that the games stand anywhere in their rounds: early positions are cheaper


def measure(games: int) -> int:
    """Random legal actions, with every observation and mask made."""
    random, rounds = np.random.default_rng(1), STEPS // games
    with Batch(games, boxes="dagger", players=2) as batch:
        batch.reset(seed=1)
        for _ in range(EARLY):
            batch.step(batch.sample(random))
        taken: list[float] = []
        for _ in range(TURNS):
            began = process_time()
            for _ in range(rounds):
                batch.step(batch.sample(random))
            taken.append(process_time() - began)
        return int(rounds * games / min(taken))


if __name__ == "__main__":
    for games in (64, 512, 2048):
        print(f"{games} games: {measure(games):,} steps a second")
