"""Isolate right-to-left names, so that the text around them keeps its order."""

import re
from functools import lru_cache
from unicodedata import bidirectional

from markupsafe import Markup, escape

RIGHT_TO_LEFT = ("R", "AL")
MAX_CACHED_NAMES = 4_096  # patterns, one per set of players' names


def isolate_names(text: str, pattern: re.Pattern[str]) -> Markup:
    """Return HTML with the names that a pattern matches in `<bdi>` elements.

    >>> pattern = right_to_left_pattern(("עדן", "Bo"))
    >>> isolate_names("עדן & Bo", pattern)
    Markup('<bdi>עדן</bdi> &amp; Bo')
    """
    parts = enumerate(pattern.split(text))
    return Markup("").join(
        [Markup("<bdi>{}</bdi>").format(part) if index % 2 else escape(part) for index, part in parts]
    )


@lru_cache(MAX_CACHED_NAMES)
def right_to_left_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern that matches the right-to-left names; None if there are none."""
    right_to_left = {name for name in names if any([bidirectional(letter) in RIGHT_TO_LEFT for letter in name])}
    longest_first = [re.escape(name) for name in sorted(right_to_left, key=lambda name: (-len(name), name))]
    return re.compile(f"({'|'.join(longest_first)})", re.IGNORECASE) if right_to_left else None
