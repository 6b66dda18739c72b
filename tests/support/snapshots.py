"""SVG snapshots of terminal screens; the environment variable SNAPSHOTS=write updates them."""

import os
import re
from pathlib import Path

from argentum.terminal.app import TableApp

FOLDER = Path(__file__).parents[1] / "terminal" / "snapshots"


def screen_svg(app: TableApp) -> str:
    """Return the screen as SVG, without links to web fonts."""
    svg = app.export_screenshot(title="Argentum")
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg)


def assert_snapshot(app: TableApp, name: str) -> None:
    """Check that the SVG of the screen equals its snapshot."""
    path, svg = FOLDER / f"{name}.svg", screen_svg(app)
    if os.environ.get("SNAPSHOTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(svg, encoding="utf-8")
    assert svg == path.read_text(encoding="utf-8"), f"{name} looks different; SNAPSHOTS=write accepts the change"
