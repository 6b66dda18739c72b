"""Follow the worked examples of documentation pages in a copy of the repository.

A step of an example is a paragraph "In `FILE`, below `TEXT`:" with a code block, or one without, "In `FILE`, ...".
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
STEP = re.compile(r"\nIn `([^`]+)`, ([^\n]*?)(?:\.\n|:\n\n```\w+\n(.*?)```)", re.DOTALL)
LINE_STEP = re.compile(r"(above|below|instead of) `(.+)`")
AT_THE_END = "at the end"


class Step(NamedTuple):
    file: str
    phrase: str  # what to do with the file, in the words of the page
    text: str


def example_steps(page: str, heading: str) -> list[Step]:
    """Return the steps of the example below the first heading of level 3 on a page that begins with `heading`."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section = re.split(r"\n##", text.split(f"\n### {heading}")[1])[0]
    return [Step(*groups) for groups in STEP.findall(section)]


def copy_source(root: Path, *more: str) -> None:
    """Copy `src` without compiled modules, and other files and folders."""
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in more:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)


def apply_line_step(root: Path, step: Step) -> None:
    """Insert the text of a step above, below or instead of the only line that contains a text, with its indentation.

    Below the line of a `def`, the text is inserted after the function, with the empty lines between functions.
    """
    file = root / step.file
    lines = file.read_text(encoding="utf-8").splitlines()
    if step.phrase == AT_THE_END:
        lines += ["", "", *step.text.splitlines()]
    else:
        match = LINE_STEP.fullmatch(step.phrase)
        assert match is not None, step.phrase
        [index] = [number for number, line in enumerate(lines) if match[2] in line]
        indentation = re.match(r" *", lines[index])[0]  # type: ignore[index]
        inserted = [f"{indentation}{line}" if line else "" for line in step.text.splitlines()]
        end = index + 1
        if match[1] == "below" and re.match(r" *(async )?def ", lines[index]):
            while end < len(lines) and (
                not lines[end] or lines[end].startswith((f"{indentation} ", f"{indentation})"))
            ):
                end += 1
            while not lines[end - 1]:
                end -= 1
            inserted = [*[""] * (1 if indentation else 2), *inserted]
        start, stop = {"above": (index, index), "below": (end, end), "instead of": (index, end)}[match[1]]
        lines[start:stop] = inserted
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_module(copy: Path, *arguments: str) -> str:
    """Run a module in a copy and return its output; fail if the exit status is not 0."""
    result = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(copy / "src"), str(copy)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def run_code(copy: Path, *lines: str) -> list[str]:
    """Run lines of Python in a copy and return the lines that they print."""
    file = copy / "lines.py"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run_module(copy, "lines").splitlines()
