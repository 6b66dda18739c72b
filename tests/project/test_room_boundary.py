"""A room's parts are private: other modules use the properties and methods of `Room`."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "argentum"
MODULES = {SOURCE / "rooms" / "game_room.py", SOURCE / "rooms" / "room.py"}
PUBLIC_ATTRIBUTES = {"name"}  # all others are properties, which nobody can set


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def attributes(path: Path) -> Iterator[ast.Attribute]:
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute))


def attributes_of_rooms() -> set[str]:
    """Return the names of the attributes that rooms set on themselves."""
    return {
        node.attr
        for path in MODULES
        for node in attributes(path)
        if isinstance(node.ctx, ast.Store) and is_self(node.value)
    }


def methods_of_rooms() -> set[str]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in MODULES]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, functions)}


def test_the_attributes_of_a_room_are_private() -> None:
    assert {name for name in attributes_of_rooms() if not name.startswith("_")} == PUBLIC_ATTRIBUTES


def test_no_other_module_reaches_into_a_room() -> None:
    names = attributes_of_rooms() | methods_of_rooms()
    private = {name for name in names if name.startswith("_") and not name.startswith("__")}
    assert {"_state", "_clock", "_chat", "_lock", "_append"} <= private
    others = [path for path in SOURCE.rglob("*.py") if path not in MODULES]
    assert [
        f"{path.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}"
        for path in others
        for node in attributes(path)
        if node.attr in private and not is_self(node.value)
    ] == []
