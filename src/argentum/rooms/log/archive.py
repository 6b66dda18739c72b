"""Find, export, anonymize or delete the data of a player."""

import json
from collections.abc import Iterator
from typing import Any

from argentum.rooms.log.databases import DatabaseConnection, database_for
from argentum.rooms.names import DEFAULT_PLAYER_NAMES

SECRET_FIELDS = ("digests", "secret", "seed")  # they would help to open seats, or reveal cards
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
        matches = {other for other, _, _, body, _ in self._entries() if name.casefold() in _names_in(body)}
        return sorted(matches & {table} if table else matches)

    def export(self, tables: list[str]) -> Iterator[dict[str, Any]]:
        """Yield the entries of these tables, without secrets."""
        for table, seq, kind, body, at in self._entries():
            if table in tables:
                public = {key: value for key, value in body.items() if key not in SECRET_FIELDS}
                yield {"table": table, "seq": seq, "at": at, "kind": kind, "body": public}

    def anonymize_player(self, name: str, tables: list[str]) -> int:
        """Replace a player's name with the seat's default name; return the number of changed entries."""
        changed = [
            (json.dumps(_replace_name(body, name)), table, seq)
            for table, seq, _, body, _ in self._entries()
            if table in tables and name.casefold() in _names_in(body)
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


def _seats_in(body: dict[str, Any]) -> list[list[Any]]:
    seats: list[list[Any]] = body.get("arrangement", {}).get("places", [])
    return seats


def _names_in(body: dict[str, Any]) -> set[str]:
    return {str(name).casefold() for name in [*[seat[0] for seat in _seats_in(body)], *body.get("names", [])]}


def _replace_name(body: dict[str, Any], name: str) -> dict[str, Any]:
    """Replace a name in the body of an entry, in place, with the seat's default name; return the body."""
    for index, seat in enumerate(_seats_in(body)):
        if str(seat[0]).casefold() == name.casefold():
            seat[0] = _default_name(index, [str(other[0]) for other in _seats_in(body)])
    names = body.get("names", [])
    for index, other in enumerate(names):
        if str(other).casefold() == name.casefold():
            names[index] = _default_name(index, names)
    return body


def _default_name(seat: int, taken: list[str]) -> str:
    """Return the seat's default name, with a number appended if it is taken."""
    name = DEFAULT_PLAYER_NAMES[seat]
    return name if name.casefold() not in [other.casefold() for other in taken] else f"{name} {seat + 1}"
