"""Find, export, anonymize or delete the data of a player."""

import json
from collections.abc import Iterator
from typing import Any

from argentum.rooms.entries import has_player, public_body, replace_name
from argentum.rooms.log.databases import DatabaseConnection, database_for

SELECT_ALL = "SELECT table_id, seq, kind, body, at FROM entries ORDER BY table_id, seq"
UPDATE_BODY = "UPDATE entries SET body = ? WHERE table_id = ? AND seq = ?"
DELETE = "DELETE FROM entries WHERE table_id = ?"


class Archive:
    """Direct access to all entries of a database. Rooms that a server has loaded do not notice the changes."""

    def __init__(self, url: str) -> None:
        self.database = database_for(url)
        self.connection = DatabaseConnection(self.database)

    def has_table(self, table: str) -> bool:
        return any([name == table for name, *_ in self._entries()])

    def tables_of_player(self, name: str, table: str = "") -> list[str]:
        """Return the tables where a player of that name had a seat; if `table` is given, at most that one."""
        matches = {other for other, _, _, body, _ in self._entries() if has_player(body, name)}
        return sorted(matches & {table} if table else matches)

    def export(self, tables: list[str]) -> Iterator[dict[str, Any]]:
        """Yield the entries of these tables, without secrets."""
        for table, seq, kind, body, at in self._entries():
            if table in tables:
                yield {"table": table, "seq": seq, "at": at, "kind": kind, "body": public_body(body)}

    def anonymize_player(self, name: str, tables: list[str]) -> int:
        """Replace a player's name with the seat's default name; return the number of changed entries."""
        changed = [
            (json.dumps(replace_name(body, name)), table, seq)
            for table, seq, _, body, _ in self._entries()
            if table in tables and has_player(body, name)
        ]
        self._execute(UPDATE_BODY, changed)
        return len(changed)

    def delete(self, tables: list[str]) -> None:
        self._execute(DELETE, [(table,) for table in tables])

    def close(self) -> None:
        self.connection.close()

    def _entries(self) -> list[tuple[str, int, str, dict[str, Any], float]]:
        with self.connection.use() as connection:
            rows = connection.execute(SELECT_ALL).fetchall()
        return [(table, seq, kind, json.loads(body), at) for table, seq, kind, body, at in rows]

    def _execute(self, sql: str, all_args: list[tuple[Any, ...]]) -> None:
        with self.connection.use() as connection:
            connection.execute("BEGIN")
            for args in all_args:
                connection.execute(sql.replace("?", self.database.placeholder), args)
            connection.execute("COMMIT")
