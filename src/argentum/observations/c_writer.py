"""Access to the optional C writer, `_encode.c`.

It writes the same observations as :mod:`argentum.observations.view_writer`, the same histories as
:mod:`argentum.observations.history` and the same vectors as :mod:`argentum.observations.one_hot`, but faster.
"""

from functools import cache
from typing import Any, Final

from argentum.observations.c_header import layout_digest

MISSING: Final = "it was not built. Install a C compiler and Python's headers, then reinstall Argentum"
STALE: Final = (
    "it was built for another layout of observations. Reinstall Argentum, or in a clone of the repository run"
    " `python setup.py build_ext --inplace`"
)


@cache
def problem() -> str:
    """Return why the C writer cannot be used, and what to do; empty if it can be used."""
    try:
        from argentum.observations import _encode
    except ImportError:
        return MISSING
    is_current: bool = layout_digest() == _encode.LAYOUT_DIGEST
    return "" if is_current else STALE


@cache
def load() -> Any:
    """Return the C module `_encode`; None if it cannot be used."""
    if problem():
        return None
    from argentum.observations import _encode

    return _encode
