"""States of the tables that a browser remembers."""

import json

from tests.support.server import Server


def test_unknown_tables_and_invalid_keys_are_omitted(server: Server) -> None:
    name, key = server.new_table()
    answer = server.request("/my-tables", {"tables": f"{name} {key} {name} wrong no-such {key} odd"})
    assert [state["name"] for state in json.loads(answer.text)] == [name]
    assert server.request("/my-tables", {"tables": ""}).text == "[]"
