"""How this Argentum was built: compiled by mypyc, or as plain Python."""

from functools import cache
from importlib.resources import files

from argentum.rules import game

REASON = "not_compiled.txt"  # setup.py writes it where compiling failed


def is_compiled() -> bool:
    """Whether the rules are compiled."""
    return not str(game.__file__).endswith(".py")


@cache
def fallback_reason() -> str:
    """Why compiling failed when this was installed; empty if it did not, or was not tried."""
    file = files("argentum") / REASON
    return file.read_text(encoding="utf-8").strip() if file.is_file() else ""


def version_text() -> str:
    """The version, the build, Python and the platform, for people and for reports of errors."""
    import platform

    import argentum

    build = "compiled" if is_compiled() else "plain Python"
    reason = fallback_reason()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}"
    return f"argentum {argentum.__version__}, {build}{f' ({reason})' if reason else ''}, {python}, {machine}"
