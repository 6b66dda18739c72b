"""The interface of journals, their entries and errors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from argentum.rooms.log.databases import LogError


class EntryConflict(Exception):
    """Raised if another writer has already added an entry with this number to the table's log."""


class CorruptEntry(LogError):
    """Raised for a table with an invalid entry; other tables are not affected."""


class WriterFenced(LogError):
    """Raised if other servers have declared this one dead: it must not write, because they may own its tables."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table's log: its number, kind, JSON body and Unix time."""

    seq: int
    kind: str
    body: Any
    at: float


class Journal(Protocol):
    """The storage of the tables' logs: `SqlJournal`, or the IndexedDB journal of the static edition."""

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Append entry number `seq`; raise `EntryConflict` if the table has an entry with this number."""

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Replace the last entry, number `seq - 1` and of the same kind, with entry number `seq`.

        Raise `EntryConflict` if it is not the last one.
        """

    async def delete_older(self, table: str, before: float) -> bool:
        """Delete a table whose last entry is before a Unix time; return whether it was deleted."""

    def expired_tables(self, before: float) -> list[str]:
        """Return the tables whose last entry is before a Unix time, except those kept forever."""

    def unplayed_tables(self, before: float) -> list[str]:
        """Return the tables without a game whose last entry is before a Unix time."""

    def ping(self) -> None:
        """Raise `LogError` if the database cannot be written."""

    def entries(self, table: str) -> list[Entry]: ...

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]: ...

    def bans(self) -> list[str]:
        """Return the banned addresses and networks."""

    async def set_ban(self, address: str, banned: bool) -> None:
        """Ban an address or network, or lift its ban."""

    async def close(self) -> None:
        """Close the journal after pending entries are written."""
