"""Names in scripts that run from right to left, isolated so that the words around them keep their order."""

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import bidirectional

from markupsafe import Markup, escape

RIGHT_TO_LEFT = ("R", "AL")
MOST_KEPT = 4_096  # tables


def isolated(text: str, names: Iterable[str]) -> str:
    """A text in which each of these names that needs it is isolated, as HTML; other texts as they are.

    >>> isolated("Bo & you", ["Bo"])
    'Bo & you'
    >>> isolated("עדן & you", ["עדן"])
    Markup('<bdi>עדן</bdi> &amp; you')
    """
    pattern = _pattern(tuple(names))
    if pattern is None:
        return text
    parts = enumerate(pattern.split(text))
    return Markup("").join([Markup("<bdi>{}</bdi>").format(part) if nth % 2 else escape(part) for nth, part in parts])


@lru_cache(MOST_KEPT)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """What matches those of these names that have letters of such a script; None if there are none."""
    found = {name for name in names if any([bidirectional(letter) in RIGHT_TO_LEFT for letter in name])}
    longest_first = [re.escape(name) for name in sorted(found, key=lambda name: (-len(name), name))]
    return re.compile(f"({'|'.join(longest_first)})", re.IGNORECASE) if found else None
