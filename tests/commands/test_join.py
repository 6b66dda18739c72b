"""`argentum join`: where the link of a seat comes from."""

from pathlib import Path

import pytest


def test_a_seats_link_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from argentum.cli import main

    (tmp_path / "link").write_text("nonsense-in-a-file\n")
    assert "nonsense-in-a-file" in CliRunner().invoke(main, ["join", "--link-file", str(tmp_path / "link")]).output
    assert "from-env" in CliRunner().invoke(main, ["join"], env={"ARGENTUM_LINK": "from-env"}).output
    asked = CliRunner().invoke(main, ["join"], input="typed-in\n").output
    assert "The link: " in asked
    none = CliRunner().invoke(main, ["join"])
    assert (none.exit_code, "Error: there is no link: give it after `join`" in none.output) == (2, True)
