"""/health and /ready."""

import sqlite3
import time
from pathlib import Path

from tests.support.server import TIMEOUT, Server, wait_until_unready


def test_health_says_if_nothing_can_be_written(tmp_path: Path) -> None:
    """Another program holds the database: reading works, saving does not."""
    server = Server(str(tmp_path / "tables.db"))
    server.start()
    try:
        assert server.request("/health").status == server.request("/ready").status == 200
        with sqlite3.connect(tmp_path / "tables.db", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            until = time.monotonic() + 2 * TIMEOUT
            while server.request("/health").status == 200:  # an answer is good for a second
                assert time.monotonic() < until
            wait_until_unready(server)
            other.execute("ROLLBACK")
        while server.request("/health").status != 200:
            assert time.monotonic() < until
    finally:
        server.stop()
