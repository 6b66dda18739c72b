from pathlib import Path

from argentum import Game, records
from argentum.records.fairness import make_commitment
from tests.commands.invoke import error_message, run


def test_verify_reports_unreadable_files(tmp_path: Path) -> None:
    file = tmp_path / "game.silver"
    assert error_message("verify", str(file)) == f"{file}: No such file or directory."
    file.write_bytes(b"\xff\xfe")
    assert error_message("verify", str(file)) == f"{file}: this is not a text file."
    file.write_text("Argentum record 1\n", encoding="utf-8")
    assert error_message("verify", str(file)).startswith(f"{file}: ")


def test_verify_checks_the_rounds_of_an_unfinished_game(tmp_path: Path) -> None:
    commitment = make_commitment(bytes(32), {"A": "value"})
    game = Game.new("dagger", 2, commitment.seed, deals=commitment.deals(2))
    file = tmp_path / "game.silver"
    file.write_text(records.write(game) + commitment.record_comments(), encoding="utf-8")
    assert run("verify", str(file)).stdout == (
        "Verified: 1 round was dealt from the promised secret. Seats that added a value: A.\n"
    )
