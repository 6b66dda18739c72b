"""Messages of `make play`, and former names of make targets."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OLD_PYTHON = """#!/bin/sh
case "$1" in
--version) echo "Python 3.8.18" ;;
*) exit 1 ;;
esac
"""
WITHOUT_VENV = """#!/bin/sh
case "$1" in
-c) exit 0 ;;
*) mkdir -p "$3/bin"; echo "ensurepip is not available" >&2; exit 1 ;;
esac
"""


def make(*arguments: str, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run make without the environment variables of an outer make."""
    make_variables = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
    environment = {name: value for name, value in os.environ.items() if name not in make_variables}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def make_play(folder: Path, python: str) -> "subprocess.CompletedProcess[str]":
    """Run `make play` in a copy of the files that it needs; `python` is a shell script in place of Python."""
    for name in ("Makefile", "pyproject.toml", "setup.py"):
        shutil.copy(name, folder)
    shutil.copytree("requirements", folder / "requirements")
    (folder / "src").mkdir()
    interpreter = folder / "other-python"
    interpreter.write_text(python)
    interpreter.chmod(0o755)
    return make("--no-print-directory", "play", f"PYTHON={interpreter}", folder=folder)


class TestMakePlay:
    def test_an_old_python_is_reported_in_one_sentence(self, tmp_path: Path) -> None:
        result = make_play(tmp_path, OLD_PYTHON)
        assert result.returncode != 0
        messages = [line for line in result.stderr.splitlines() if not line.startswith("make")]
        assert len(messages) == 1
        assert messages[0].startswith("Argentum needs Python 3.11 or newer, and ")
        assert "is Python 3.8.18" in messages[0]
        assert "make play PYTHON=python3.13" in messages[0]
        assert not (tmp_path / ".venv").exists()

    def test_a_failed_environment_is_removed(self, tmp_path: Path) -> None:
        result = make_play(tmp_path, WITHOUT_VENV)
        assert result.returncode != 0
        assert "ensurepip is not available" in result.stderr
        assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("test-faces", "test-ui"),
        ("test-fast", "test-compiled"),
        ("fast", "compiled"),
        ("proof-servers", "test-failover"),
        ("outside", "system-packages"),
        ("load", "bench-load"),
    ],
)
def test_a_renamed_target_is_refused_with_its_new_name(old: str, new: str) -> None:
    result = make(old)
    assert result.returncode != 0
    assert result.stderr.splitlines()[0] == f"make {old} is called make {new} now."
    assert make("--dry-run", new).returncode == 0


def test_over_ssh_the_command_that_forwards_the_port_is_printed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "argentum", "play", "--no-browser", "--database", str(tmp_path / "tables.db")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "SSH_CONNECTION": "192.0.2.7 50000 192.0.2.1 22"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        process.terminate()
    port = first.rpartition(":")[2].strip().strip("/")
    assert port.isdigit()
    assert f"ssh -L {port}:127.0.0.1:{port} " in second
    assert "@192.0.2.1` on yours" in second
