import ast
from collections.abc import Iterator
from pathlib import Path

from argentum.words import errors

SOURCE = Path(errors.__file__).parents[1]
REFUSING_CALLS = ("Refused", "Stale", "Elsewhere", "error", "sorry")


def error_texts(tree: ast.AST) -> Iterator[str]:
    """Yield string literals of three or more words in the arguments of calls to functions in REFUSING_CALLS."""
    for call in ast.walk(tree):
        if (
            not isinstance(call, ast.Call)
            or getattr(call.func, "attr", getattr(call.func, "id", "")) not in REFUSING_CALLS
        ):
            continue
        for text in ast.walk(ast.Module([ast.Expr(argument) for argument in call.args], [])):
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value.count(" ") > 1:
                yield text.value


def test_refusals_use_only_messages_from_the_errors_module() -> None:
    messages = {text for name, text in vars(errors).items() if name.isupper()}
    folders = [SOURCE / folder for folder in ("display", "rooms", "web")]
    paths = {path for folder in folders for path in folder.rglob("*.py")} - {SOURCE / "web/operator.py"}
    assert all(any(path.is_relative_to(folder) for path in paths) for folder in folders)
    used = [
        f"{path.relative_to(SOURCE)}: {text}"
        for path in sorted(paths)
        for text in error_texts(ast.parse(path.read_text(encoding="utf-8")))
        if "%s" not in text  # a log message
    ]
    assert [entry for entry in used if entry.partition(": ")[2] not in messages] == []
