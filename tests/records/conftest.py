"""Import the fixtures that the tests of records use."""

from tests.support.fixtures import chromium, cluster, database_url, long_timeouts, server

__all__ = ["chromium", "cluster", "database_url", "long_timeouts", "server"]
