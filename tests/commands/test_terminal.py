"""`argentum terminal`, `join` and `watch`: invalid input, and running without a terminal."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from argentum.cli import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["terminal"], "The table needs a terminal"),
        (["terminal", "--boxes", "gold"], "'gold' names no deck"),
        (["terminal", "--bots", "novice,stedy"], "Did you mean 'steady'?"),
        (["terminal", "--bots", "novice,novice,novice,novice"], "4 bots are too many"),
        (["terminal", "--name", "a\tb"], "is not a name"),
        (["terminal", "--resume"], "There is no unfinished game"),
        (["join", "proud-nettle"], "is not a table link"),
        (["join", "http://127.0.0.1:9/table/a#b"], "The table needs a terminal"),
        (["watch", "none.silver"], "none.silver"),
        (["watch", "http://127.0.0.1:9/"], "is not a table link"),
    ],
)
def test_invalid_options_are_refused_in_one_line(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_record_that_cannot_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["terminal", "--record", str(tmp_path / "none" / "game.silver")])
    assert result.exit_code == 2
    assert str(tmp_path / "none") in result.stderr
