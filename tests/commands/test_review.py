"""`argentum review`: its table, JSON and plot, and what it refuses."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from argentum import records
from argentum.arena.simulation import simulate_games
from argentum.cli import main
from argentum.review.analysis import find_open_decisions
from tests.review.example import write_example_record


def run(*words: str) -> Result:
    """Run a command; fail if it ends with a traceback."""
    result = CliRunner().invoke(main, words, prog_name="argentum")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_example_record(tmp_path_factory.mktemp("records"))


def test_review_prints_a_row_per_decision(record: Path) -> None:
    result = run("review", str(record), "--seat", "bo", "--bot", "steady", "--playouts", "2")
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == "Bo (seat B), seen by steady"
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2"]
    rows = [line for line in lines if line[:1].isdigit() and "decisions" not in line]
    assert len(rows) == len(find_open_decisions(records.read_file(record), "B"))
    agreed_rows = [row for row in rows if "±" not in row]
    assert lines[-1].startswith(f"{len(rows)} decisions, {len(agreed_rows)} as the bot would have played; ")


def test_review_prints_json_and_draws_a_plot(record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    words = ["review", str(record), "--bot", "novice", "--playouts", "2", "--json", "--plot", str(picture)]
    result = run(*words)
    review = json.loads(result.stdout)
    assert [review[key] for key in ("seat", "bot", "playouts", "seed")] == ["A", "novice", 2, 1]
    keys = ["number", "round", "village", "hand", "discard_top", "played", "bot_move"]
    keys += ["points_gain", "win_probability_gain", "win_probability"]
    assert all(list(decision) == keys for decision in review["decisions"])
    gains = [decision[name] for decision in review["decisions"] for name in ("points_gain", "win_probability_gain")]
    assert all(list(gain) == ["mean", "error"] for gain in gains)
    assert result.stderr == f"The plot is in {picture}.\n"
    svg = picture.read_text(encoding="utf-8")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    for text in ("Ann (seat A), seen by novice", "round 1", "round 2", "decision"):
        assert text in svg


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--seat", "C"], "'C' is not a seat of this game: there are A Ann, B Bo."),
        (["--seat", "Anne"], "'Anne' is not a seat of this game: there are A Ann, B Bo. Did you mean 'Ann'?"),
        (["--plot", "a.gif"], "a.gif: the name of a plot ends in .png or .svg."),
        (["--plot", "none/a.png"], "none/a.png: there is no folder none."),
    ],
)
def test_invalid_options_are_refused(options: list[str], error: str, record: Path) -> None:
    result = run("review", str(record), *options)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {error}\n")


def test_files_that_cannot_be_replayed_are_refused(tmp_path: Path) -> None:
    (tmp_path / "no.silver").write_text("Hello", encoding="utf-8")
    result = run("review", str(tmp_path / "no.silver"))
    assert result.exit_code == 2
    assert "this is not a record" in result.stderr
    game = next(simulate_games("coin", 2, 1, 1)).game.restart()
    (tmp_path / "own.silver").write_text(records.write_for(game, "A"), encoding="utf-8")
    assert "it can be read, but not played again" in run("review", str(tmp_path / "own.silver")).stderr
