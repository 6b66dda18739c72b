from pathlib import Path

import pytest

from argentum.terminal import key_filter


@pytest.fixture(autouse=True)
def no_key_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept keys as soon as a choice is drawn."""
    monkeypatch.setattr(key_filter, "MIN_VISIBLE_SECONDS", 0.0)
    monkeypatch.setattr(key_filter, "KEY_REPEAT_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Save games in a temporary directory."""
    folder = tmp_path / "games"
    monkeypatch.setenv("ARGENTUM_GAMES", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder
