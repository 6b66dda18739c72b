"""Only the modules of a box contain code for one of its residents or its token."""

import ast
from collections.abc import Iterator
from pathlib import Path

from argentum.rules.boxes import ALL_BOXES

SOURCES = Path(__file__).parents[2] / "src" / "argentum"
BOX_FOLDERS = ("rules/boxes", "words/residents", "bots/heuristics/abilities")


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each string literal except docstrings."""
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.lineno, node.value


def test_literals_are_found() -> None:
    assert list(literals(ast.parse('"""Such as D8."""\ncheck("D8", x=f"G{number}")'))) == [(2, "D8"), (2, "G")]


def test_no_other_code_names_a_resident_or_a_token() -> None:
    residents = [resident for box in ALL_BOXES for resident in box.residents]
    names = {*[resident.name for resident in residents], *[resident.label for resident in residents]}
    names |= {name for box in ALL_BOXES for name in (box.token_name, box.token_label)}
    named = [
        f"{path}:{line} {text}"
        for path in sorted(SOURCES.rglob("*.py"))
        if path.parent.relative_to(SOURCES).as_posix() not in BOX_FOLDERS
        for line, text in literals(ast.parse(path.read_text(encoding="utf-8")))
        if text in names
    ]
    assert named == []


def test_a_module_of_a_box_names_no_resident_of_another_box() -> None:
    labels = {box.name: {*box.own_labels} for box in ALL_BOXES}
    named = []
    for folder in BOX_FOLDERS:
        for path in sorted((SOURCES / folder).glob("*.py")):
            others = set().union(*labels.values()) - labels.get(path.stem, set())
            texts = literals(ast.parse(path.read_text(encoding="utf-8")))
            named += [f"{path}:{line} {text}" for line, text in texts if text in others]
    assert named == []
