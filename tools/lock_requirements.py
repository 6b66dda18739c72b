"""Pin the dependency groups of pyproject.toml: `python tools/lock_requirements.py [--upgrade] [GROUP...]`.

Write the versions that uv resolves for each group, on every platform, to requirements/GROUP.txt, with the hashes of
their files. Pinned versions are kept unless a requirement excludes them or --upgrade is given. The files name no
package index.

PyTorch is pinned without hashes, in requirements/torch.txt, because there are several builds of a version: with CUDA,
whose packages that build pins itself, or for the CPU only, which may come from another index or folder.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
ARGENTUM = re.compile(r"argentum(?:\[([\w,]+)\])?$")
TORCH = "torch"
CUDA = re.compile(r"(cuda|nvidia)-|triton$")
# By group, in the order in which they are resolved, as later ones have the versions of earlier ones.
DESCRIPTIONS = {
    TORCH: "PyTorch, to be installed after the files of the groups that need it, as they pin its dependencies",
    "dev": "what the tests and the compiled build need",
    "play": "what the table in the browser and in the terminal needs, and what installs it",
    "check": "what `make check` needs: the linter, the type checker, and the packages whose types it reads",
    "site": "what `make site` needs",
    "slow": "the libraries that learn in the slow tests",
    "bench": "the peers that the benchmarks measure beside Argentum, and what its learning environments need",
    "lock": "what `make lock` needs",
}
# Groups by the groups whose pinned versions they have.
CONSTRAINTS = {"dev": [TORCH], "play": ["dev"], "check": [TORCH, "dev"], "site": ["dev"], "slow": [TORCH]}


def group_requirements(project: dict[str, Any], group: str) -> list[str]:
    """Return the requirements of a group and the groups that it includes, with `argentum[extra]` expanded."""
    requirements: list[str] = []
    for entry in project["dependency-groups"][group]:
        if isinstance(entry, dict):
            requirements += group_requirements(project, entry["include-group"])
        else:
            requirements += expand_extras(project["project"], entry)
    return sorted(set(requirements), key=str.lower)


def expand_extras(project: dict[str, Any], requirement: str) -> list[str]:
    """Return the requirements behind `argentum[extra]`; any other requirement is returned unchanged."""
    match = ARGENTUM.fullmatch(requirement)
    if match is None:
        return [requirement]
    extras = [extra for extra in (match[1] or "").split(",") if extra]
    needed = [*project["dependencies"], *[name for extra in extras for name in project["optional-dependencies"][extra]]]
    return [expanded for name in needed for expanded in expand_extras(project, name)]


def write_pins(requirements: list[str], group: str, options: list[str]) -> None:
    """Resolve the requirements of a group, and write its file; `options` are uv's."""
    file = FOLDER / f"{group}.txt"
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--fork-strategy", "fewest", "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate"]
    command += ["--output-file", str(file)]  # uv prefers the versions that it has
    for other in CONSTRAINTS.get(group, []):
        command += ["--constraint", str(FOLDER / f"{other}.txt")]
    subprocess.run([*command, *options], input="\n".join(requirements), check=True, text=True, cwd=ROOT)
    pins: dict[str, str] = {}
    for pin in re.split(r"\n(?=\S)", file.read_text(encoding="utf-8").strip()):
        name = pin.partition("==")[0]
        pins[name] = f"{pins[name]}\n{pin}" if name in pins else pin
    if group == TORCH:
        lines = [pins[TORCH].partition(" ")[0]]
    else:
        lines = [pin for name, pin in pins.items() if name != TORCH and not CUDA.match(name)]
    text = "\n".join([f"# Pinned by `make lock`: {DESCRIPTIONS[group]}.", *lines, ""])
    file.write_text(text, encoding="utf-8")


def main(words: list[str]) -> None:
    """Write the requirements files of the groups named in `words`, or of all groups if there are none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [word for word in words if not word.startswith("-")]
    options = [word for word in words if word.startswith("-")]
    for group in DESCRIPTIONS:
        if not groups or group in groups:
            write_pins(group_requirements(project, group), group, options)


if __name__ == "__main__":
    main(sys.argv[1:])
