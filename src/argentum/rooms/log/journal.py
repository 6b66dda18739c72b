"""Interface of the journal, its entries and errors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from argentum.rooms.log.databases import LogError


class EntryConflict(Exception):
    """Somebody else has written the entry of this table and number."""


class CorruptEntry(LogError):
    """An entry of a table is invalid; other tables are not touched by that."""


class WriterFenced(LogError):
    """Other servers have given this one up, and may have its tables: it must not write."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened at a table: its number, its kind, what JSON can say of it, and the Unix time."""

    seq: int
    kind: str
    body: Any
    at: float


class Journal(Protocol):
    """What a hall writes to. A `Log` is one; the static edition keeps another in the browser."""

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Write an entry; Conflict if the table has one of that number."""

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Write an entry in the place of the one before, of the same kind; Conflict if that is not the last."""

    async def delete_older(self, table: str, before: float) -> bool:
        """Remove a table whose last entry is from before a Unix time; whether it was."""

    def expired(self, before: float) -> list[str]:
        """The tables whose last entry is from before a Unix time, but for those that are kept for good."""

    def unplayed(self, before: float) -> list[str]:
        """The tables without a game whose last entry is from before a Unix time."""

    def ping(self) -> None:
        """Raise LogError if nothing could be written now."""

    def entries(self, table: str) -> list[Entry]:
        """A table's entries in order."""

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]:
        """Each table with its entries in order."""

    def bans(self) -> list[str]:
        """The addresses and networks that are banned."""

    async def set_ban(self, address: str, banned: bool) -> None:
        """Ban an address or a network, or lift that."""

    async def close(self) -> None:
        """Write what waits, then close."""
