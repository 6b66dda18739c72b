"""The optional compiled build: with ARGENTUM_COMPILE=1 mypyc compiles the rules, and what plays by the thousand.

All else is in pyproject.toml.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

# Stays interpreted: a subclass of int.
INTERPRETED = {"move.py"}
LOOKING_AHEAD = ("guessing", "prospects", "quick", "search")  # of the bots
SIDE_BY_SIDE = ("actions", "batch_games", "history", "observation", "playing", "rewards")  # of the environments


def compiled_modules() -> list[str]:
    """The modules for mypyc: of the rules, and of the bots and environments those that play by the thousand."""
    rules = Path("src/argentum/rules")
    ahead = [f"src/argentum/bots/{name}.py" for name in LOOKING_AHEAD]
    beside = [f"src/argentum/envs/{name}.py" for name in SIDE_BY_SIDE]
    return sorted([str(path) for path in rules.rglob("*.py") if path.name not in INTERPRETED] + ahead + beside)


must = os.environ.get("ARGENTUM_COMPILE") == "1"
# The encoder of the batch engine, in C; tried in a plain build as well, which goes on without it where it fails.
ext_modules = [Extension("argentum.envs._encode", ["src/argentum/envs/_encode.c"], optional=not must)]
if must:
    from mypyc.build import mypycify

    ext_modules += mypycify(["--strict", *compiled_modules()], opt_level="3")

setup(ext_modules=ext_modules)
