"""Import order: a package imports only the packages above it on the map (docs/architecture.md)."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "argentum"
ORDER = (
    *("rules", "build", "processes", "rulebook", "words", "records", "observations", "bots", "review"),
    *("display", "rooms", "client", "web", "pyodide", "terminal"),
    *("envs", "learn", "arena", "commands", "cli", "__main__"),
)
TABLE_SIDE = ("display", "rooms", "client", "web", "pyodide", "terminal")
RESEARCH_SIDE = ("envs", "learn", "arena")
MODULE_NAME = re.compile(r"argentum\.(\w+)[\w.]*(?::\w+)?")
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
    importlib.import_module(module.name)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def imported_packages(source: str) -> Iterator[tuple[str, int]]:
    """Yield each package of argentum that a module imports, at any level or by string, with the line number.

    The modules of upper packages that a box names, as in `Box(texts="…")`, do not count: `rules` never imports them.
    """
    tree = ast.parse(source)
    named_by_boxes = {
        keyword.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Box"
        for keyword in node.keywords
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if node in named_by_boxes:
            continue
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value]
        for name in names:
            match = MODULE_NAME.fullmatch(name)
            if match is not None and match[1] in ORDER:
                yield match[1], node.lineno  # type: ignore[attr-defined]


def may_import(package: str, target: str) -> bool:
    if {package, target} == {"web", "terminal"} or (package in RESEARCH_SIDE and target in TABLE_SIDE):
        return False
    return ORDER.index(target) <= ORDER.index(package)


def loaded_names(package: str) -> set[str]:
    """Import all modules of a package in a new interpreter; return the top-level names of the loaded modules."""
    result = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, f"argentum.{package}"], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_every_package_is_in_the_import_order() -> None:
    modules = [*SOURCE.glob("*.py"), *[path.parent for path in SOURCE.glob("*/__init__.py")]]
    assert {path.name.removesuffix(".py") for path in modules} - {"__init__"} <= set(ORDER)


@pytest.mark.parametrize("package", [name for name in ORDER if (SOURCE / name).is_dir()])
def test_a_package_imports_only_what_is_above_it(package: str) -> None:
    upward = [
        f"{path.relative_to(SOURCE)}:{line} imports {target}"
        for path in sorted((SOURCE / package).rglob("*.py"))
        for target, line in imported_packages(path.read_text(encoding="utf-8"))
        if not may_import(package, target)
    ]
    assert upward == []


def test_imports_inside_functions_and_by_string_are_found() -> None:
    source = 'def load():\n    from argentum import web\n    return import_module("argentum.terminal.app")\n'
    assert sorted(imported_packages(source)) == [("terminal", 3), ("web", 2)]


def test_web_and_terminal_do_not_import_each_other() -> None:
    assert not may_import("web", "terminal")
    assert not may_import("terminal", "web")


def test_rules_need_only_the_standard_library() -> None:
    code = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    at_start = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    libraries = {name for name in loaded_names("rules") if not name.endswith("__mypyc")}  # the compiled build's own
    assert libraries - set(at_start) <= sys.stdlib_module_names | {"argentum"}


def test_rooms_load_no_web_framework() -> None:
    assert not loaded_names("rooms") & {"starlette", "uvicorn", "jinja2"}


def test_display_loads_no_event_loop() -> None:
    assert "asyncio" not in loaded_names("display")
