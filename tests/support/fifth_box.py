"""The box of `examples/fifth_box`, installed for other processes without changing this one."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "fifth_box"
TIMEOUT = 300  # seconds


def installed_environment(folder: Path) -> dict[str, str]:
    """Write the metadata of an installed package to a folder; return the variables of an environment that has it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir(parents=True)
    lines = [
        f"[argentum.boxes]\n{name} = {value}\n" for name, value in project["entry-points"]["argentum.boxes"].items()
    ]
    (metadata / "entry_points.txt").write_text("".join(lines))
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    paths = [str(folder), str(EXAMPLE), *[path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]]
    return {"PYTHONPATH": os.pathsep.join(paths)}


def run_python(*arguments: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run Python in another process with further environment variables."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        env={**os.environ, **environment},
        check=False,
    )
