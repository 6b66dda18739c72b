"""Giving back the memory of what is gone and still holds on to itself, such as connections that have ended.

Python would sweep by itself, and stop every table while it does: for seconds, where there are thousands. So by itself
it sweeps only where much comes and little goes (SWEEPS of the server), and the rest is left to the hall.
"""

import gc
from time import monotonic
from typing import Final

NOT_OLD: Final = 1  # of Python's ages of objects: 0, 1 and 2
OLD_AFTER: Final = 600.0  # seconds
REST: Final = 400  # times as long as the last sweep of all took, tables are left in peace
FEW: Final = 4_000  # connections that ended: what they leave, 16 kB each, can wait for the next sweep of all


class Broom:
    """Sweeps what came since the last time, if it is worth it, and seldom all there is."""

    def __init__(self) -> None:
        self.due = monotonic() + OLD_AFTER  # when all is swept
        self.gone = 0  # connections that had ended when it last swept

    def sweep(self, gone: int) -> None:
        """Sweep; `gone` is how many connections have ended so far. Moves leave nothing, so a few are left for later."""
        began = monotonic()
        if began < self.due and gone - self.gone < FEW:
            gc.freeze()  # takes no time: what is there is old now, and no sweep but that of all walks through it
            return
        self.gone = gone
        if began < self.due:
            gc.collect(NOT_OLD)
            return
        gc.unfreeze()
        gc.collect()
        now = monotonic()
        self.due = now + max(OLD_AFTER, REST * (now - began))


SWITCH = 0.001  # seconds
# Of Python's three ages of objects. A move leaves nothing to sweep (benchmarks/scale.md); only connections do that have
# ended. So Python sweeps the young if many more come than go, and what it need not is left to the hall's broom.
SWEEPS = (250_000, 2, 1_000_000)
