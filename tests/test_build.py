import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import argentum
import argentum.rules.game


def test_the_build_under_test_is_the_one_that_is_meant() -> None:
    compiled = Path(argentum.rules.game.__file__ or "").suffix != ".py"
    assert compiled == (os.environ.get("ARGENTUM_EXPECT") == "compiled")


def test_the_rules_import_nothing_but_the_standard_library() -> None:
    code = "import sys, argentum; print(*{name.partition('.')[0] for name in sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    known = sys.stdlib_module_names | {"argentum", "__main__"}
    # What the interpreter's own start-up brings in, and the compiled build's shared library, are not ours to count.
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    strange = {name for name in found if name not in known and not name.endswith("__mypyc")}
    assert strange <= {name.partition(".")[0] for name in bare.stdout.split()}


def test_what_is_compiled_imports_no_library_that_a_build_by_itself_has_not() -> None:
    # pip builds where only the build's own requirements are: a library there would make every install plain Python.
    package = Path(argentum.rules.game.__file__ or "").parents[1]
    beside = [path.with_name(path.name.partition(".")[0] + ".py") for path in package.rglob("*.so")]
    sources = [path for path in beside if path.exists()]  # the encoder is written in C
    assert bool(sources) == (os.environ.get("ARGENTUM_EXPECT") == "compiled")
    known = sys.stdlib_module_names | {"argentum", "librt", "mypy_extensions"}  # the last two come with mypy
    nodes = [node for source in sources for node in ast.walk(ast.parse(source.read_text()))]
    names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name.partition(".")[0] for name in names} <= known


def test_the_package_says_its_version() -> None:
    declared = tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"]
    assert argentum.__version__ in (declared, "unknown")  # unknown where the source is used without an install
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        argentum.version  # noqa: B018
