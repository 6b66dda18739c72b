"""Fixtures for tests of the web server: databases, servers and browsers."""

from tests.support.fixtures import chromium, cluster, database_url, long_timeouts, server

__all__ = ["chromium", "cluster", "database_url", "long_timeouts", "server"]
