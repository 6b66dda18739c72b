"""Refusals are written in words, so that a translation finds them."""

import ast
from collections.abc import Iterator
from pathlib import Path

from argentum.words import errors

SOURCE = Path(errors.__file__).parents[1]
RAISED = ("Refused", "Stale", "Elsewhere", "error", "sorry")  # what takes the words for a person, last


def refused(tree: ast.AST) -> Iterator[str]:
    """The texts with which something is refused."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or getattr(call.func, "attr", getattr(call.func, "id", "")) not in RAISED:
            continue
        for text in ast.walk(ast.Module([ast.Expr(one) for one in call.args], [])):
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value.count(" ") > 1:
                yield text.value


def test_all_refusals_use_the_messages_of_errors() -> None:
    messages = {text for name, text in vars(errors).items() if name.isupper()}
    folders = [SOURCE / folder for folder in ("display", "rooms", "web")]
    paths = {path for folder in folders for path in folder.rglob("*.py")} - {SOURCE / "web/operator.py"}
    assert all(any(path.is_relative_to(folder) for path in paths) for folder in folders)
    used = [
        f"{path.relative_to(SOURCE)}: {text}"
        for path in sorted(paths)
        for text in refused(ast.parse(path.read_text(encoding="utf-8")))
        if "%s" not in text  # for the log
    ]
    assert [entry for entry in used if entry.partition(": ")[2] not in messages] == []
