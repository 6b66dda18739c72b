"""Take pictures of the gallery's states: `python tools/gallery.py FOLDER [STATE ...]`.

FOLDER/index.html shows all pictures, and what the checks of layout and accessibility find. If there is a folder of
earlier pictures, FOLDER-before, the pictures that changed come first: before, after, and the pixels that differ.
"""

import sys
from functools import reduce
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops
from tests.support.browser import launch_chromium
from tests.support.gallery import SIZES, THEMES, layout_faults, open_gallery, take_picture
from tests.support.gallery_states import STATES, GalleryState
from tests.support.server import running_server

STYLE = """
body { margin: 24px; background: #24262c; color: #eee; font: 16px system-ui, sans-serif; }
section { display: flex; flex-wrap: wrap; gap: 12px; align-items: start; }
figure { margin: 0; }
figcaption { padding: 4px 0; font-size: 13px; }
h2 { margin: 32px 0 8px; font-size: 18px; }
img { display: block; max-height: 320px; max-width: 46vw; border: 1px solid #555; }
.changed h2 { margin: 32px 0 8px; font-size: 18px; }
img { max-width: 31vw; max-height: none; }
"""


AXE_SIZES = ((1440, 900), (390, 844))  # the accessibility of the other sizes is the same, except for what is hidden


def take_pictures(folder: Path, states: list[GalleryState]) -> dict[str, list[str]]:
    """Take a picture of each state in each size and theme; return the faults found in each picture."""
    faults: dict[str, list[str]] = {}
    folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as database,
        running_server(Path(database)) as server,
        launch_chromium() as chromium,
        open_gallery(chromium, server) as gallery,
    ):
        for state in states:
            for size in SIZES:
                with gallery.open(state, size) as page:
                    for theme in THEMES:
                        page.emulate_media(color_scheme=theme)
                        name = f"{state.name}-{size[0]}x{size[1]}-{theme}.png"
                        (folder / name).write_bytes(take_picture(page))
                        faults[name] = layout_faults(page, size) if theme == THEMES[0] else []
                    for theme in THEMES if size in AXE_SIZES else ():
                        page.emulate_media(color_scheme=theme)
                        faults[f"{state.name}-{size[0]}x{size[1]}-{theme}.png"] += gallery.accessibility_faults(page)
    return faults


def write_difference(before: Path, after: Path, path: Path) -> int:
    """Write a picture of the pixels that differ between two pictures, if any; return their number."""
    with Image.open(before) as old, Image.open(after) as new:
        if old.size != new.size:
            return new.width * new.height
        bands = ImageChops.difference(old.convert("RGB"), new.convert("RGB")).split()
        difference = reduce(ImageChops.lighter, bands).point(lambda value: 255 * (value > 0))
    count = difference.histogram()[255]
    if count:
        path.parent.mkdir(exist_ok=True)
        difference.save(path)
    return count


def write_index(folder: Path, before: Path, faults: dict[str, list[str]]) -> int:
    """Write index.html: changed pictures, faults, all pictures. Return how many pictures changed or are new."""
    sections = ["<h1>Gallery</h1>"]
    names = sorted(path.name for path in folder.glob("*.png"))
    changed = 0
    for name in names if before.is_dir() else []:
        if not (before / name).exists():
            changed += 1
            sections.append(f"<h2>{name}: new</h2>{figures([name], 'changed')}")
        elif (before / name).read_bytes() != (folder / name).read_bytes():
            count = write_difference(before / name, folder / name, folder / "differences" / name)
            if count:
                changed += 1
                pictures = [f"../{before.name}/{name}", name, f"differences/{name}"]
                sections.append(f"<h2>{name}: {count} pixels differ</h2>{figures(pictures, 'changed')}")
    for name in names:
        if faults.get(name):
            items = "".join([f"<li>{escape(fault)}</li>" for fault in faults[name]])
            sections.append(f"<h2>{name}</h2><ul>{items}</ul>{figures([name])}")
    sections.append(f"<h2>All {len(names)} pictures</h2>{figures(names)}")
    page = f"<!doctype html><meta charset=utf-8><title>Gallery</title><style>{STYLE}</style>{''.join(sections)}"
    (folder / "index.html").write_text(page, encoding="utf-8")
    return changed


def figures(pictures: list[str], kind: str = "") -> str:
    images = [
        f'<figure><figcaption>{path}</figcaption><a href="{path}"><img src="{path}" loading="lazy" alt=""></a></figure>'
        for path in pictures
    ]
    return f'<section class="{kind}">{"".join(images)}</section>'


def main(folder: Path, names: list[str]) -> None:
    unknown = set(names) - {state.name for state in STATES}
    if unknown:
        raise SystemExit(f"There is no state {', '.join(sorted(unknown))}.")
    faults = take_pictures(folder, [state for state in STATES if not names or state.name in names])
    changed = write_index(folder, folder.with_name(f"{folder.name}-before"), faults)
    fault_count = sum([len(all_of_picture) for all_of_picture in faults.values()])
    print(f"{folder / 'index.html'}: {len(faults)} pictures taken, {changed} changed; {fault_count} faults.")  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
