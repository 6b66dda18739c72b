"""The option `--box` of all commands."""

from pathlib import Path

import pytest

from argentum.cli import split_box_options
from tests.rules.test_discovery import write_house
from tests.support.fifth_box import run_python


@pytest.mark.parametrize("position", [0, 1, 3])
def test_a_box_of_a_file_is_known_to_every_command(tmp_path: Path, position: int) -> None:
    words = ["simulate", "--boxes", "house"]
    words[position:position] = ["--box", str(write_house(tmp_path))]
    result = run_python("-m", "argentum", *words, "--games", "4", environment={})
    assert result.returncode == 0, result.stderr
    assert "4 games" in result.stdout


def test_worker_processes_have_the_box_too(tmp_path: Path) -> None:
    words = ["arena", "steady", "quick", "--boxes", "house", "--games", "4", "--processes", "2"]
    result = run_python("-m", "argentum", *words, "--box", str(write_house(tmp_path)), environment={})
    assert result.returncode == 0, result.stderr
    assert "steady" in result.stdout


def test_a_box_that_is_refused_ends_the_command_with_a_sentence(tmp_path: Path) -> None:
    path = write_house(tmp_path, letter="d")
    result = run_python("-m", "argentum", "rules", "--box", str(path), environment={})
    assert (result.returncode, result.stdout) == (2, "")
    assert f"--box {path}: box 'house': its letter 'd' belongs to the box 'dagger'." in result.stderr
    assert "Warning" not in result.stderr


def test_a_missing_file_is_an_error_that_mentions_the_option_for_decks() -> None:
    result = run_python("-m", "argentum", "simulate", "--box", "coin", environment={})
    assert result.returncode == 2
    assert "--box: there is no file 'coin'. (--boxes chooses the deck.)" in result.stderr


def test_words_after_a_double_dash_are_not_options() -> None:
    assert split_box_options(["rules", "--", "--box", "a.py"]) == ([], ["rules", "--", "--box", "a.py"])
