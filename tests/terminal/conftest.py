"""At the terminal's table in tests: hasty players, and games that are kept nowhere else."""

from pathlib import Path

import pytest

from argentum.terminal import key_filter


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys may come as soon as a question is drawn."""
    monkeypatch.setattr(key_filter, "MIN_VISIBLE_SECONDS", 0.0)
    monkeypatch.setattr(key_filter, "KEY_REPEAT_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where games are kept."""
    folder = tmp_path / "games"
    monkeypatch.setenv("ARGENTUM_GAMES", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder
