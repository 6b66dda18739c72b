"""The hall sweeps what is new at once, and what is old seldom: a sweep of all stops every table."""

import gc
from time import monotonic
from weakref import ref

from argentum.web.broom import OLD_AFTER, Broom


class Loop:
    """Something that holds on to itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_old_is_swept_when_it_is_due() -> None:
    broom = Broom()
    gc.disable()
    try:
        old = Loop()
        gc.collect()  # it is old now
        gone, new = ref(old), ref(Loop())
        del old
        broom.sweep()
        assert new() is None
        assert gone() is not None
        broom.due = 0.0
        broom.sweep()
        assert gone() is None
        assert broom.due >= monotonic() + OLD_AFTER - 1
    finally:
        gc.enable()
