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


def test_the_package_says_its_version() -> None:
    declared = tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"]
    assert argentum.__version__ in (declared, "unknown")  # unknown where the source is used without an install
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        argentum.version  # noqa: B018
