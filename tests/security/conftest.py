from tests.support.fixtures import chromium, cluster, database_url, long_timeouts
from tests.support.server import shared_server

__all__ = ["chromium", "cluster", "database_url", "long_timeouts", "shared_server"]
