"""Compile the C files that `translate.py` made, on all cores, with gcc; nothing else is needed but Python's headers.

python compile.py FOLDER/c FOLDER/lib
"""

import json
import os
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
UNWANTED = ("-Werror",)


def compile_one(home: Path, source: str, includes: list[str], flags: list[str]) -> str:
    """One C file; the object file is returned."""
    target = f"{source}.o"
    folders = [f"-I{one}" for one in [*includes, sysconfig.get_paths()["include"]]]
    wanted = [flag for flag in flags if flag not in UNWANTED]
    subprocess.run(["gcc", "-shared", "-fPIC", "-DNDEBUG", "-w", *wanted, *folders, "-c", source, "-o", target],
                   cwd=home, check=True)  # fmt: skip
    return target


def main() -> None:
    """Compile everything, then link each extension."""
    home, target = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    began = perf_counter()
    extensions: list[dict[str, Any]] = json.loads((home / "extensions.json").read_text(encoding="utf-8"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = {
            (one["name"], source): pool.submit(compile_one, home, source, one["includes"], one["flags"])
            for one in sorted(extensions, key=lambda one: -len(one["sources"]))
            for source in sorted(one["sources"], key=lambda source: -(home / source).stat().st_size)
        }
        for one in extensions:
            made = target / (one["name"].replace(".", "/") + SUFFIX)
            made.parent.mkdir(parents=True, exist_ok=True)
            files = [objects[one["name"], source].result() for source in one["sources"]]
            subprocess.run(["gcc", "-shared", "-o", str(made), *files], cwd=home, check=True)
    sys.stdout.write(f"compiled {len(objects)} files in {perf_counter() - began:.0f} s\n")


if __name__ == "__main__":
    main()
