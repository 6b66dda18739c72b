"""Pictures of screens, kept as SVG; SNAPSHOTS=write makes them anew."""

import os
import re
from pathlib import Path

from argentum.terminal.app import TableApp

FOLDER = Path(__file__).parents[1] / "terminal" / "snapshots"


def picture(app: TableApp) -> str:
    """The screen as SVG: without the fonts that it would fetch from elsewhere."""
    svg = app.export_screenshot(title="Argentum")
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg)


def same(app: TableApp, name: str) -> None:
    """The screen looks as it is kept."""
    file, drawn = FOLDER / f"{name}.svg", picture(app)
    if os.environ.get("SNAPSHOTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8"), f"{name} looks different; SNAPSHOTS=write keeps it as it is now"
