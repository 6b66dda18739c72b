import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import argentum
import argentum.rules.game
from argentum.build import REASON_FILE


def test_the_build_under_test_is_the_expected_one() -> None:
    compiled = Path(argentum.rules.game.__file__ or "").suffix != ".py"
    assert compiled == (os.environ.get("ARGENTUM_EXPECT_BUILD") == "compiled")


def test_compiled_modules_import_only_what_an_isolated_build_has() -> None:
    # pip builds in an environment with only the build requirements: another import there would make compilation fail.
    package = Path(argentum.rules.game.__file__ or "").parents[1]
    paths = [path.with_name(path.name.partition(".")[0] + ".py") for path in package.rglob("*.so")]
    sources = [path for path in paths if path.exists()]  # The encoder is written in C.
    assert bool(sources) == (os.environ.get("ARGENTUM_EXPECT_BUILD") == "compiled")
    available = sys.stdlib_module_names | {"argentum", "librt", "mypy_extensions"}  # The last two come with mypy.
    nodes = [node for source in sources for node in ast.walk(ast.parse(source.read_text()))]
    names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name.partition(".")[0] for name in names} <= available


def test_the_package_has_the_declared_version() -> None:
    declared = tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"]
    assert argentum.__version__ in (declared, "unknown")  # Unknown if the package is not installed.
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        argentum.version  # noqa: B018


def test_compiled_names_have_docstrings() -> None:
    assert (argentum.Game.__doc__ or "").startswith("A game")
    for name in (argentum.Game.play, argentum.Game.legal, argentum.View, argentum.rules.game):
        text = (name.__doc__ or "").strip()
        assert text
        assert "filler" not in text


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names that setup.py defines."""
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    return runpy.run_path("setup.py")


SAMPLE = '''"""A sample ☾."""

from typing import NamedTuple


class Pair(NamedTuple):
    """Two numbers, "quoted"."""

    a: int

    def total(self) -> int:
        """Their sum."""
        return self.a


class Game:
    """A game."""

    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def over(self) -> bool:
        """Whether it is over?"""
        return self.n == 0

    def play(self, by: int = 1) -> int:
        """Play a move.

        And more.
        """
        return self.n - by

    def twice(self) -> int:
        return twice(self.n)


def twice(number: int) -> int:
    """Double it."""
    return 2 * number
'''
COMPILE = """
import sys
from pathlib import Path
from mypyc.build import mypycify
from setuptools import setup
sys.path.append(sys.argv[1])
from mypyc_docstrings import add_docstrings
extensions = mypycify(["sample.py"], opt_level="0", debug_level="0", multi_file=True)
add_docstrings({Path(name) for extension in extensions for name in extension.sources}, Path())
setup(name="sample", ext_modules=extensions, py_modules=[], script_args=["-q", "build_ext", "--build-lib", "built"])
"""
SHOW = """
import inspect, sample
from sample import Game, Pair, twice
assert not sample.__file__.endswith(".py")
for named in (sample, Pair, Pair.total, Game, Game.over, Game.play, Game.twice, twice):
    print(repr(named.__doc__))
print(inspect.signature(Game.play))
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no compiler")
def test_a_compiled_module_has_its_docstrings_and_signatures(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(SAMPLE, encoding="utf-8")
    command = [sys.executable, "-c", COMPILE, str(Path("tools").resolve())]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    result = subprocess.run(
        [sys.executable, "-c", SHOW], cwd=tmp_path / "built", capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines() == [
        "'A sample ☾.'",
        "'Two numbers, \"quoted\".'",
        "'Their sum.'",
        "'A game.'",
        "'Whether it is over?'",
        "'Play a move.\\n\\nAnd more.'",
        "None",
        "'Double it.'",
        "(self, /, by=1)",
    ]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no compiler")
def test_a_linker_without_link_time_optimization_is_detected(tmp_path: Path, setup: dict[str, Any]) -> None:
    new_compiler = import_module("distutils.ccompiler").new_compiler  # Part of setuptools.

    def make_compiler(gcc: str) -> Any:
        unix_compiler = new_compiler()
        unix_compiler.set_executables(
            compiler=gcc, compiler_so=f"{gcc} -fPIC", linker_exe=gcc, linker_so=f"{gcc} -shared"
        )
        return unix_compiler

    without_lto = tmp_path / "gcc"
    without_lto.write_text(
        f'#!/bin/sh\ncase "$*" in *-c*) ;; *-flto*) exit 1 ;; esac\nexec {shutil.which("gcc")} "$@"\n'
    )
    without_lto.chmod(0o700)
    assert not setup["supports_lto"](make_compiler(str(without_lto)))
    assert not setup["supports_lto"](make_compiler("cc"))


def test_a_fallback_to_plain_python_records_its_reason(tmp_path: Path, setup: dict[str, Any]) -> None:
    build = setup["BuildExtensions"](import_module("setuptools").Distribution())
    build.build_lib, build.inplace, build.editable_mode = str(tmp_path), False, False
    build._fall_back(RuntimeError("many lines\nno gcc"))
    assert (tmp_path / "argentum" / REASON_FILE).read_text() == "compiling failed: no gcc\n"


def test_a_pattern_of_compiled_modules_without_a_match_fails_the_build(
    setup: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = setup["compiled_modules"].__globals__
    assert len(names["compiled_modules"]()) > 60
    monkeypatch.setitem(names, "COMPILED", (*names["COMPILED"], "rules/moved.py"))
    with pytest.raises(SystemExit, match=r"'rules/moved\.py', which matches no module"):
        names["compiled_modules"]()


def test_an_optimized_module_that_is_not_compiled_fails_the_build(
    setup: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = setup["compiled_modules"].__globals__
    monkeypatch.setitem(names, "HOT", (*names["HOT"], "rules/move.py"))
    with pytest.raises(SystemExit, match=r"'rules/move\.py', which is not compiled"):
        names["compiled_modules"]()


def test_a_release_candidate_is_classified_as_beta() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    if "rc" in project["version"]:
        assert "Development Status :: 4 - Beta" in project["classifiers"]
        assert "date-released" not in Path("CITATION.cff").read_text(encoding="utf-8")


def test_documented_commands_work_in_a_clone_without_a_package_index() -> None:
    readme = Path("README.md").read_text(encoding="utf-8")
    commands = [line.strip() for line in readme.splitlines() if line.startswith("    ")]
    assert commands[0].startswith("make play")
    for page in (Path("README.md"), *Path("docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"uvx argentum|(?<!un)install argentum|run argentum play", text), page
