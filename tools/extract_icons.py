"""Extract the icons of all cards from the npm packages of game-icons, with their authors.

    npm install --no-save @iconify-json/game-icons game-icons-transparent
    python tools/extract_icons.py node_modules

This writes src/argentum/rulebook/icons.json, which has the SVG body (on a square of 512) and the author of each icon.
The bodies are from the first package; the second has a folder per author. Paths are rounded to a tenth, which is
invisible and saves a fifth of the bytes that the page of a table loads. Run this after changing an icon in
src/argentum/rulebook/boxes/.
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
        name: {"author": find_author(drawings, name, source[name]["body"]), "body": round_paths(source[name]["body"])}
        for name in sorted({art.icon for art in all_card_art().values()})
    }
    ICONS.write_text(json.dumps(icons, indent=0) + "\n", encoding="utf-8")


def find_author(drawings: Path, name: str, body: str) -> str:
    """Return the author of an icon. If several authors have an icon of this name, compare the SVG paths.

    Raise SystemExit unless exactly one author matches.
    """
    matches = sorted(drawings.glob(f"*/{name}.svg"))
    start = body.split(' d="')[1][:8]
    same_path = [path for path in matches if start in path.read_text(encoding="utf-8")] if len(matches) > 1 else matches
    if len(same_path) != 1:
        raise SystemExit(f"{name}: cannot determine the author, {[path.parent.name for path in matches]}")
    return AUTHORS[same_path[0].parent.name]


def round_paths(body: str) -> str:
    """Round the paths of an icon to a tenth. Arcs stay unchanged, because their flags may be written without spaces.

    >>> round_paths('<path d="m1.96.25l-.04 3.333a5 5 0 0115 0"/>')
    '<path d="m2 .2l0 3.3a5 5 0 0115 0"/>'
    """
    return re.sub(r' d="([^"]*)"', lambda path: f' d="{re.sub("[a-zA-Z][^a-zA-Z]*", _round_command, path[1])}"', body)


def _round_command(command: re.Match[str]) -> str:
    """Round the numbers of an SVG path command, and omit the separators that are not needed."""
    letter, rounded = command[0][0], ""
    if letter in "aA":
        return command[0]
    for number in NUMBER.findall(command[0]):
        short = re.sub(r"^(-?)0\.", r"\1.", f"{round(float(number), 1) + 0:g}")
        needs_no_space = not rounded or short[0] == "-" or (short[0] == "." and "." in re.split("[ -]", rounded)[-1])
        rounded += short if needs_no_space else f" {short}"
    return letter + rounded


if __name__ == "__main__":
    main(Path(sys.argv[1]))
