"""Lines of the log: words, players' names, and residents that are shown as chips."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from argentum.rules.residents import Resident
from argentum.words.english import capitalize_first


class CardChip(NamedTuple):
    """A resident in a sentence. A secret one is known to the reader, but was not told to those who only watch."""

    number: int
    secret: bool


class PlayerName(NamedTuple):
    """A player in a sentence, in the words that stand for that player there: "You", or a name."""

    seat: str
    text: str


LogPart: TypeAlias = str | CardChip | PlayerName


class LogEntry(NamedTuple):
    """One line of the log."""

    parts: tuple[LogPart, ...]
    kind: str  # what was done: drew, took, discarded, exchanged, failed, used, ability, token, called, ...
    seat: str  # by whom; empty where by nobody
    public_parts: tuple[LogPart, ...]  # the line without its secrets, for those who play from memory
    icon_kind: str = ""  # the kind of event that shows best what was done: looked, switched, discarded, ...

    def text(self, residents: Sequence[Resident], with_secrets: bool = True) -> str:
        """The line as plain text: all of it, or what a memory player may be reminded of."""
        return "".join([_part_text(part, residents) for part in (self.parts if with_secrets else self.public_parts)])


def _part_text(part: LogPart, residents: Sequence[Resident]) -> str:
    if isinstance(part, CardChip):
        return f"{residents[part.number].name} {part.number}"
    return part.text if isinstance(part, PlayerName) else part


def join_phrases(phrases: Sequence[Sequence[LogPart]], between: str, last: str = "") -> list[LogPart]:
    """Phrases one after another, with these words between them (and before the last)."""
    words: list[LogPart] = []
    for place, thing in enumerate(phrases):
        if place:
            words.append(last if last and place == len(phrases) - 1 else between)
        words += thing
    return words


def to_sentence(words: Iterable[LogPart]) -> tuple[LogPart, ...]:
    """Phrases as a sentence: a capital first, a full stop last, neighbouring words in one."""
    parts: list[LogPart] = []
    for word in [*words, "."]:
        if isinstance(word, str) and parts and isinstance(parts[-1], str):
            parts[-1] += word
        else:
            parts.append(word)
    if isinstance(parts[0], PlayerName):
        parts[0] = PlayerName(parts[0].seat, capitalize_first(parts[0].text))
    elif isinstance(parts[0], str):
        parts[0] = capitalize_first(parts[0])
    return tuple(parts)
