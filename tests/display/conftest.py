from tests.support.fixtures import chromium, cluster, database_url, patient, server

__all__ = ["chromium", "cluster", "database_url", "patient", "server"]
