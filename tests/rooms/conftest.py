"""Fixtures for tests of rooms."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace

import pytest

from argentum.rooms import entries
from tests.support.fixtures import chromium, cluster, database_url, long_timeouts, server

__all__ = ["chromium", "cluster", "database_url", "long_timeouts", "server"]


@pytest.fixture
def seed_tables(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that makes the shuffles of new tables depend on a seed only."""

    def set_seed(seed: int) -> None:
        random = Random(seed)
        monkeypatch.setattr(entries, "secrets", SimpleNamespace(token_bytes=random.randbytes))

    return set_seed
