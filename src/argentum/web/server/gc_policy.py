"""Garbage-collect reference cycles, such as closed connections, at chosen times.

With thousands of tables a full collection stops all of them for seconds. So automatic collections are rare
(GC_THRESHOLDS), and the housekeeping of the registry calls :class:`GcPolicy` once a minute.
"""

import gc
from time import monotonic
from typing import Final

YOUNG_GENERATION: Final = 1  # of the generations 0, 1 and 2
FULL_INTERVAL: Final = 600.0  # seconds
FULL_PAUSE_FACTOR: Final = 400  # full collections take at most 1/400 of the time
MIN_CLOSED: Final = 4_000  # closed connections, 16 kB each, before young objects are collected


class GcPolicy:
    """Runs a young collection after `MIN_CLOSED` closed connections, and a full one after `FULL_INTERVAL` or longer."""

    def __init__(self) -> None:
        self.full_due = monotonic() + FULL_INTERVAL  # time of the next full collection
        self.closed_at_last = 0  # closed connections at the last collection

    def collect(self, closed_total: int) -> None:
        """Run a collection if one is due; otherwise exempt present objects from young collections.

        `closed_total` is the number of connections closed since the server started.
        """
        started = monotonic()
        if started < self.full_due and closed_total - self.closed_at_last < MIN_CLOSED:
            gc.freeze()  # takes constant time; young collections skip frozen objects
            return
        self.closed_at_last = closed_total
        if started < self.full_due:
            gc.collect(YOUNG_GENERATION)
            return
        gc.unfreeze()
        gc.collect()
        finished = monotonic()
        self.full_due = finished + max(FULL_INTERVAL, FULL_PAUSE_FACTOR * (finished - started))


SWITCH_INTERVAL = 0.001  # seconds for sys.setswitchinterval
# Moves create no reference cycles (benchmarks/scale.md), closed connections do. So automatic collections only handle
# bursts of allocations; GcPolicy collects the rest.
GC_THRESHOLDS = (250_000, 2, 1_000_000)
