"""Pins what each dependency group of pyproject.toml needs: `python tools/lock_requirements.py [--upgrade] [GROUP...]`.

Each group becomes requirements/GROUP.txt, as pip resolves it. Versions that are pinned already stay, unless they no
longer fit or --upgrade is given. No address of an index is written, so that everybody's own settings hold.
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
OURSELVES = re.compile(r"argentum(?:\[([\w,]+)\])?$")
WORDS = {
    "play": "what the table in the browser and in the terminal needs, and what installs it",
    "check": "what `make check` needs: the linter, the type checker, and the packages whose types it reads",
    "site": "what `make site` needs",
    "dev": "what the tests and the compiled build need",
    "slow": "the libraries that learn in the slow tests",
    "bench": "the peers that the benchmarks measure beside Argentum, and what its learning environments need",
}


def wanted(project: dict[str, Any], group: str) -> list[str]:
    """A group's requirements, with ours spelled out."""
    found: list[str] = []
    for one in project["dependency-groups"][group]:
        if isinstance(one, dict):
            found += wanted(project, one["include-group"])
        else:
            found += spelled_out(project["project"], one)
    return sorted(set(found), key=str.lower)


def spelled_out(project: dict[str, Any], requirement: str) -> list[str]:
    """What `argentum[extra]` stands for; any other requirement stands for itself."""
    ours = OURSELVES.fullmatch(requirement)
    if ours is None:
        return [requirement]
    extras = [extra for extra in (ours[1] or "").split(",") if extra]
    needed = [*project["dependencies"], *[one for extra in extras for one in project["optional-dependencies"][extra]]]
    return [found for one in needed for found in spelled_out(project, one)]


def pinned() -> list[str]:
    """All pins there are."""
    lines = [line for path in sorted((ROOT / "requirements").glob("*.txt")) for line in path.read_text().splitlines()]
    return sorted({line for line in lines if "==" in line and not line.startswith("#")})


def resolved(requirements: list[str], constraints: list[str]) -> list[str]:
    """Pins of all that pip would install."""
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
        answer = subprocess.run(
            [*command, "-c", file.name, *requirements], check=True, stdout=subprocess.PIPE, text=True
        )
    markers = {name_of(one): one.partition(";")[2].strip() for one in requirements if ";" in one}
    pins = []
    for one in json.loads(answer.stdout)["install"]:
        name, version = one["metadata"]["name"], one["metadata"]["version"].partition("+")[0]
        marker = markers.get(name_of(name), "")
        pins.append(f"{name}=={version}" + (f"; {marker}" if marker else ""))
    return sorted(pins, key=str.lower)


def name_of(requirement: str) -> str:
    """The name of what is required, as indexes compare it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s\[<>=!~;]", requirement)[0]).lower()


def main(words: list[str]) -> None:
    """Write the files of the groups that are named, or of all."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [word for word in words if not word.startswith("-")] or list(project["dependency-groups"])
    constraints = [] if "--upgrade" in words else pinned()
    for group in groups:
        pins = resolved(wanted(project, group), constraints)
        path = ROOT / "requirements" / f"{group}.txt"
        path.write_text("\n".join([f"# Pinned by `make lock`: {WORDS[group]}.", *pins, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
