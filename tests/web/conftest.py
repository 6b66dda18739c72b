"""The databases and the server are there for all tests of the web."""

from tests.web.browsing import chromium
from tests.web.databases import cluster, database_url
from tests.web.serving import server

__all__ = ["chromium", "cluster", "database_url", "server"]
