# mypyc: compile
"""Log entries: sentences made of plain text, player names, and residents, which pages show as chips."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from argentum.rules.residents import Resident
from argentum.words.english import capitalize_first


class CardChip(NamedTuple):
    """A resident in a sentence. `secret` means that spectators must not learn which one it is."""

    number: int
    secret: bool


class PlayerName(NamedTuple):
    """A player in a sentence; `text` is "You" or a name."""

    seat: str
    text: str


LogPart: TypeAlias = str | CardChip | PlayerName


class LogEntry(NamedTuple):
    parts: tuple[LogPart, ...]
    kind: str  # of the action: drew, took, discarded, exchanged, failed, used, ability, token, called, ...
    seat: str  # the acting seat; empty if no seat caused the action
    public_parts: tuple[LogPart, ...]  # the parts without secrets, for players at memory tables
    icon_kind: str = ""  # the kind of event that determines the icon: looked, switched, discarded, ...

    def text(self, residents: Sequence[Resident], with_secrets: bool = True) -> str:
        """Return the entry as plain text."""
        return "".join([_part_text(part, residents) for part in (self.parts if with_secrets else self.public_parts)])


def _part_text(part: LogPart, residents: Sequence[Resident]) -> str:
    if isinstance(part, CardChip):
        return f"{residents[part.number].name} {part.number}"
    return part.text if isinstance(part, PlayerName) else part


def join_phrases(phrases: Sequence[Sequence[LogPart]], between: str, last: str = "") -> list[LogPart]:
    """Concatenate phrases with a separator; `last` replaces the last separator."""
    words: list[LogPart] = []
    for place, phrase in enumerate(phrases):
        if place:
            words.append(last if last and place == len(phrases) - 1 else between)
        words += phrase
    return words


def to_sentence(words: Iterable[LogPart]) -> tuple[LogPart, ...]:
    """Build a sentence: capitalize the first part, add a full stop, and merge adjacent texts."""
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
