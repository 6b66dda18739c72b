"""What somebody may have meant who wrote a word that is none."""

from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, choices: Iterable[str]) -> str:
    """A question that offers what may have been meant, to end a sentence with; empty if nothing is like it.

    >>> closest("dager", ["bullet", "coin", "dagger"])
    " Did you mean 'dagger'?"
    >>> closest("xyz", ["bullet", "coin", "dagger"])
    ''
    """
    names = {choice.lower(): choice for choice in choices}
    found = get_close_matches(word.lower(), names, n=1)
    return f" Did you mean {names[found[0]]!r}?" if found else ""
