"""Lines of the log: words, players' names, and residents that are shown as chips."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from argentum.rules.residents import Resident
from argentum.words.english import sentence


class Chip(NamedTuple):
    """A resident in a sentence. A secret one is known to the reader, but was not told to those who only watch."""

    number: int
    secret: bool


class Name(NamedTuple):
    """A player in a sentence, in the words that stand for that player there: "You", or a name."""

    seat: str
    text: str


Part: TypeAlias = str | Chip | Name


class Entry(NamedTuple):
    """One line of the log."""

    parts: tuple[Part, ...]
    kind: str  # what was done: drew, took, discarded, exchanged, failed, used, ability, token, called, ...
    seat: str  # by whom; empty where by nobody
    memory: tuple[Part, ...]  # the line without its secrets, for those who play from memory
    deed: str = ""  # the kind of event that shows best what was done: looked, switched, discarded, ...

    def text(self, residents: Sequence[Resident], secret: bool = True) -> str:
        """The line as plain text: all of it, or what a memory player may be reminded of."""
        return "".join([_text(part, residents) for part in (self.parts if secret else self.memory)])


def _text(part: Part, residents: Sequence[Resident]) -> str:
    if isinstance(part, Chip):
        return f"{residents[part.number].name} {part.number}"
    return part.text if isinstance(part, Name) else part


def joined(things: Sequence[Sequence[Part]], between: str, last: str = "") -> list[Part]:
    """Phrases one after another, with these words between them (and before the last)."""
    words: list[Part] = []
    for place, thing in enumerate(things):
        if place:
            words.append(last if last and place == len(things) - 1 else between)
        words += thing
    return words


def as_sentence(words: Iterable[Part]) -> tuple[Part, ...]:
    """Phrases as a sentence: a capital first, a full stop last, neighbouring words in one."""
    parts: list[Part] = []
    for word in [*words, "."]:
        if isinstance(word, str) and parts and isinstance(parts[-1], str):
            parts[-1] += word
        else:
            parts.append(word)
    if isinstance(parts[0], Name):
        parts[0] = Name(parts[0].seat, sentence(parts[0].text))
    elif isinstance(parts[0], str):
        parts[0] = sentence(parts[0])
    return tuple(parts)
