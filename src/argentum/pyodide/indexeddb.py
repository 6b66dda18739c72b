"""A journal in the browser's IndexedDB, for the static edition."""

import json
import time
from collections.abc import Awaitable
from typing import Any, Protocol

from argentum.rooms.log.journal import Entry, EntryConflict
from argentum.rooms.log.memory import MemoryJournal


class EntryStore(Protocol):
    """Interface to IndexedDB in `static/python_worker.js`. Rows are JSON objects: table, seq, kind, body and at."""

    def add(self, row: str) -> Awaitable[bool]:
        """Add a row; return False if there is one with the same table and seq."""

    def read(self, table: str) -> Awaitable[str]:
        """Return the rows of a table, or of all tables if the name is empty, as a JSON array."""

    def remove(self, table: str) -> Awaitable[object]:
        pass


class IndexedDbJournal(MemoryJournal):
    """A journal with a copy in memory. Each worker has its own copy; the store detects conflicts between them."""

    def __init__(self, store: EntryStore) -> None:
        super().__init__()
        self.store = store

    async def load(self, table: str = "") -> None:
        """Load a table from the store, or all tables if the name is empty."""
        rows = json.loads(await self.store.read(table))
        for name in {row["table"] for row in rows}:
            self.tables[name] = [
                Entry(row["seq"], row["kind"], row["body"], row["at"]) for row in rows if row["table"] == name
            ]

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Add an entry; return when it is stored. Raises `EntryConflict` if another page has added this `seq`."""
        row = {"table": table, "seq": seq, "kind": kind, "body": body, "at": time.time()}
        if not await self.store.add(json.dumps(row)):
            await self.load(table)  # Continue from the entries of the other page.
            raise EntryConflict(f"table {table} has an entry {seq}")
        await super().append(table, seq, kind, body)

    async def delete_older(self, table: str, before: float) -> bool:
        """Delete a table whose last entry is before a Unix time; return whether it was deleted."""
        is_deleted = await super().delete_older(table, before)
        if is_deleted:
            await self.store.remove(table)
        return is_deleted
