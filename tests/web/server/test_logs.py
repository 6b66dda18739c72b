"""Events and errors as JSON lines."""

import json
import logging
import sys
from pathlib import Path

from argentum.web.server.logs import JsonFormatter
from tests.support.server import Server


def test_events_are_lines_of_json_with_addresses_only_if_configured(tmp_path: Path) -> None:
    for with_addresses in (False, True):
        folder = tmp_path / str(with_addresses)
        folder.mkdir()
        (folder / "settings.toml").write_text(f'log_format = "json"\nlog_addresses = {str(with_addresses).lower()}\n')
        with (folder / "stderr").open("w+b") as stderr:
            options = ("--settings", str(folder / "settings.toml"))
            server = Server(str(folder / "tables.db"), options, stderr=stderr)
            server.start()
            name, _ = server.new_table("/tables")
            server.stop()
        lines = [json.loads(line) for line in (folder / "stderr").read_text().splitlines()]
        (created,) = [line for line in lines if line["event"] == "table_created"]
        assert created["table"] == name
        assert created.get("address") == ("127.0.1.1" if with_addresses else None)


def test_an_error_is_one_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.getLogger("x").makeRecord("x", logging.ERROR, "x", 1, "it failed", (), sys.exc_info())
    line = JsonFormatter(with_addresses=False).format(record)
    assert "\n" not in line
    assert "ValueError" in json.loads(line)["traceback"]
