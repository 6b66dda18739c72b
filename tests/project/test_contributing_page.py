"""The worked examples of docs/contributing.md, each followed in a copy of the repository."""

import re
from pathlib import Path

import pytest

from tests.support.worked_examples import Step, copy_source, example_steps, run_code, run_module

PAGE = "docs/contributing.md"
BOX, WORDS = "src/argentum/rules/boxes/dagger.py", "src/argentum/words/residents/dagger.py"
MODELS, RULEBOOK = "src/argentum/bots/heuristics/abilities/dagger.py", "src/argentum/rulebook/boxes/dagger.toml"
# Pattern of the text that a step replaces, by file and by the phrase of the page that names it.
REPLACED = {
    (BOX, "instead of the Mystic Seer"): r"@DAGGER\.draw_ability\(9, .*?\n(?=\n\n@DAGGER)",
    (BOX, "instead of the line that imports moves"): r"from argentum\.rules\.notation import [^\n]*\n",
    (BOX, "instead of the Spy"): r"@DAGGER\.village_ability\(\n    1, .*?\n(?=\n\n@DAGGER)",
    (RULEBOOK, "instead of the ruling D9"): r"\[D9\]\n.*?\n(?=\n\[D10\])",
    (RULEBOOK, "instead of the ruling D1"): r"\[D1\]\n.*?\n(?=\n\[D2\])",
    (WORDS, "instead of the entry of D9"): r'    "D9": .*?\n(?=    "D12")',
    (WORDS, "take out the entry of D1"): r'    "D1": .*?\n(?=    "D2")',
    (MODELS, "instead of the model of D9"): r'def mystic_seer.*?ABILITY_MODELS\["D9"\][^\n]*\n',
    (MODELS, "instead of the model of D1"): r'ABILITY_MODELS\["D1"\].*?\n(?=\n\ndef)',
    (RULEBOOK, "instead of the icon of D9"): r"D9 = [^\n]*\n",
    (RULEBOOK, "instead of the icon of D1"): r"D1 = [^\n]*\n",
}
# Text above which a step inserts, by file and phrase.
INSERTED_ABOVE = {(WORDS, "above `RESIDENT_TEXTS`"): "\nRESIDENT_TEXTS: dict[str, ResidentTexts] = {"}
WHOLE_FILES = ("which is new", "instead of its cases")


def apply_step(root: Path, step: Step) -> None:
    file = root / step.file
    if step.phrase in WHOLE_FILES:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step.text, encoding="utf-8")
        return
    source = file.read_text(encoding="utf-8")
    key = (step.file, step.phrase)
    if key in INSERTED_ABOVE:
        assert source.count(INSERTED_ABOVE[key]) == 1
        source = source.replace(INSERTED_ABOVE[key], f"\n{step.text}\n{INSERTED_ABOVE[key]}")
    else:
        [old] = re.findall(REPLACED[key], source, re.DOTALL)
        source = source.replace(old, step.text)
    file.write_text(source, encoding="utf-8")


def follow_example(root: Path, heading: str) -> Path:
    """Copy the source and apply the steps of an example; return the copy's root."""
    copy_source(root, "pyproject.toml")
    for step in example_steps(PAGE, heading):
        apply_step(root, step)
    run_module(root, "ruff", "check", "--quiet", "--fix", BOX, WORDS, MODELS)  # The page says so.
    return root


@pytest.fixture(scope="module")
def night_watch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return follow_example(tmp_path_factory.mktemp("night_watch"), "A resident with choices")


@pytest.fixture(scope="module")
def undertaker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return follow_example(tmp_path_factory.mktemp("undertaker"), "A resident without choices")


def test_each_example_has_its_steps() -> None:
    kinds = [BOX, RULEBOOK, WORDS, MODELS]
    for heading in ("A resident with choices", "A resident without choices"):
        files = list(dict.fromkeys(step.file for step in example_steps(PAGE, heading)))
        assert files[:-1] == kinds
        assert files[-1].startswith("tests/conformance/scenarios/")


@pytest.mark.parametrize("name", ["night_watch", "undertaker"])
def test_the_code_of_the_page_passes_lint_format_and_types(name: str, request: pytest.FixtureRequest) -> None:
    copy: Path = request.getfixturevalue(name)
    files = [BOX, WORDS, MODELS]
    run_module(copy, "ruff", "check", *files)
    run_module(copy, "ruff", "format", "--check", *files)
    assert run_module(copy, "mypy", "--no-incremental", *files).startswith("Success")


def test_the_night_watch_can_be_looked_up(night_watch: Path) -> None:
    output = run_module(night_watch, "argentum", "rules", "night", "watch")
    assert output.startswith("Night Watch (D9): 9 of Silver Dagger, when drawn\n")
    assert "even if it is in another village" in " ".join(output.split())


@pytest.mark.parametrize("name", ["night_watch", "undertaker"])
def test_the_scenario_of_the_page_passes(name: str, request: pytest.FixtureRequest) -> None:
    copy: Path = request.getfixturevalue(name)
    assert run_module(copy, "argentum", "scenario", "tests/conformance/scenarios").endswith("1 passed, 0 failed\n")


def test_the_night_watch_asks_its_two_questions(night_watch: Path) -> None:
    villages = '{"A": "7 12^", "B": "6 11"}'
    first, second, other, label, yes, no = run_code(
        night_watch,
        "from argentum import Game",
        "from argentum.words import button_text, prompt",
        f'game = Game.at({{"boxes": "dagger", "deck": "9 10", "discard": "8", "villages": {villages}}}, ["Ann", "Bo"])',
        "moves = game.play('draw') + game.play('use')",
        "print(prompt(game.view('A')).title)",
        "moves = game.play('B1')",
        "view = game.view('A')",
        "print(prompt(view).title)",
        "print(prompt(game.view('B')).title)",
        "print(view.asking.label, view.asking.step, *view.asking.picked)",
        "for move in view.legal: print(button_text(move, view))",
    )
    assert first == "Choose a facedown card to look at."
    assert second.startswith("Turn ")
    assert second.endswith(" spot 1, the Flipper, faceup?")
    assert "whether to turn it faceup" in other
    assert label == "D9 second B1"
    assert yes != no == "Leave it facedown"


def test_games_are_played_with_the_night_watch(night_watch: Path) -> None:
    run_module(night_watch, "argentum", "simulate", "--games", "20", "--players", "3", "--records", "games")
    moves = "".join(path.read_text(encoding="utf-8") for path in (night_watch / "games").iterdir())
    assert re.search(r"use, ([ABC]\d), \1", moves)
    assert "stop" in moves


def test_an_undertakers_discards_are_visible_to_nobody(undertaker: Path) -> None:
    villages = '{"A": "1^ 12 5", "B": "7 11"}'
    output = run_code(
        undertaker,
        "from random import Random",
        "from argentum import Game",
        f'game = Game.at({{"boxes": "dagger", "deck": "6 10", "discard": "8", "villages": {villages}}})',
        "moves = game.play('draw') + game.play('exchange A2')",
        "for seat in ('A', 'B', None):",
        "    left = [event for event in game.events(seat) if event.kind == 'left'][-1]",
        "    print(left.goes, left.number, game.view(seat).discard[0].number)",
        "print(game.redeal('B', Random(1)).view('B') == game.view('B'))",
    )
    assert output == ["discard None None"] * 3 + ["True"]


def test_games_are_played_with_the_undertaker(undertaker: Path) -> None:
    output = run_module(undertaker, "argentum", "simulate", "--games", "20", "--players", "3")
    assert output.startswith("20 games, ")
