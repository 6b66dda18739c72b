"""Garbage-collect reference cycles, such as closed connections, at chosen times.

An automatic full collection stops every table: for seconds, with thousands of tables. So automatic collections are
rare (GC_THRESHOLDS), and the housekeeping of the registry calls :class:`GcPolicy`.
"""

import gc
from time import monotonic
from typing import Final

YOUNG_GENERATION: Final = 1  # of the generations 0, 1 and 2
FULL_INTERVAL: Final = 600.0  # seconds
FULL_PAUSE_FACTOR: Final = 400  # full collections take at most 1/400 of the time
MIN_CLOSED: Final = 4_000  # connections; fewer, at 16 kB each, wait for the next full collection


class GcPolicy:
    """Collect young objects after many closed connections, and everything at long intervals."""

    def __init__(self) -> None:
        self.full_due = monotonic() + FULL_INTERVAL  # time of the next full collection
        self.closed_at_last = 0  # closed connections at the last collection

    def collect(self, closed_total: int) -> None:
        """Collect if it is due, by the number of connections closed so far; moves leave no cycles."""
        began = monotonic()
        if began < self.full_due and closed_total - self.closed_at_last < MIN_CLOSED:
            gc.freeze()  # fast: only a full collection walks through frozen objects
            return
        self.closed_at_last = closed_total
        if began < self.full_due:
            gc.collect(YOUNG_GENERATION)
            return
        gc.unfreeze()
        gc.collect()
        now = monotonic()
        self.full_due = now + max(FULL_INTERVAL, FULL_PAUSE_FACTOR * (now - began))


SWITCH_INTERVAL = 0.001  # seconds
# Moves leave no reference cycles (benchmarks/scale.md), closed connections do. So automatic collections are for bursts
# of allocations only, and the rest is left to GcPolicy.
GC_THRESHOLDS = (250_000, 2, 1_000_000)
