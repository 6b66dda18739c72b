"""Journal of the static edition, in the browser's IndexedDB."""

import json
import time
from collections.abc import Awaitable, Iterator
from typing import Any, Protocol

from argentum.rooms.log.journal import Entry, EntryConflict


class EntryStore(Protocol):
    """IndexedDB as `static/python_worker.js` offers it. Rows are JSON objects: table, seq, kind, body, at."""

    def add(self, row: str) -> Awaitable[bool]:
        """Add a row; return False if there is one with the same table and seq."""

    def read(self, table: str) -> Awaitable[str]:
        """The rows of a table as a JSON list; of all tables if the name is empty."""

    def remove(self, table: str) -> Awaitable[object]:
        pass


class IndexedDbJournal:
    """A journal with a copy in memory. Without shared workers each page has a copy, and the store decides conflicts."""

    def __init__(self, store: EntryStore) -> None:
        self.store = store
        self.tables: dict[str, list[Entry]] = {}

    async def load(self, table: str = "") -> None:
        """Reload a table, or all, from the store."""
        rows = json.loads(await self.store.read(table))
        for name in {row["table"] for row in rows}:
            self.tables[name] = [
                Entry(row["seq"], row["kind"], row["body"], row["at"]) for row in rows if row["table"] == name
            ]

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Write an entry; return when the store has it. Raises `EntryConflict` if another page wrote first."""
        entry = Entry(seq, kind, body, time.time())
        row = json.dumps({"table": table, "seq": seq, "kind": kind, "body": body, "at": entry.at})
        if not await self.store.add(row):
            await self.load(table)  # Another page wrote to this table: continue from its entries.
            raise EntryConflict(f"table {table} has an entry {seq}")
        # Decoded from JSON, so that an entry is the same now as after a reload.
        self.tables.setdefault(table, []).append(Entry(seq, kind, json.loads(row)["body"], entry.at))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Append an entry. Earlier ones stay, because only one player fills this store."""
        await self.append(table, seq, kind, body)

    async def delete_older(self, table: str, before: float) -> bool:
        """Delete a table whose last entry is older than a Unix time; return whether it was."""
        if table not in self.tables or self.tables[table][-1].at >= before:
            return False
        del self.tables[table]
        await self.store.remove(table)
        return True

    def expired(self, before: float) -> list[str]:
        """Tables whose last entry is older than a Unix time, except those marked to keep."""
        return [
            table
            for table, entries in self.tables.items()
            if entries[-1].at < before and all([entry.kind != "keep" for entry in entries])
        ]

    def unplayed(self, before: float) -> list[str]:
        """Tables without a game whose last entry is older than a Unix time."""
        return [
            table
            for table, entries in self.tables.items()
            if entries[-1].at < before and all([entry.kind != "start" for entry in entries])
        ]

    def ping(self) -> None:
        """Nothing to check: IndexedDB is part of the browser."""

    def entries(self, table: str) -> list[Entry]:
        return list(self.tables.get(table, ()))

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]:
        for table in sorted(self.tables):
            yield table, self.entries(table)

    def bans(self) -> list[str]:
        """Always empty: the static edition has no remote clients."""
        return []

    async def set_ban(self, address: str, banned: bool) -> None:
        """Does nothing: the static edition has no remote clients."""

    async def close(self) -> None:
        """Nothing to flush: `append` returns only after the store has written."""
