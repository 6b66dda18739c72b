"""The documentation site: links, resources and cards."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from argentum.rules.boxes import BOX_NAMES

ROOT = Path(__file__).parents[2]


class SitePage(HTMLParser):
    """Parser for a page's links, loaded resources and anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value is not None and key == "id":
                self.anchors.add(value)
            elif value is not None and key == "href" and tag == "a":
                self.links.append(value)
            elif value is not None and (key == "src" or (key == "href" and tag == "link")):
                self.resources.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # Hide an announcement of the theme.
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, SitePage]:
    """Return the parsed pages, except the 404 page, by URL path."""
    return {
        f"/{path.relative_to(site).as_posix()}": SitePage(path) for path in site.rglob("*.html") if path.stem != "404"
    }


def test_every_link_has_a_target(site: Path, pages: dict[str, SitePage]) -> None:
    assert len(pages) > 15
    for location, page in pages.items():
        for link in page.links + page.resources:
            target = urlsplit(urljoin(location, link))
            if target.scheme:
                continue
            path = unquote(target.path)
            assert (site / path.lstrip("/")).is_file() or path == "/", f"{location} links to {link}"
            if target.fragment and path in pages:
                assert unquote(target.fragment) in pages[path].anchors | {"__skip"}, f"{location} links to {link}"


def test_links_to_other_sites_are_well_formed(pages: dict[str, SitePage]) -> None:
    for location, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme:
                assert re.fullmatch(r"https://[\w.-]+\.[a-z]+(/\S*)?", link), f"{location} links to {link}"


def test_pages_load_nothing_from_other_sites(site: Path, pages: dict[str, SitePage]) -> None:
    for location, page in pages.items():
        assert [url for url in page.resources if urlsplit(url).scheme or url.startswith("//")] == [], location
    for stylesheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", stylesheet.read_text(encoding="utf-8")), stylesheet
    assert (site / "fonts" / "grenze-700.woff2").is_file()


def test_every_card_is_on_the_page_of_its_box(pages: dict[str, SitePage]) -> None:
    for box in BOX_NAMES:
        pictures = [url.rpartition("/")[2] for url in pages[f"/rules/{box}.html"].resources]
        assert [name for name in pictures if name[0] == box[0].upper()] == [
            f"{box[0].upper()}{n}.svg" for n in range(15)
        ]
