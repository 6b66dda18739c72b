"""The worked examples of docs/contributing.md, followed step by step, each in a copy of the repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
STEP = re.compile(r"\nIn `([^`]+)`, ([^\n]*?)(?:\.\n|:\n\n```\w+\n(.*?)```)", re.DOTALL)
BOX, WORDS = "src/argentum/rules/boxes/dagger.py", "src/argentum/words/residents/dagger.py"
PLANS, RULINGS = "src/argentum/bots/heuristics/abilities/dagger.py", "src/argentum/rulebook/boxes/dagger.toml"
GALLERY = "src/argentum/rulebook/boxes/dagger.toml"
# What each step takes the place of, by the words of the page; nothing if it is a new file.
OLD = {
    (BOX, "instead of the Mystic Seer"): r"@DAGGER\.drawn\(9, .*?\n(?=\n\n@DAGGER)",
    (BOX, "instead of the line that imports moves"): r"from argentum\.rules\.notation import [^\n]*\n",
    (BOX, "instead of the Spy"): r"@DAGGER\.village\(1, .*?\n(?=\n\n@DAGGER)",
    (RULINGS, "instead of D9"): r"\[D9\]\n.*?\n(?=\n\[D10\])",
    (RULINGS, "instead of D1"): r"\[D1\]\n.*?\n(?=\n\[D2\])",
    (WORDS, "instead of the entry of D9"): r'    "D9": .*?\n(?=    "D12")',
    (WORDS, "take out the entry of D1"): r'    "D1": .*?\n(?=    "D2")',
    (PLANS, "instead of the plan of D9"): r'def mystic_seer.*?PLANS\["D9"\][^\n]*\n',
    (PLANS, "instead of the plan of D1"): r'def spies.*?PLANS\["D1"\][^\n]*\n',
    (GALLERY, "instead of D9"): r"D9 = [^\n]*\n",
    (GALLERY, "instead of D1"): r"D1 = [^\n]*\n",
}
ABOVE = {(WORDS, "above the table of voices"): "\nVOICES: dict[str, Voice] = {"}
NEW = "which is new"


class Step(NamedTuple):
    """A step of the page: the file, what becomes of it, and the text."""

    file: str
    how: str
    text: str


def steps(heading: str) -> list[Step]:
    """The steps of one example."""
    section = PAGE.split(f"\n### {heading}")[1].split("\n### ")[0]
    return [Step(*found) for found in STEP.findall(section)]


def take(root: Path, step: Step) -> None:
    """Take a step in a copy."""
    file = root / step.file
    if step.how == NEW:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step.text, encoding="utf-8")
        return
    source = file.read_text(encoding="utf-8")
    key = (step.file, step.how)
    if key in ABOVE:
        assert source.count(ABOVE[key]) == 1
        source = source.replace(ABOVE[key], f"\n{step.text}\n{ABOVE[key]}")
    else:
        [old] = re.findall(OLD[key], source, re.DOTALL)
        source = source.replace(old, step.text)
    file.write_text(source, encoding="utf-8")


def copied(root: Path, heading: str) -> Path:
    """A copy of the package in which all the steps of an example were taken."""
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__", "static", "*.so"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for step in steps(heading):
        take(root, step)
    tool(root, "ruff", "check", "--quiet", "--fix", BOX, WORDS, PLANS)  # as the page says
    return root


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("watched"), "One that asks")


@pytest.fixture(scope="module")
def buried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("buried"), "One that works by itself")


def tool(copy: Path, *words: str) -> str:
    """Run a module in a copy; it must go well."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(copy: Path, *lines: str) -> list[str]:
    """Run a few lines of Python in a copy; what they print."""
    file = copy / "lines.py"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tool(copy, "lines").splitlines()


def test_each_example_has_its_steps() -> None:
    kinds = [BOX, RULINGS, WORDS, PLANS, GALLERY]
    for heading in ("One that asks", "One that works by itself"):
        files = list(dict.fromkeys(step.file for step in steps(heading)))
        assert files[:-1] == kinds
        assert files[-1].startswith("tests/scenarios/")


@pytest.mark.parametrize("name", ["watched", "buried"])
def test_the_code_of_the_page_is_clean(name: str, request: pytest.FixtureRequest) -> None:
    copy: Path = request.getfixturevalue(name)
    files = [BOX, WORDS, PLANS]
    tool(copy, "ruff", "check", *files)
    tool(copy, "ruff", "format", "--check", *files)
    assert tool(copy, "mypy", "--no-incremental", *files).startswith("Success")


def test_the_night_watch_can_be_looked_up(watched: Path) -> None:
    shown = tool(watched, "argentum", "rules", "night", "watch")
    assert shown.startswith("Night Watch (D9): 9 of Silver Dagger, when drawn\n")
    assert "even if it is in another village" in " ".join(shown.split())


@pytest.mark.parametrize("name", ["watched", "buried"])
def test_the_scenario_holds(name: str, request: pytest.FixtureRequest) -> None:
    copy: Path = request.getfixturevalue(name)
    assert tool(copy, "argentum", "scenario", "tests/scenarios").endswith("1 passed, 0 failed\n")


def test_both_questions_of_the_night_watch_are_its_own(watched: Path) -> None:
    villages = '{"A": "7 12^", "B": "6 11"}'
    first, second, other, label, yes, no = python(
        watched,
        "from argentum import Game",
        "from argentum.words import label, prompt",
        f'game = Game.at({{"boxes": "dagger", "deck": "9 10", "discard": "8", "villages": {villages}}}, ["Ann", "Bo"])',
        "moves = game.play('draw') + game.play('use')",
        "print(prompt(game.view('A')).title)",
        "moves = game.play('B1')",
        "view = game.view('A')",
        "print(prompt(view).title)",
        "print(prompt(game.view('B')).title)",
        "print(view.asking.label, view.asking.step, *view.asking.picked)",
        "for move in view.legal: print(label(move, view))",
    )
    assert first == "Choose a facedown card to look at."
    assert second.startswith("Turn ")
    assert second.endswith(" spot 1, the Flipper, faceup?")
    assert "whether to turn it faceup" in other
    assert label == "D9 second B1"
    assert yes != no == "Leave it facedown"


def test_games_are_played_with_the_night_watch(watched: Path) -> None:
    tool(watched, "argentum", "simulate", "--games", "20", "--players", "3", "--records", "games")
    moves = "".join(path.read_text(encoding="utf-8") for path in (watched / "games").iterdir())
    assert re.search(r"use, ([ABC]\d), \1", moves)  # somebody turned up what it had looked at
    assert "stop" in moves


def test_what_an_undertaker_hides_is_told_to_nobody(buried: Path) -> None:
    villages = '{"A": "1^ 12 5", "B": "7 11"}'
    told = python(
        buried,
        "from random import Random",
        "from argentum import Game",
        f'game = Game.at({{"boxes": "dagger", "deck": "6 10", "discard": "8", "villages": {villages}}})',
        "moves = game.play('draw') + game.play('exchange A2')",
        "for seat in ('A', 'B', None):",
        "    left = [event for event in game.events(seat) if event.kind == 'left'][-1]",
        "    print(left.goes, left.number, game.view(seat).discard[0].number)",
        "print(game.redeal('B', Random(1)).view('B') == game.view('B'))",
    )
    assert told == ["discard None None"] * 3 + ["True"]


def test_games_are_played_with_the_undertaker(buried: Path) -> None:
    shown = tool(buried, "argentum", "simulate", "--games", "20", "--players", "3")
    assert shown.startswith("20 games, ")
