"""The databases and the server are there for all tests of the web."""

import pytest

from tests.support.browser import chromium
from tests.support.databases import cluster, database_url
from tests.support.server import PATIENCE, server

__all__ = ["chromium", "cluster", "database_url", "server"]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No database is given up, and none hangs up on a log in our process, because the machine is slow."""
    monkeypatch.setattr("argentum.rooms.log.databases.QUERY_TIMEOUT", PATIENCE)
    monkeypatch.setattr("argentum.rooms.log.databases.BUSY_TIMEOUT", int(PATIENCE))
    monkeypatch.setattr("argentum.rooms.log.databases.IDLE_TRANSACTION_TIMEOUT", int(PATIENCE))
