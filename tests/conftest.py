"""What holds for all tests: games take long, and so do browsers."""

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis plays whole games: it must not mind how long that takes on a busy machine.
settings.register_profile("games", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("games")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long tests, so that no worker is alone with one at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/web/"))
