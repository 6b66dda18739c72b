import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib import import_module
from pathlib import Path
from sysconfig import get_config_var
from typing import Any

import mypy.api
import pytest

import argentum
import argentum.rules.game
from argentum.build import MESSAGE_FILE


def test_the_build_under_test_is_the_expected_one() -> None:
    compiled = Path(argentum.rules.game.__file__ or "").suffix != ".py"
    assert compiled == (os.environ.get("ARGENTUM_EXPECT_BUILD") == "compiled")


def test_compiled_modules_are_those_with_a_marker(setup: dict[str, Any]) -> None:
    folder = Path(argentum.rules.game.__file__ or "").parents[2]
    compiled = {
        path.relative_to(folder).with_name(path.name.partition(".")[0]) for path in folder.rglob("argentum/**/*.so")
    }
    compiled -= {Path("argentum/observations/_encode")}  # written in C
    marked = {path.relative_to("src").with_suffix("") for path in setup["marked_modules"]()}
    assert compiled == (marked if os.environ.get("ARGENTUM_EXPECT_BUILD") == "compiled" else set())


def test_mypyc_needs_no_packages_but_those_of_an_isolated_build(setup: dict[str, Any], tmp_path: Path) -> None:
    # mypyc fails if a module that it follows imports a package that is missing. pip builds without NumPy, for example.
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    options = ["--strict", "--python-executable", str(python), "--cache-dir", str(tmp_path / "cache")]
    output, errors, _ = mypy.api.run([*options, *map(str, setup["marked_modules"]())])
    assert (output.partition(":")[0], errors) == ("Success", "")


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
    """Run setup.py without building; return its globals."""
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    return runpy.run_path("setup.py")


def test_a_build_takes_bundled_scripts(tmp_path: Path) -> None:
    for folder in ("js", "vendor"):
        (tmp_path / "scripts" / folder).mkdir(parents=True)
        (tmp_path / "scripts" / folder / "bundle.js").write_text("// bundled\n")
    built = tmp_path / "built"
    environment = {**os.environ, "ARGENTUM_SCRIPTS": str(tmp_path / "scripts"), "ARGENTUM_COMPILE": "0"}
    command = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(built)]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    scripts = [path.relative_to(built).as_posix() for path in built.rglob("*.js")]
    assert {f"argentum/web/static/{folder}/bundle.js" for folder in ("js", "vendor")} == {
        script for script in scripts if script.startswith("argentum/web/static/")
    }


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


MARKED = "# mypyc: compile\n"
NOT_COMPILABLE = MARKED + "class Move(int):\n    pass\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Write a project with our setup.py and two compilable, marked modules; return the folder of its package."""
    (tmp_path / "tools").mkdir()
    for name in ("setup.py", "README.md", "tools/mypyc_docstrings.py"):
        shutil.copy(name, tmp_path / name)
    folder = tmp_path / "src" / "argentum"
    (folder / "observations").mkdir(parents=True)
    (folder / "observations" / "_encode.c").write_text("", encoding="utf-8")
    (folder / "observations" / "c_header.py").write_text("", encoding="utf-8")
    (folder / "__init__.py").write_text("", encoding="utf-8")
    for name in ("addition", "subtraction"):
        (folder / f"{name}.py").write_text(MARKED + "def number(a: int) -> int:\n    return a\n", encoding="utf-8")
    return folder


BUILD = ("build", "--build-lib", "built")


def build(
    package: Path, mode: str, compiler: str = "gcc", command: tuple[str, ...] = BUILD
) -> "subprocess.CompletedProcess[str]":
    """Build the package, by default into the folder `built`."""
    environment = {**os.environ, "ARGENTUM_COMPILE": mode, "CC": compiler}
    command = (sys.executable, "setup.py", "-q", *command)
    return subprocess.run(command, cwd=package.parents[1], env=environment, capture_output=True, text=True, check=False)


def test_a_marked_module_that_cannot_be_compiled_fails_the_build(package: Path) -> None:
    (package / "move.py").write_text(NOT_COMPILABLE, encoding="utf-8")
    result = build(package, "1")
    assert result.returncode != 0
    assert "error: mypyc failed: src/argentum/move.py:2: error: Inheriting from" in result.stderr
    assert not (package.parents[1] / "built" / "argentum" / MESSAGE_FILE).exists()


def test_a_default_build_that_fails_falls_back_to_plain_python_and_says_why(package: Path) -> None:
    (package / "move.py").write_text(NOT_COMPILABLE, encoding="utf-8")
    built = package.parents[1] / "built" / "argentum"
    built.mkdir(parents=True)
    stale = built / f"addition{get_config_var('EXT_SUFFIX')}"  # It would be imported instead of the source.
    stale.touch()
    result = build(package, "")
    assert result.returncode == 0
    assert not stale.exists()
    message = (built / MESSAGE_FILE).read_text(encoding="utf-8")
    assert message in result.stderr
    assert "plain Python" in message
    assert "src/argentum/move.py:2: error: Inheriting from" in message
    assert "install a C compiler" in message


@pytest.mark.skipif(os.name == "nt", reason="CC is not used")
@pytest.mark.parametrize("mode", ["1", ""])
def test_a_missing_compiler_is_named(package: Path, mode: str) -> None:
    result = build(package, mode, "no-such-compiler")
    assert (result.returncode != 0) == (mode == "1")
    assert re.search(r"build/\S+\.c: .*no-such-compiler", result.stderr)


def test_an_encoder_that_cannot_be_compiled_is_named(package: Path) -> None:
    (package / "observations" / "_encode.c").write_text("#error\n", encoding="utf-8")
    (package / "addition.py").write_text("", encoding="utf-8")
    (package / "subtraction.py").write_text("", encoding="utf-8")
    result = build(package, "")
    assert result.returncode == 0
    message = (package.parents[1] / "built" / "argentum" / MESSAGE_FILE).read_text(encoding="utf-8")
    assert "src/argentum/observations/_encode.c: " in message


def test_building_in_place_fails_if_the_encoder_cannot_be_compiled(package: Path) -> None:
    (package / "observations" / "_encode.c").write_text("#error\n", encoding="utf-8")
    assert build(package, "", command=("build_ext", "--inplace")).returncode != 0


def test_the_header_of_the_encoder_is_generated_before_it_is_compiled(package: Path) -> None:
    (package / "observations" / "_encode.c").write_text('#include "_layout.h"\n', encoding="utf-8")
    generator = 'import sys\nfrom pathlib import Path\n\nPath(sys.argv[1]).write_text("#error generated\\n")\n'
    (package / "observations" / "c_header.py").write_text(generator, encoding="utf-8")
    result = build(package, "1")
    assert result.returncode != 0
    assert "#error generated" in result.stderr


def test_a_module_that_mypyc_omits_fails_the_build(setup: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mypyc.build.mypycify", lambda *_, **__: [])
    error = import_module("setuptools.errors").CompileError
    with pytest.raises(error, match=r"mypyc omitted src/argentum/rules/table\.py"):
        setup["translate"]([Path("src/argentum/rules/table.py")])


def test_an_unknown_value_of_the_environment_variable_fails_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARGENTUM_COMPILE", "yes")
    with pytest.raises(SystemExit, match="ARGENTUM_COMPILE is 0, 1 or empty, not 'yes'"):
        runpy.run_path("setup.py")


def test_marked_modules_are_found(setup: dict[str, Any], package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(package.parents[1])
    (package / "observations" / "__init__.py").write_text("# mypyc: compile, optimize\n", encoding="utf-8")
    (package / "other.py").write_text('"""Not marked."""\nx = 1  # mypyc: not a marker\n', encoding="utf-8")
    markers = {path.as_posix(): marker for path, marker in setup["marked_modules"]().items()}
    assert markers == {
        "src/argentum/addition.py": "# mypyc: compile",
        "src/argentum/observations/__init__.py": "# mypyc: compile, optimize",
        "src/argentum/subtraction.py": "# mypyc: compile",
    }
    stem = setup["c_file_stem"]
    assert [stem(Path(path)) for path in markers] == [
        "__native_argentum___addition",
        "__native_argentum___observations",
        "__native_argentum___subtraction",
    ]


@pytest.mark.parametrize(
    "text", ["# mypyc: complie\n", "#mypyc: compile\n", '"""Late."""\n# mypyc: compile\n', MARKED + MARKED]
)
def test_a_misspelled_or_misplaced_marker_fails_the_build(
    setup: dict[str, Any], package: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(package.parents[1])
    (package / "other.py").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"other\.py: .* must be '# mypyc: compile' or "):
        setup["marked_modules"]()


def test_a_package_whose_init_is_marked_is_compiled_entirely(setup: dict[str, Any]) -> None:
    marked = set(setup["marked_modules"]())
    packages = {path.parent for path in marked if path.name == "__init__.py"}
    assert Path("src/argentum/rules") in packages
    unmarked = {path for package in packages for path in package.glob("*.py")} - marked
    assert unmarked == {Path("src/argentum/rules/move.py")}  # mypyc cannot compile a subclass of int.


def test_setup_names_no_module_to_compile(setup: dict[str, Any]) -> None:
    text = Path("setup.py").read_text(encoding="utf-8")
    for path in setup["marked_modules"]():
        assert path.stem == "__init__" or f"{path.parent.name}/{path.stem}" not in text
        assert f"{path.parent.name}.{path.stem}" not in text


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
