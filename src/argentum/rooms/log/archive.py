"""What the database knows of a player: find it, take it out as text, or take the name out of it."""

import json
from collections.abc import Iterator
from typing import Any

from argentum.rooms.log.databases import DatabaseConnection, database_for
from argentum.rooms.names import DEFAULT_PLAYER_NAMES

SECRET_FIELDS = ("digests", "secret", "seed")  # by which a table could be opened, or its cards foreseen
SELECT_ALL = "SELECT table_id, seq, kind, body, at FROM entries ORDER BY table_id, seq"
UPDATE_BODY = "UPDATE entries SET body = ? WHERE table_id = ? AND seq = ?"
DELETE = "DELETE FROM entries WHERE table_id = ?"


class Archive:
    """The entries of a database, past the log. A server may be running; tables in its memory keep what they know."""

    def __init__(self, url: str) -> None:
        self.database = database_for(url)
        self.link = DatabaseConnection(self.database)

    def has_table(self, table: str) -> bool:
        """Whether there is a table of that name."""
        return any([one == table for one, *_ in self._entries()])

    def tables_with(self, name: str, table: str = "") -> list[str]:
        """The tables where somebody of that name sat; of all, or this one if it is among them."""
        found = {one for one, _, _, body, _ in self._entries() if name.casefold() in _names(body)}
        return sorted(found & {table} if table else found)

    def export(self, tables: list[str]) -> Iterator[dict[str, Any]]:
        """All that is known of these tables, but for their secrets."""
        for table, seq, kind, body, at in self._entries():
            if table in tables:
                kept = {key: value for key, value in body.items() if key not in SECRET_FIELDS}
                yield {"table": table, "seq": seq, "at": at, "kind": kind, "body": kept}

    def remove_name(self, name: str, tables: list[str]) -> int:
        """Put the seat's own name in the place of somebody's; how many entries that changed."""
        changed = [
            (json.dumps(_without_name(body, name)), table, seq)
            for table, seq, _, body, _ in self._entries()
            if table in tables and name.casefold() in _names(body)
        ]
        self._execute(UPDATE_BODY, changed)
        return len(changed)

    def delete(self, tables: list[str]) -> None:
        """Delete these tables with their games."""
        self._execute(DELETE, [(table,) for table in tables])

    def close(self) -> None:
        """Close the connection."""
        self.link.close()

    def _entries(self) -> list[tuple[str, int, str, dict[str, Any], float]]:
        with self.link.use() as connection:
            rows = connection.execute(SELECT_ALL).fetchall()
        return [(table, seq, kind, json.loads(body), at) for table, seq, kind, body, at in rows]

    def _execute(self, sql: str, all_args: list[tuple[Any, ...]]) -> None:
        with self.link.use() as connection:
            connection.execute("BEGIN")
            for args in all_args:
                connection.execute(sql.replace("?", self.database.placeholder), args)
            connection.execute("COMMIT")


def _places(body: dict[str, Any]) -> list[list[Any]]:
    """The places of an arrangement, whose first field is a name."""
    places: list[list[Any]] = body.get("arrangement", {}).get("places", [])
    return places


def _names(body: dict[str, Any]) -> set[str]:
    """The names in an entry."""
    return {str(name).casefold() for name in [*[place[0] for place in _places(body)], *body.get("names", [])]}


def _without_name(body: dict[str, Any], name: str) -> dict[str, Any]:
    """An entry without somebody's name. Their seat has its own again, as if they had never said one."""
    for nth, place in enumerate(_places(body)):
        if str(place[0]).casefold() == name.casefold():
            place[0] = _default_name(nth, [str(one[0]) for one in _places(body)])
    names = body.get("names", [])
    for nth, one in enumerate(names):
        if str(one).casefold() == name.casefold():
            names[nth] = _default_name(nth, names)
    return body


def _default_name(seat: int, taken: list[str]) -> str:
    """The seat's own name, or what comes nearest if somebody else is called so."""
    name = DEFAULT_PLAYER_NAMES[seat]
    return name if name.casefold() not in [one.casefold() for one in taken] else f"{name} {seat + 1}"
