"""The example client, and the tables and examples of docs/protocol.md."""

import asyncio
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from argentum.display.updates import PROTOCOL_VERSION
from argentum.rooms import messages, post_game
from argentum.rules.events import EVENT_KINDS, Event
from argentum.rules.scoring import ScoreLine
from argentum.rules.views import Card, View
from argentum.web.site import NEW_TABLE_FIELDS
from argentum.web.sockets import connection, entrance
from argentum.web.sockets.readers import MESSAGES
from tests.support.server import TIMEOUT, Server, join_table, shared_server

__all__ = ["shared_server"]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "client.py"
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def run_example(link: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLE), link], capture_output=True, text=True, timeout=2 * TIMEOUT
    )


def test_the_example_has_at_most_forty_lines() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40


def test_the_example_has_a_help_text() -> None:
    result = run_example("--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Take a seat by its link and play a game")


@pytest.mark.parametrize("boxes", ["dadabcacaabdac", "random"])
def test_the_example_plays_to_the_end(server: Server, boxes: str) -> None:
    table, key = server.new_table(boxes=boxes, bots="2")
    result = run_example(f"{server.origin}/table/{table}#{key}")
    assert (result.returncode, result.stderr) == (0, "")

    async def final_state() -> dict[str, Any]:
        async with join_table(server, table, key) as client:
            return client.state

    state = asyncio.run(final_state())
    assert state["stage"] == "over"
    assert result.stdout == f"I sat in A, and {state['winner']} wins: {state['view']['totals']}\n"


def test_the_example_prints_why_it_got_no_seat(server: Server) -> None:
    table, _ = server.new_table()
    result = run_example(f"{server.origin}/table/{table}#not-a-key")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("this link does not open a seat")


def table_rows(head: str) -> list[list[set[str]]]:
    """Return the rows of the Markdown table whose header begins with `head`: the words in backticks per cell."""
    lines = iter(DOCUMENT.splitlines())
    assert any(line.startswith(f"| {head} |") for line in lines), f"no table begins with {head}"
    next(lines)
    cells = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells.append([set(re.findall(r"`([^`]+)`", cell)) for cell in line.strip("|").split("|")])
    return cells


def first_column(head: str) -> set[str]:
    return {name for row in table_rows(head) for name in row[0]}


def documented_fields(stage: str) -> set[str]:
    """Return the documented fields of an update to the host at a stage."""
    conditions = {
        "gathering": ("always", "to the host"),
        "playing": ("always", "to the host", "a game"),
        "over": ("always", "to the host", "a game", "over"),
    }
    lines = [line.split("|") for line in DOCUMENT.partition("| update | there |")[2].partition("\n\n")[0].splitlines()]
    cells = [line for line in lines if len(line) > 3 and line[2].strip() in conditions[stage]]
    return {name for line in cells for name in re.findall(r"`(\w+)`", line[1])}


def documented_subfields(field: str) -> set[str]:
    """Return the documented fields of the object in a field of an update."""
    [row] = [row for row in table_rows("update") if field in row[0]]
    return row[2]


def examples() -> Iterator[dict[str, Any]]:
    for block in re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL):
        yield json.loads(block)


def test_every_error_is_documented() -> None:
    sources = [inspect.getsource(module) for module in (entrance, connection, post_game)]
    codes = re.findall(r'error_json\(\s*"([^"]+)"', "".join(sources))
    assert first_column("code") == set(codes)


def test_views_cards_and_events_are_documented() -> None:
    assert first_column("view") == {*View._fields} - {"cast"}
    assert first_column("card") == set(Card._fields)
    assert first_column("event") == {*Event._fields, "secret"}
    assert first_column("line") == set(ScoreLine._fields)
    kinds = " ".join(DOCUMENT.partition("The kinds:")[2].partition("##")[0].split())
    assert re.findall(r"`([^`]+)`", kinds) == list(EVENT_KINDS)


def test_fields_of_arrange_are_documented() -> None:
    assert first_column("field") == set(MESSAGES["arrange"].optional)


def test_limits_are_documented() -> None:
    assert f"{messages.MAX_MESSAGE_LENGTH:,} characters" in DOCUMENT
    assert f"version {PROTOCOL_VERSION}" in DOCUMENT
    assert f"within {entrance.JOIN_TIMEOUT:.0f} seconds" in DOCUMENT


def test_the_example_messages_are_valid() -> None:
    shown = [example for example in examples() if example.get("type", "update") != "update"]
    assert [messages.read_message(json.dumps(message), MESSAGES)["type"] for message in shown] == ["join", "move"]


def test_settings_and_links_of_new_tables_are_documented(server: Server) -> None:
    assert first_column("setting") == NEW_TABLE_FIELDS
    [shown] = [example for example in examples() if "type" not in example]
    response = server.request("/api/tables", {})
    assert (response.status, json.loads(response.body).keys()) == (HTTPStatus.CREATED, shown.keys())
    assert json.loads(response.body)["links"].keys() == shown["links"].keys()


def test_updates_have_the_documented_fields(server: Server) -> None:
    [shown] = [example for example in examples() if example.get("type") == "update"]

    async def play() -> None:
        table, key = server.new_table("/tables", name="Ann")
        async with join_table(server, table, key) as client:
            gathering = client.state
            assert gathering.keys() == documented_fields("gathering")
            assert gathering["arrangement"].keys() == documented_subfields("arrangement")
            await client.send(type="arrange", seat="B", bot="novice")
            await client.send(type="start")
            while client.state["stage"] != "playing":
                await client.next_update()
            playing = client.state
            assert playing.keys() == documented_fields("playing") == shown.keys()
            assert playing["view"].keys() == shown["view"].keys() == {*View._fields} - {"cast"}
            assert playing["seats"][0].keys() == shown["seats"][0].keys()
            assert playing["view"]["deck"].keys() == shown["view"]["deck"].keys()
            await asyncio.to_thread(run_example, f"{server.origin}/table/{table}#{key}")
            while client.state["stage"] != "over":
                await client.next_update()
            assert client.state.keys() == documented_fields("over")

    asyncio.run(play())
