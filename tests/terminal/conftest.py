import pytest

from argentum.terminal import key_filter
from tests.support.terminal_tables import games

__all__ = ["games"]


@pytest.fixture(autouse=True)
def no_key_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept keys as soon as a choice is drawn."""
    monkeypatch.setattr(key_filter, "MIN_VISIBLE_SECONDS", 0.0)
    monkeypatch.setattr(key_filter, "KEY_REPEAT_SECONDS", 0.0)
