"""The documentation site is built without a warning, its links lead somewhere, and nothing in it is from elsewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """A page's links, what it loads, and the names in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value is not None and key == "id":
                self.names.add(value)
            elif value is not None and key == "href" and tag == "a":
                self.links.append(value)
            elif value is not None and (key == "src" or (key == "href" and tag == "link")):
                self.loads.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # the theme's news
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """The pages by their paths in the site; but for the one of a server that does not find a page."""
    return {f"/{path.relative_to(site).as_posix()}": Page(path) for path in site.rglob("*.html") if path.stem != "404"}


def test_every_link_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    assert len(pages) > 15
    for place, page in pages.items():
        for link in page.links + page.loads:
            target = urlsplit(urljoin(place, link))
            if target.scheme:
                continue
            path = unquote(target.path)
            assert (site / path.lstrip("/")).is_file() or path == "/", f"{place} links to {link}"
            if target.fragment and path in pages:
                assert unquote(target.fragment) in pages[path].names | {"__skip"}, f"{place} links to {link}"


def test_links_to_other_sites_are_well_formed(pages: dict[str, Page]) -> None:
    for place, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme:
                assert re.fullmatch(r"https://[\w.-]+\.[a-z]+(/\S*)?", link), f"{place} links to {link}"


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    for place, page in pages.items():
        assert [load for load in page.loads if urlsplit(load).scheme or load.startswith("//")] == [], place
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet
    assert (site / "fonts" / "grenze-700.woff2").is_file()


def test_every_card_is_on_the_page_of_its_box(pages: dict[str, Page]) -> None:
    for box in ("amulet", "bullet", "coin", "dagger"):
        shown = [load.rpartition("/")[2] for load in pages[f"/rules/{box}.html"].loads]
        assert [name for name in shown if name[0] == box[0].upper()] == [f"{box[0].upper()}{n}.svg" for n in range(15)]
