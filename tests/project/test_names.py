"""Names of bindings and classes in our Python files."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
VAGUE_NAMES = {
    *("told", "tell", "found", "made", "kept", "said", "given", "one", "nth", "drawn", "way", "ways", "deed", "mine"),
    *("theirs", "those", "there", "some", "what", "which", "whole", "wanted", "again", "worth", "few"),
}


@cache
def syntax_trees() -> dict[str, ast.Module]:
    paths = [path for folder in ("src", "tests", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(paths)}


def bindings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each binding, except those of imports."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=str(name), ctx=ast.Store())
                | ast.Attribute(attr=str(name), ctx=ast.Store())
                | ast.arg(arg=str(name))
                | ast.FunctionDef(name=str(name))
                | ast.AsyncFunctionDef(name=str(name))
                | ast.ClassDef(name=str(name))
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
            ):
                yield node.lineno, name


def test_bindings_are_found() -> None:
    source = "def nth(told): made.kept = [one for one in told]\nclass Given: found: int\nfrom hypothesis import given"
    assert sorted(bindings(ast.parse(source))) == [
        *[(1, name) for name in ("kept", "nth", "one", "told")],
        *[(2, name) for name in ("Given", "found")],
    ]


def test_no_binding_has_a_vague_name() -> None:
    vague = [
        f"{path}:{line} {name}"
        for path, tree in syntax_trees().items()
        for line, name in bindings(tree)
        if name.strip("_") in VAGUE_NAMES
    ]
    assert vague == []


def test_no_two_modules_define_a_class_of_the_same_name() -> None:
    paths = defaultdict(list)
    for path, tree in syntax_trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                paths[node.name].append(path)
    assert {name: where for name, where in paths.items() if len(where) > 1} == {}
