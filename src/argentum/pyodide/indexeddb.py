"""The log of the static edition, kept in the browser's own database."""

import json
import time
from collections.abc import Awaitable, Iterator
from typing import Any, Protocol

from argentum.rooms.log.journal import Entry, EntryConflict


class EntryStore(Protocol):
    """The browser's database, as `files/python_worker.js` offers it. Rows are JSON: table, seq, kind, body, at."""

    def add(self, row: str) -> Awaitable[bool]:
        """Keep a row; whether there was none of that table and number."""

    def read(self, table: str) -> Awaitable[str]:
        """The rows of a table, as a JSON list; of all tables, if its name is empty."""

    def remove(self, table: str) -> Awaitable[object]:
        """Remove a table."""


class IndexedDbJournal:
    """A journal of which memory has a copy. Pages without a shared worker each have one; the shelf decides."""

    def __init__(self, shelf: EntryStore) -> None:
        self.shelf = shelf
        self.tables: dict[str, list[Entry]] = {}

    async def load(self, table: str = "") -> None:
        """Take over what the shelf has of a table, or of all."""
        rows = json.loads(await self.shelf.read(table))
        for name in {row["table"] for row in rows}:
            self.tables[name] = [
                Entry(row["seq"], row["kind"], row["body"], row["at"]) for row in rows if row["table"] == name
            ]

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Write an entry; this returns when the browser has it."""
        entry = Entry(seq, kind, body, time.time())
        row = json.dumps({"table": table, "seq": seq, "kind": kind, "body": body, "at": entry.at})
        if not await self.shelf.add(row):
            await self.load(table)  # another page is at this table: go on from what it wrote
            raise EntryConflict(f"table {table} has an entry {seq}")
        # As JSON has it, so that an entry is the same now and when it is read again.
        self.tables.setdefault(table, []).append(Entry(seq, kind, json.loads(row)["body"], entry.at))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Write an entry; the one before may stay, as nobody else can fill this browser's database."""
        await self.append(table, seq, kind, body)

    async def delete_older(self, table: str, before: float) -> bool:
        """Remove a table whose last entry is from before a Unix time; whether it was."""
        if table not in self.tables or self.tables[table][-1].at >= before:
            return False
        del self.tables[table]
        await self.shelf.remove(table)
        return True

    def expired(self, before: float) -> list[str]:
        """The tables whose last entry is from before a Unix time, but for those that are kept for good."""
        return [
            table
            for table, entries in self.tables.items()
            if entries[-1].at < before and all([entry.kind != "keep" for entry in entries])
        ]

    def unplayed(self, before: float) -> list[str]:
        """The tables without a game whose last entry is from before a Unix time."""
        return [
            table
            for table, entries in self.tables.items()
            if entries[-1].at < before and all([entry.kind != "start" for entry in entries])
        ]

    def ping(self) -> None:
        """The browser's own database is always there."""

    def entries(self, table: str) -> list[Entry]:
        """A table's entries in order."""
        return list(self.tables.get(table, ()))

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]:
        """Each table with its entries in order."""
        for table in sorted(self.tables):
            yield table, self.entries(table)

    def bans(self) -> list[str]:
        """Nobody else comes here."""
        return []

    async def set_ban(self, address: str, banned: bool) -> None:
        """Nobody could be banned."""

    async def close(self) -> None:
        """Nothing waits: each entry was kept before its append returned."""
