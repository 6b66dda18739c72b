"""The table in a terminal."""

from importlib.util import find_spec

from argentum.commands._params import InvalidInput


def check_installed() -> None:
    """Say in words what is missing, before anything of it is wanted."""
    missing = [name for name in ("textual", "websockets") if find_spec(name) is None]
    if missing:
        raise InvalidInput(
            f"the table in a terminal needs more than is installed ({', '.join(missing)}): pip install argentum"
        )
