"""A journal in the browser's IndexedDB, for the static edition."""

import json
import time
from collections.abc import Awaitable, Iterator
from typing import Any, Protocol

from argentum.rooms.entries import GameKept, GameStarted
from argentum.rooms.log.journal import Entry, EntryConflict


class EntryStore(Protocol):
    """Interface to IndexedDB in `static/python_worker.js`. Rows are JSON objects: table, seq, kind, body and at."""

    def add(self, row: str) -> Awaitable[bool]:
        """Add a row; return False if there is one with the same table and seq."""

    def read(self, table: str) -> Awaitable[str]:
        """Return the rows of a table, or of all tables if the name is empty, as a JSON array."""

    def remove(self, table: str) -> Awaitable[object]:
        pass


class IndexedDbJournal:
    """A journal with a copy in memory. Each worker has its own copy; the store detects conflicts between them."""

    def __init__(self, store: EntryStore) -> None:
        self.store = store
        self.tables: dict[str, list[Entry]] = {}

    async def load(self, table: str = "") -> None:
        """Load a table from the store, or all tables if the name is empty."""
        rows = json.loads(await self.store.read(table))
        for name in {row["table"] for row in rows}:
            self.tables[name] = [
                Entry(row["seq"], row["kind"], row["body"], row["at"]) for row in rows if row["table"] == name
            ]

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Add an entry; return when it is stored. Raises `EntryConflict` if another page has added this `seq`."""
        entry = Entry(seq, kind, body, time.time())
        row = json.dumps({"table": table, "seq": seq, "kind": kind, "body": body, "at": entry.at})
        if not await self.store.add(row):
            await self.load(table)  # Continue from the entries of the other page.
            raise EntryConflict(f"table {table} has an entry {seq}")
        # The body is decoded from JSON, so that it is the same now as after a reload.
        self.tables.setdefault(table, []).append(Entry(seq, kind, json.loads(row)["body"], entry.at))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Append an entry without deleting earlier ones, because one player cannot fill the store."""
        await self.append(table, seq, kind, body)

    async def delete_older(self, table: str, before: float) -> bool:
        """Delete a table whose last entry is before a Unix time; return whether it was deleted."""
        if table not in self.tables or self.tables[table][-1].at >= before:
            return False
        del self.tables[table]
        await self.store.remove(table)
        return True

    def expired_tables(self, before: float) -> list[str]:
        """Return the tables whose last entry is before a Unix time, except those kept forever."""
        return [
            table
            for table, entries in self.tables.items()
            if entries[-1].at < before and all([entry.kind != GameKept.kind for entry in entries])
        ]

    def unplayed_tables(self, before: float) -> list[str]:
        """Return the tables without a game whose last entry is before a Unix time."""
        return [
            table
            for table, entries in self.tables.items()
            if entries[-1].at < before and all([entry.kind != GameStarted.kind for entry in entries])
        ]

    def ping(self) -> None:
        """Do nothing: IndexedDB is part of the browser."""

    def entries(self, table: str) -> list[Entry]:
        return list(self.tables.get(table, ()))

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]:
        for table in sorted(self.tables):
            yield table, self.entries(table)

    def bans(self) -> list[str]:
        """Always empty: the static edition has no remote clients."""
        return []

    async def set_ban(self, address: str, banned: bool) -> None:
        """Do nothing: the static edition has no remote clients."""

    async def close(self) -> None:
        """Do nothing: `append` returns only after the store has written."""
