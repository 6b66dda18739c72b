import ast
from collections.abc import Iterator
from pathlib import Path

from argentum.rules.errors import GAME_OVER, NOT_A_MOVE, NOT_LEGAL, NOT_YOUR_TURN, ROUND_OVER, IllegalMove
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


def source_paths() -> Iterator[Path]:
    """Yield the modules whose errors players see."""
    for folder in ("display", "rooms", "web"):
        paths = list((SOURCE / folder).rglob("*.py"))
        assert paths
        yield from sorted(set(paths) - {SOURCE / "web/operator.py"})


def test_a_refusal_never_shows_the_message_of_another_error() -> None:
    for path in source_paths():
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("Refused", "Stale"):
                assert "str(error)" not in ast.unparse(call), f"{path.relative_to(SOURCE)}: {ast.unparse(call)}"


def test_each_kind_of_illegal_move_has_a_message() -> None:
    texts = {
        kind: errors.illegal_move_text(IllegalMove(kind, "draw", "A", "B", ["take", "call"]))
        for kind in (NOT_A_MOVE, NOT_LEGAL, NOT_YOUR_TURN, ROUND_OVER, GAME_OVER)
    }
    assert texts == {
        NOT_A_MOVE: "'draw' is not a move; you may play: take, call",
        NOT_LEGAL: "'draw' is not legal now; you may play: take, call",
        NOT_YOUR_TURN: "'draw' was not played: it is not your turn",
        ROUND_OVER: "'draw' was not played: the round is over",
        GAME_OVER: "'draw' was not played: the game is over",
    }


def test_refusals_use_only_messages_from_the_errors_module() -> None:
    messages = {text for name, text in vars(errors).items() if name.isupper() and isinstance(text, str)}
    used = [
        f"{path.relative_to(SOURCE)}: {text}"
        for path in source_paths()
        for text in error_texts(ast.parse(path.read_text(encoding="utf-8")))
        if "%s" not in text  # a log message
    ]
    assert [entry for entry in used if entry.partition(": ")[2] not in messages] == []
