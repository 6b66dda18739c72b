"""Take the icons that the gallery names out of the npm packages of game-icons, with their authors.

    npm install --no-save @iconify-json/game-icons game-icons-transparent
    python tools/art.py node_modules

writes src/argentum/web/static/icons.json: for each icon its SVG body, on a square of 512, and who drew it. The first
package has the bodies ready for a page, the second has a folder for each author. Run it when gallery.toml changes.
"""

import json
import sys
from pathlib import Path

from argentum.book.gallery import gallery

ICONS = Path(__file__).parent.parent / "src" / "argentum" / "web" / "static" / "icons.json"
AUTHORS = {
    "carl-olsen": "Carl Olsen",
    "cathelineau": "Cathelineau",
    "darkzaitzev": "DarkZaitzev",
    "delapouite": "Delapouite",
    "lorc": "Lorc",
}


def main(modules: Path) -> None:
    """Write the icons file from the packages in a folder of node modules."""
    source = json.loads((modules / "@iconify-json/game-icons/icons.json").read_text(encoding="utf-8"))["icons"]
    drawings = modules / "game-icons-transparent" / "svgs"
    icons = {
        name: {"author": author(drawings, name, source[name]["body"]), "body": source[name]["body"]}
        for name in sorted({art.icon for art in gallery().values()})
    }
    ICONS.write_text(json.dumps(icons, indent=0) + "\n", encoding="utf-8")


def author(drawings: Path, name: str, body: str) -> str:
    """Who drew an icon; where two drew one of that name, the one whose path begins alike."""
    found = sorted(drawings.glob(f"*/{name}.svg"))
    start = body.split(' d="')[1][:8]
    alike = [path for path in found if start in path.read_text(encoding="utf-8")] if len(found) > 1 else found
    if len(alike) != 1:
        raise SystemExit(f"{name}: cannot tell who drew it, {[path.parent.name for path in found]}")
    return AUTHORS[alike[0].parent.name]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
