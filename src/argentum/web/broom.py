"""Giving back the memory of what is gone and still holds on to itself, such as connections that have ended.

Python would sweep by itself, and stop every table while it does: for seconds, where there are thousands. So by itself
it sweeps only what is not old (SWEEPS of the server), a little at a time, and the old is left to the hall.
"""

import gc
from time import monotonic
from typing import Final

NOT_OLD: Final = 1  # of Python's ages of objects: 0, 1 and 2
OLD_AFTER: Final = 600.0  # seconds
REST: Final = 400  # times as long as the last sweep of all took, tables are left in peace


class Broom:
    """Sweeps what came since the last time, and seldom all there is."""

    def __init__(self) -> None:
        self.due = monotonic() + OLD_AFTER  # when all is swept

    def sweep(self) -> None:
        """Sweep: what came since the last time is soon done."""
        began = monotonic()
        if began < self.due:
            gc.collect(NOT_OLD)
            return
        gc.collect()
        now = monotonic()
        self.due = now + max(OLD_AFTER, REST * (now - began))
