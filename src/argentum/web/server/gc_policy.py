"""When a server collects garbage, which no other module decides: hardly ever while people play.

Python's collector frees reference cycles only. Moves, closed connections, pages, bots, hints, reviews and replays leave
none (tests/web/server/test_gc_policy.py); a closed room leaves about 35 kB. But a full collection stops all tables, for
0.2 s with 100 tables of four browsers and in proportion to their number. So automatic collections are rare, objects
older than a minute are exempt from them, and full collections take at most 1/2000 of the time: too little to raise the
99.9th percentile of the time of a move.

Measured with 100 tables of four browsers, each with a move every 2 seconds: in a minute of play no collection took
10 ms, and full ones, run only to count, found nothing to free (benchmarks/scale.md).
"""

import gc
from time import monotonic
from typing import Final

# Net new objects before an automatic collection of the youngest generation, and collections of a generation before one
# of the next. Only bursts of allocations, such as many new games, reach the first.
THRESHOLDS: Final = (250_000, 2, 1_000_000)
FULL_INTERVAL: Final = 3600.0  # seconds
FULL_PAUSE_FACTOR: Final = 2000  # full collections take at most 1/2000 of the time


def make_automatic_collections_rare() -> None:
    """Set the thresholds of this process."""
    gc.set_threshold(*THRESHOLDS)


class GcPolicy:
    """Runs a full collection after `FULL_INTERVAL` or longer."""

    def __init__(self) -> None:
        self.full_due = monotonic() + FULL_INTERVAL  # time of the next full collection

    def collect(self) -> None:
        """Run a full collection if one is due; otherwise exempt present objects from automatic ones.

        The housekeeping of the registry calls this once a minute.
        """
        started = monotonic()
        if started < self.full_due:
            gc.freeze()  # takes constant time
            return
        gc.unfreeze()
        gc.collect()
        finished = monotonic()
        self.full_due = finished + max(FULL_INTERVAL, FULL_PAUSE_FACTOR * (finished - started))
