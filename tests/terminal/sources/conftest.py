from tests.support.fixtures import server

__all__ = ["server"]
