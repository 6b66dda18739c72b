"""The state of the tables that a browser remembers."""

import json

from tests.support.server import Server


def test_tables_that_are_gone_or_not_yours_are_left_out(server: Server) -> None:
    name, key = server.new_table()
    answer = server.request("/mine", {"tables": f"{name} {key} {name} wrong no-such {key} odd"})
    assert [one["name"] for one in json.loads(answer.text)] == [name]
    assert server.request("/mine", {"tables": ""}).text == "[]"
