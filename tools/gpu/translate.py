"""Translate the compiled modules into C here, for a machine that has gcc and Python's headers but no mypy.

    python tools/gpu/translate.py FOLDER

Run by `pack.sh`, with the version of Python that the other machine has. Writes the C files, copies of the headers that
they need, and `extensions.json`, by which `compile.py` builds them there.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def modules() -> list[str]:
    """The modules that `setup.py` compiles."""
    found: dict[str, Any] = {"__name__": "setup", "__file__": "setup.py"}
    source = (ROOT / "setup.py").read_text(encoding="utf-8").partition("\nsetup(")[0]
    exec(compile(source, "setup.py", "exec"), found)
    names: list[str] = found["compiled_modules"]()
    return names


def main() -> None:
    """Translate, and gather all that is needed to compile."""
    folder = Path(sys.argv[1]).resolve()
    os.chdir(ROOT)
    from mypyc.build import mypycify

    # In several files, so that all cores can compile; as quickly as `setup.py` does.
    extensions = mypycify(
        ["--strict", *modules()], opt_level="1", debug_level="0", multi_file=True, target_dir=str(folder / "c")
    )
    copied: dict[str, str] = {}
    for extension in extensions:
        for nth, include in enumerate(extension.include_dirs):
            if include not in copied and not Path(include).resolve().is_relative_to(folder):
                copied[include] = f"include{len(copied)}-{nth}"
                shutil.copytree(include, folder / "c" / copied[include], ignore=shutil.ignore_patterns("*.py", "*.so"))
    told = [
        {
            "name": extension.name,
            "sources": [inside(source, folder) for source in extension.sources],
            "includes": [copied.get(include) or inside(include, folder) for include in extension.include_dirs],
            "flags": extension.extra_compile_args,
        }
        for extension in extensions
    ]
    (folder / "c" / "extensions.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


def inside(path: str, folder: Path) -> str:
    """A path as it is called from the folder with the C files; other sources are copied into it."""
    whole = Path(path).resolve()
    home = folder / "c"
    if whole.is_relative_to(home):
        return str(whole.relative_to(home)) or "."
    copy = home / "library" / whole.name
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(whole, copy)
    return str(copy.relative_to(home))


if __name__ == "__main__":
    main()
