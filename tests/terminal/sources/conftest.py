"""The server of tests.support for the tests of this folder."""

from tests.support.fixtures import server

__all__ = ["server"]
