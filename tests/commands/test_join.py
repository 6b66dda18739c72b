"""`argentum join`: the sources of the link."""

from pathlib import Path

import pytest


def test_the_link_is_read_from_a_file_the_environment_or_a_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from argentum.cli import main

    (tmp_path / "link").write_text("nonsense-in-a-file\n")
    assert "nonsense-in-a-file" in CliRunner().invoke(main, ["join", "--link-file", str(tmp_path / "link")]).output
    assert "from-env" in CliRunner().invoke(main, ["join"], env={"ARGENTUM_LINK": "from-env"}).output
    prompted = CliRunner().invoke(main, ["join"], input="typed-in\n").output
    assert "The link: " in prompted
    result = CliRunner().invoke(main, ["join"])
    assert (result.exit_code, "Error: There is no link: give it after `join`" in result.output) == (2, True)
