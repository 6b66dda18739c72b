"""Fixtures for tests that use databases, servers or browsers; each conftest.py imports its own selection."""

import pytest

from tests.support.browser import chromium
from tests.support.databases import cluster, database_url
from tests.support.server import TIMEOUT, server

__all__ = ["chromium", "cluster", "database_url", "server"]


@pytest.fixture(autouse=True)
def long_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the database timeouts in this process, so that tests pass on a slow machine."""
    monkeypatch.setattr("argentum.rooms.log.databases.QUERY_TIMEOUT", TIMEOUT)
    monkeypatch.setattr("argentum.rooms.log.databases.BUSY_TIMEOUT", int(TIMEOUT))
    monkeypatch.setattr("argentum.rooms.log.databases.IDLE_TRANSACTION_TIMEOUT", int(TIMEOUT))
