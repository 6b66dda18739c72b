"""Extract the icons that the gallery names from the npm packages of game-icons, with their authors.

    npm install --no-save @iconify-json/game-icons game-icons-transparent
    python tools/extract_icons.py node_modules

writes src/argentum/rulebook/icons.json: for each icon its SVG body, on a square of 512, and its author. The first
package has the bodies, the second a folder for each author. Paths are rounded to a tenth, which is invisible and saves
a fifth of what a table's page loads. Run it when gallery.toml changes.
"""

import json
import re
import sys
from pathlib import Path

from argentum.rulebook.card_art import all_card_art

ICONS = Path(__file__).parent.parent / "src" / "argentum" / "rulebook" / "icons.json"
NUMBER = re.compile(r"-?(?:\d*\.\d+|\d+)")
AUTHORS = {
    "carl-olsen": "Carl Olsen",
    "cathelineau": "Cathelineau",
    "darkzaitzev": "DarkZaitzev",
    "delapouite": "Delapouite",
    "lorc": "Lorc",
}


def main(modules: Path) -> None:
    source = json.loads((modules / "@iconify-json/game-icons/icons.json").read_text(encoding="utf-8"))["icons"]
    drawings = modules / "game-icons-transparent" / "svgs"
    icons = {
        name: {"author": author(drawings, name, source[name]["body"]), "body": round_paths(source[name]["body"])}
        for name in sorted({art.icon for art in all_card_art().values()})
    }
    ICONS.write_text(json.dumps(icons, indent=0) + "\n", encoding="utf-8")


def author(drawings: Path, name: str, body: str) -> str:
    """Return the author of an icon. Of several icons with its name, take the one with the same path."""
    matches = sorted(drawings.glob(f"*/{name}.svg"))
    start = body.split(' d="')[1][:8]
    same_path = [path for path in matches if start in path.read_text(encoding="utf-8")] if len(matches) > 1 else matches
    if len(same_path) != 1:
        raise SystemExit(f"{name}: cannot tell who drew it, {[path.parent.name for path in matches]}")
    return AUTHORS[same_path[0].parent.name]


def round_paths(body: str) -> str:
    """Round the paths of an icon to a tenth. Arcs stay unchanged, because their flags may be written without spaces.

    >>> round_paths('<path d="m1.96.25l-.04 3.333a5 5 0 0115 0"/>')
    '<path d="m2 .2l0 3.3a5 5 0 0115 0"/>'
    """
    return re.sub(r' d="([^"]*)"', lambda path: f' d="{re.sub("[a-zA-Z][^a-zA-Z]*", _rounded, path[1])}"', body)


def _rounded(command: re.Match[str]) -> str:
    """Round the numbers of a path command, and drop the separators that SVG does not need."""
    letter, written = command[0][0], ""
    if letter in "aA":
        return command[0]
    for number in NUMBER.findall(command[0]):
        short = re.sub(r"^(-?)0\.", r"\1.", f"{round(float(number), 1) + 0:g}")
        joined = not written or short[0] == "-" or (short[0] == "." and "." in re.split("[ -]", written)[-1])
        written += short if joined else f" {short}"
    return letter + written


if __name__ == "__main__":
    main(Path(sys.argv[1]))
