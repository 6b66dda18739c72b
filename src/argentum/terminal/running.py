"""Running an app in the terminal that one is at."""

import os
import sys
from collections.abc import Callable
from typing import Final

from argentum.commands._params import BadInput
from argentum.terminal.app import TableApp

COLOURLESS: Final = ("dumb", "unknown", "vt52", "vt100", "vt102", "vt220")  # what TERM says of terminals without colour


def run_app(app: Callable[[], TableApp]) -> None:
    """Run an app full-screen until one leaves it; what goes wrong is said in words."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("the table needs a terminal: it cannot be shown through a pipe")
    if os.environ.get("TERM", "dumb") in COLOURLESS:
        os.environ["NO_COLOR"] = "1"
    why = app().run()
    if why:
        raise BadInput(why)
