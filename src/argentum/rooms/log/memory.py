"""A journal in memory, which subclasses also store elsewhere: in files, or in the browser."""

import json
import time
from collections.abc import Iterator
from typing import Any

from argentum.rooms.entries import GameKept, GameStarted
from argentum.rooms.log.journal import Entry, EntryConflict


class MemoryJournal:
    """The logs of some tables in memory, for a single writer without remote clients."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Entry]] = {}

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Append entry number `seq`; raise `EntryConflict` if the table has an entry with this number."""
        entries = self.tables.setdefault(table, [])
        if seq != (entries[-1].seq + 1 if entries else 0):
            raise EntryConflict(f"table {table} has an entry {seq}")
        # The body is converted to JSON and back, so that it is the same now as after a reload.
        entries.append(Entry(seq, kind, json.loads(json.dumps(body)), time.time()))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Append an entry without deleting earlier ones, because one player cannot fill the memory."""
        await self.append(table, seq, kind, body)

    async def delete_older(self, table: str, before: float) -> bool:
        """Delete a table whose last entry is before a Unix time; return whether it was deleted."""
        if table not in self.tables or self.tables[table][-1].at >= before:
            return False
        del self.tables[table]
        return True

    def expired_tables(self, before: float) -> list[str]:
        """Return the tables whose last entry is before a Unix time, except those kept forever."""
        return self._older_without(GameKept.kind, before)

    def unplayed_tables(self, before: float) -> list[str]:
        """Return the tables without a game whose last entry is before a Unix time."""
        return self._older_without(GameStarted.kind, before)

    def _older_without(self, kind: str, before: float) -> list[str]:
        """Return the tables without an entry of a kind whose last entry is before a Unix time."""
        old_tables = [(table, entries) for table, entries in self.tables.items() if entries[-1].at < before]
        return [table for table, entries in old_tables if all([entry.kind != kind for entry in entries])]

    def ping(self) -> None:
        """Do nothing: memory can always be written."""

    def entries(self, table: str) -> list[Entry]:
        return list(self.tables.get(table, ()))

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]:
        for table in sorted(self.tables):
            yield table, self.entries(table)

    def bans(self) -> list[str]:
        """Return an empty list: there are no remote clients."""
        return []

    async def set_ban(self, address: str, banned: bool) -> None:
        """Do nothing: there are no remote clients."""

    async def close(self) -> None:
        """Do nothing: entries are stored before `append` returns."""
