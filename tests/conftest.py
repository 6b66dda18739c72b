"""Settings for all tests: Hypothesis profiles, Ctrl-C, and the order of test files."""

import os
import signal
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis plays whole games, which may take long on a busy machine.
settings.register_profile("games", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# By default it plays the same games each time, so that only a change can fail; `explore` plays new ones.
settings.register_profile("same", settings.get_profile("games"), derandomize=True)
settings.register_profile("explore", settings.get_profile("games"))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# Processes started in the background of a shell ignore Ctrl-C, as do their children; some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Rough weights of slow tests, by fixture or marker.
FIXTURE_WEIGHTS = {"chromium": 20, "board": 4, "cluster": 10, "server": 6, "long": 100}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the slowest files first, so that no worker still runs one when the others have finished."""
    weights: Counter[str] = Counter()
    for item in items:
        labels = [*getattr(item, "fixturenames", ()), *[mark.name for mark in item.iter_markers()]]
        weights[file_of(item)] += max([FIXTURE_WEIGHTS.get(name, 1) for name in labels], default=1)
    items.sort(key=lambda item: -weights[file_of(item)])


def file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]
