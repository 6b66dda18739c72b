"""Pin the dependency groups of pyproject.toml: `python tools/lock_requirements.py [--upgrade] [GROUP...]`.

Write the versions that pip resolves for each group to requirements/GROUP.txt. Pinned versions are kept unless a
requirement excludes them or --upgrade is given. The files name no package index.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

ROOT = Path(__file__).parent.parent
ARGENTUM = re.compile(r"argentum(?:\[([\w,]+)\])?$")
DESCRIPTIONS = {
    "play": "what the table in the browser and in the terminal needs, and what installs it",
    "check": "what `make check` needs: the linter, the type checker, and the packages whose types it reads",
    "site": "what `make site` needs",
    "dev": "what the tests and the compiled build need",
    "slow": "the libraries that learn in the slow tests",
    "bench": "the peers that the benchmarks measure beside Argentum, and what its learning environments need",
}


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


def current_pins() -> list[str]:
    lines = [line for path in sorted((ROOT / "requirements").glob("*.txt")) for line in path.read_text().splitlines()]
    return sorted({line for line in lines if "==" in line and not line.startswith("#")})


def resolve_pins(requirements: list[str], constraints: list[str]) -> list[str]:
    """Return pins (`name==version`) of everything that pip would install for the requirements."""
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(constraints))
        file.flush()
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--dry-run",
            "--ignore-installed",
            "--report",
            "-",
        ]
        result = subprocess.run(
            [*command, "-c", file.name, *requirements], check=True, stdout=subprocess.PIPE, text=True
        )
    markers = {
        normalized_name(requirement): requirement.partition(";")[2].strip()
        for requirement in requirements
        if ";" in requirement
    }
    pins = []
    for package in json.loads(result.stdout)["install"]:
        name, version = package["metadata"]["name"], package["metadata"]["version"].partition("+")[0]
        marker = markers.get(normalized_name(name), "")
        pins.append(f"{name}=={version}" + (f"; {marker}" if marker else ""))
    return sorted(pins, key=str.lower)


def normalized_name(requirement: str) -> str:
    """Return the normalized name of the package that a requirement names."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s\[<>=!~;]", requirement)[0]).lower()


def main(words: list[str]) -> None:
    """Write the requirements files of the groups named in `words`, or of all groups if there are none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [word for word in words if not word.startswith("-")] or list(project["dependency-groups"])
    constraints = [] if "--upgrade" in words else current_pins()
    for group in groups:
        pins = resolve_pins(group_requirements(project, group), constraints)
        path = ROOT / "requirements" / f"{group}.txt"
        path.write_text("\n".join([f"# Pinned by `make lock`: {DESCRIPTIONS[group]}.", *pins, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
