"""Events and errors as JSON lines."""

import json
import logging
import sys
from pathlib import Path

from argentum.web.server.logs import JsonFormatter
from tests.support.server import Server


def test_each_event_is_one_line_of_json_with_addresses_only_if_wanted(tmp_path: Path) -> None:
    for wanted in (False, True):
        folder = tmp_path / str(wanted)
        folder.mkdir()
        (folder / "settings.toml").write_text(f'log_format = "json"\nlog_addresses = {str(wanted).lower()}\n')
        with (folder / "stderr").open("w+b") as stderr:
            options = ("--settings", str(folder / "settings.toml"))
            server = Server(str(folder / "tables.db"), options, stderr=stderr)
            server.start()
            name, _ = server.new_table("/tables")
            server.stop()
        lines = [json.loads(line) for line in (folder / "stderr").read_text().splitlines()]
        (made,) = [line for line in lines if line["event"] == "table_created"]
        assert made["table"] == name
        assert made.get("address") == ("127.0.1.1" if wanted else None)


def test_an_error_is_one_line_too() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.getLogger("x").makeRecord("x", logging.ERROR, "x", 1, "it failed", (), sys.exc_info())
    line = JsonFormatter(with_addresses=False).format(record)
    assert "\n" not in line
    assert "ValueError" in json.loads(line)["traceback"]
