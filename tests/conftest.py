"""What every test starts from: Hypothesis with patience, programs that hear Ctrl-C, and an order."""

import os
import signal
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis plays whole games: it must not mind how long that takes on a busy machine.
settings.register_profile("games", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# It plays the same games each time, so that a change fails by its own fault; `explore` looks for new ones.
settings.register_profile("same", settings.get_profile("games"), derandomize=True)
settings.register_profile("explore", settings.get_profile("games"))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# In the background of a shell, Ctrl-C is ignored, also by all that is started from there; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How much longer a test takes than others, by what it needs or how it is marked; roughly.
LONG = {"chromium": 20, "board": 4, "cluster": 10, "server": 6, "long": 100}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest: where whole files are handed out, none of those is left for the end."""
    weights: Counter[str] = Counter()
    for item in items:
        about = [*getattr(item, "fixturenames", ()), *[mark.name for mark in item.iter_markers()]]
        weights[file_of(item)] += max([LONG.get(name, 1) for name in about], default=1)
    items.sort(key=lambda item: -weights[file_of(item)])


def file_of(item: pytest.Item) -> str:
    """The file that a test is in."""
    return item.nodeid.partition("::")[0]
