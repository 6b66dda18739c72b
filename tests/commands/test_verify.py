from pathlib import Path

from tests.commands.invoke import error_message


def test_verify_reports_unreadable_files(tmp_path: Path) -> None:
    file = tmp_path / "game.silver"
    assert error_message("verify", str(file)) == f"{file}: No such file or directory."
    file.write_bytes(b"\xff\xfe")
    assert error_message("verify", str(file)) == f"{file}: this is not a text file."
    file.write_text("Argentum record 1\n", encoding="utf-8")
    assert error_message("verify", str(file)).startswith(f"{file}: ")
