"""Fixtures of the end-to-end tests: databases, servers, browsers."""

from tests.e2e.static_edition import host
from tests.support.fixtures import chromium, cluster, database_url, long_timeouts, server

__all__ = ["chromium", "cluster", "database_url", "host", "long_timeouts", "server"]
