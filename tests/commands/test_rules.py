import json

import pytest
from click.testing import CliRunner, Result

from argentum.cli import main
from argentum.rulebook.lookup import look_up, lookup_json, overview


def run_rules(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments], env={"COLUMNS": "200"})


def test_rules_without_a_word_prints_the_overview() -> None:
    result = run_rules()
    assert result.exit_code == 0
    assert result.stdout == overview() + "\n"


@pytest.mark.parametrize("words", [["mystic", "seer"], ["dagger"], ["G10"], ["scoring"], ["X11"]])
def test_rules_prints_the_entries_that_match_the_words(words: list[str]) -> None:
    result = run_rules(*words)
    assert result.exit_code == 0
    assert result.stdout == look_up(" ".join(words)) + "\n"


def test_rules_prints_json() -> None:
    assert json.loads(run_rules("X11", "--json").stdout) == json.loads(json.dumps(lookup_json("X11")))


@pytest.mark.parametrize("words", [["wizard"], ["G26"], ["G0"], ["X21"], ["18"], ["  "], ["spy", "spy"]])
def test_an_unknown_word_is_an_error(words: list[str]) -> None:
    result = run_rules(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {' '.join(words)!r} is not a resident, ruling, box or topic. Try ")
