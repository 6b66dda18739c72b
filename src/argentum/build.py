"""How this installation was built: compiled with mypyc, or plain Python."""

from functools import cache
from importlib.resources import files

from argentum.rules import game

MESSAGE_FILE = "not_compiled.txt"  # written by setup.py when compilation fails


def is_compiled() -> bool:
    return not str(game.__file__).endswith(".py")


@cache
def fallback_message() -> str:
    """Return why compilation failed during installation and what to do about it; empty if it did not fail."""
    file = files("argentum") / MESSAGE_FILE
    return file.read_text(encoding="utf-8").strip() if file.is_file() else ""


def version_text() -> str:
    """Return the version, build, Python and platform, followed by the fallback message, for `--version`."""
    import platform

    import argentum

    build = "compiled" if is_compiled() else "plain Python"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}"
    return f"argentum {argentum.__version__}, {build}, {python}, {machine}\n{fallback_message()}".strip()
