"""States of the gallery in a real Chromium: nothing overlaps or is cut off, and the pages are accessible.

`make gallery` shows the other states and sizes, and what these checks find there.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from gallery import write_index
from tests.support.gallery import GalleryBrowser, layout_faults, open_gallery, take_picture
from tests.support.gallery_states import STATES
from tests.support.server import Server, shared_server

__all__ = ["shared_server"]

STATE_BY_NAME = {state.name: state for state in STATES}
STATES_BY_SIZE = {
    (1920, 1080): ["table-turn", "table-villages-9", "round-end-large", "game-end", "lobby-host"],
    (1440, 900): ["table-called", "table-master", "table-long-names", "round-end-three", "my-tables", "review"],
    (1366, 768): ["table-selected", "table-witch", "table-squire", "table-villages-9-6", "round-end-large", "home"],
    (820, 1180): ["table-nosferatu", "table-three-seats", "round-end", "lobby-rematch", "rules"],
    (390, 844): [
        "table-first-look",
        "table-rascal",
        "table-guards",
        "table-villages-9",
        "round-end-two",
        "lobby-unfolded",
    ],
    (844, 390): ["table-call-confirm", "table-target", "table-two-seats", "look", "round-end-large", "invitation"],
}
SHEETS = ["sheet-settings", "sheet-residents", "sheet-log", "sheet-scores", "sheet-pile", "sheet-rules", "help"]
ACCESSIBLE = [
    "table-hand",
    "table-guide",
    "round-end",
    "game-end",
    "lobby-guest",
    "invitation",
    "replay",
    "review",
    "error",
]


@pytest.fixture(scope="module")
def gallery(chromium: Browser, server: Server) -> Iterator[GalleryBrowser]:
    with open_gallery(chromium, server) as gallery:
        yield gallery


@pytest.mark.parametrize(
    ("name", "size"), [(name, size) for size, names in STATES_BY_SIZE.items() for name in names], ids=str
)
def test_nothing_overlaps_or_is_cut_off(gallery: GalleryBrowser, name: str, size: tuple[int, int]) -> None:
    with gallery.open(STATE_BY_NAME[name], size) as page:
        assert layout_faults(page, size) == []


@pytest.mark.parametrize("name", SHEETS)
def test_sheets_fit_a_phone_and_are_accessible(gallery: GalleryBrowser, name: str) -> None:
    size = (390, 844)
    with gallery.open(STATE_BY_NAME[name], size) as page:
        assert [*layout_faults(page, size), *gallery.accessibility_faults(page)] == []


@pytest.mark.parametrize("name", ACCESSIBLE)
def test_pages_in_light_colours_are_accessible(gallery: GalleryBrowser, name: str) -> None:
    with gallery.open(STATE_BY_NAME[name], (1366, 768)) as page:
        page.emulate_media(color_scheme="light")
        assert gallery.accessibility_faults(page) == []


def test_pictures_of_a_state_are_always_the_same(chromium: Browser, server: Server) -> None:
    pictures = set()
    for _ in range(2):
        with open_gallery(chromium, server) as gallery, gallery.open(STATE_BY_NAME["table-turn"], (1366, 768)) as page:
            pictures.add(take_picture(page))
    assert len(pictures) == 1


def test_the_index_shows_changed_pictures_and_their_differences(tmp_path: Path) -> None:
    before, after = tmp_path / "gallery-before", tmp_path / "gallery"
    for folder, colour in ((before, "black"), (after, "white")):
        folder.mkdir()
        Image.new("RGB", (4, 3), "black").save(folder / "same.png")
        Image.new("RGB", (4, 3), colour).save(folder / "changed.png")
    assert write_index(after, before, {"changed.png": ["cut: #prompt"]}) == 1
    index = (after / "index.html").read_text(encoding="utf-8")
    assert "changed.png: 12 pixels differ" in index
    assert '<img src="../gallery-before/changed.png"' in index
    assert "cut: #prompt" in index
    with Image.open(after / "differences" / "changed.png") as difference:
        assert difference.getextrema() == (255, 255)
