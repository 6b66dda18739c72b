"""The optional compiled build: with ARGENTUM_COMPILE=1 mypyc compiles the rules. All else is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import setup

# Stays interpreted: a subclass of int.
INTERPRETED = {"move.py"}


def compiled_modules() -> list[str]:
    """The modules of the rules, for mypyc."""
    rules = Path("src/argentum/rules")
    return sorted(str(path) for path in rules.rglob("*.py") if path.name not in INTERPRETED)


ext_modules = []
if os.environ.get("ARGENTUM_COMPILE") == "1":
    from mypyc.build import mypycify

    ext_modules = mypycify(["--strict", *compiled_modules()], opt_level="3")

setup(ext_modules=ext_modules)
