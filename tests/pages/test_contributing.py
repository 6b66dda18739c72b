"""The worked example of docs/contributing.md, followed step by step in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STEPS = re.compile(r"\nIn `([^`]+)`[^\n]*:\n\n```\w+\n(.*?)```", re.DOTALL)
# What a step takes the place of; nothing if it is a new file.
OLD = {
    "src/argentum/rules/boxes/dagger.py": r"@DAGGER\.drawn\(9, .*?(?=\n\n\n@DAGGER)",
    "src/argentum/book/rulings.toml": r"\[D9\]\n.*?\n(?=\n\[D10\])",
    "src/argentum/book/gallery.toml": r"D9 = [^\n]*\n",
    "src/argentum/words/questions.py": r'    "D9": [^\n]*\n',
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which all the steps were taken."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__", "static", "*.so"))
    page = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    for name, text in STEPS.findall(page):
        file = root / name
        if name in OLD:
            source = file.read_text(encoding="utf-8")
            [old] = re.findall(OLD[name], source, re.DOTALL)
            new = source.replace(old, text)
            if name.endswith("dagger.py"):  # as the page says
                new = new.replace(
                    "from argentum.rules.notation import AT, ", "from argentum.rules.notation import AT, STOP, "
                )
        else:
            file.parent.mkdir(parents=True)
            new = text
        file.write_text(new, encoding="utf-8")
    return root


def run(copy: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "argentum", *words],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_a_step_for_each_file() -> None:
    page = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    names = [name for name, _ in STEPS.findall(page)]
    assert names[:-1] == list(OLD)
    assert names[-1].startswith("tests/scenarios/")


def test_the_new_resident_can_be_looked_up(copy: Path) -> None:
    shown = run(copy, "rules", "night", "watch")
    assert shown.startswith("Night Watch (D9): 9 of Silver Dagger, when drawn\n")
    assert "even if it is another seat's" in " ".join(shown.split())


def test_its_scenario_holds(copy: Path) -> None:
    assert run(copy, "scenario", "tests/scenarios").endswith("1 passed, 0 failed\n")


def test_games_are_played_with_it(copy: Path) -> None:
    run(copy, "simulate", "--games", "20", "--players", "3", "--records", "games")
    moves = "".join(path.read_text(encoding="utf-8") for path in (copy / "games").iterdir())
    assert re.search(r"use, ([ABC]\d), \1", moves)  # somebody turned up what it had looked at
    assert "stop" in moves
