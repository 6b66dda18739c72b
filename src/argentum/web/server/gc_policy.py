"""Giving back the memory of what is gone and still holds on to itself, such as connections that have ended.

Python would sweep by itself, and stop every table while it does: for seconds, where there are thousands. So by itself
it sweeps only where much comes and little goes (SWEEPS of the server), and the rest is left to the hall.
"""

import gc
from time import monotonic
from typing import Final

YOUNG_GENERATION: Final = 1  # of Python's ages of objects: 0, 1 and 2
FULL_INTERVAL: Final = 600.0  # seconds
FULL_PAUSE_FACTOR: Final = 400  # times as long as the last sweep of all took, tables are left in peace
MIN_CLOSED: Final = 4_000  # connections that ended: what they leave, 16 kB each, can wait for the next sweep of all


class GcPolicy:
    """Sweeps what came since the last time, if it is worth it, and seldom all there is."""

    def __init__(self) -> None:
        self.full_due = monotonic() + FULL_INTERVAL  # when all is swept
        self.closed_at_last = 0  # connections that had ended when it last swept

    def collect(self, closed_total: int) -> None:
        """Sweep; `gone` is how many connections have ended so far. Moves leave nothing, so a few are left for later."""
        began = monotonic()
        if began < self.full_due and closed_total - self.closed_at_last < MIN_CLOSED:
            gc.freeze()  # takes no time: what is there is old now, and no sweep but that of all walks through it
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
# Of Python's three ages of objects. A move leaves nothing to sweep (benchmarks/scale.md); only connections do that have
# ended. So Python sweeps the young if many more come than go, and what it need not is left to the hall's broom.
GC_THRESHOLDS = (250_000, 2, 1_000_000)
