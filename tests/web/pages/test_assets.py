"""The look: every picture a page names is there, nothing needs another origin, and the first page stays light."""

import gzip
import re
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from argentum.rulebook.card_art import all_card_art
from argentum.web.pages import assets
from argentum.web.pages.assets import ASSET_LINK, cache_control, with_digests
from argentum.web.pages.renderer import PageRenderer
from tests.support.server import Server

WEB = files("argentum.web")
TEMPLATES = {
    path.name: path.read_text(encoding="utf-8") for path in WEB.joinpath("templates").iterdir() if path.is_file()
}
STYLES = {
    path.name: path.read_text(encoding="utf-8")
    for path in Path(str(WEB.joinpath("static"))).rglob("*")
    if path.name.endswith(".css")
}
SIGNS = set(re.findall(r'<symbol id="([^"]+)"', WEB.joinpath("static", "glyphs.svg").read_text(encoding="utf-8")))


def test_a_deck_has_a_picture_of_each_resident_and_the_tokens() -> None:
    sheet = ElementTree.fromstring(assets.icon_sheet("bcdbcdbcdbcdbc"))
    names = [symbol.get("id") for symbol in sheet]
    assert names[:3] == ["B0", "C1", "D2"]
    assert names[14:] == ["A14", "B14", "C14", "D14"]
    with_coin = ElementTree.fromstring(assets.icon_sheet("bcdbcdbcdbcdbcc"))
    assert [symbol.get("id") for symbol in with_coin][14:] == ["C14"], "a table has one token"
    assert all([symbol.find(".//{http://www.w3.org/2000/svg}path") is not None for symbol in sheet])


def test_everybody_is_in_the_sheet_of_everybody() -> None:
    assert set(re.findall(r'id="([ABCD]\d+)"', assets.icon_sheet("all"))) == set(all_card_art())


@pytest.mark.parametrize("code", ["", "ddd", "dddddddddddddx", "../../etc/passwd"])
def test_only_deck_codes_have_a_sheet(code: str) -> None:
    with pytest.raises(ValueError, match="not a deck code"):
        assets.icon_sheet(code)


def test_every_icon_has_an_author_to_credit() -> None:
    credited = {name for names in assets.icon_authors().values() for name in names}
    assert credited == {icon.icon.replace("-", " ") for icon in all_card_art().values()}


def test_every_sign_that_a_page_names_is_drawn() -> None:
    named = {sign for page in TEMPLATES.values() for sign in re.findall(r'glyph\("([a-z-]+)"[,)]', page)}
    fixed = {sign for page in TEMPLATES.values() for sign in re.findall(r'signs\.svg#([a-z-]*[a-z])"', page)}
    assert named
    assert named | fixed <= SIGNS


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_pages_keep_to_the_content_policy(template: str) -> None:
    page = TEMPLATES[template]
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=\"|<script(?![^>]*\ssrc=\")", page)
    assert not re.search(r"(?:src|<link[^>]*href|<use[^>]*href)=\"(?!/)[^\"{]", page)


@pytest.mark.parametrize("sheet", sorted(STYLES))
def test_styles_load_nothing_from_elsewhere(sheet: str) -> None:
    assert all([not url.startswith(("http", "//", "data:")) for url in re.findall(r"url\(([^)]*)\)", STYLES[sheet])])


def test_what_a_table_loads_is_light() -> None:
    """As the server sends it: text is compressed on the way, fonts are already."""
    static = WEB.joinpath("static")
    loaded = [
        "css/base.css",
        "css/table.css",
        "css/pages.css",
        "glyphs.svg",
        "js/table.js",
        "js/look.js",
        "js/theme.js",
    ]
    loaded.append("vendor/idiomorph.min.js")
    texts = [static.joinpath(name).read_bytes() for name in loaded] + [assets.icon_sheet("d" * 15).encode()]
    fonts = [path for path in static.joinpath("fonts").iterdir() if path.name.endswith(".woff2")]
    sizes = [len(gzip.compress(text)) for text in texts] + [len(font.read_bytes()) for font in fonts]
    assert sum(sizes) < 130_000
    assert sum([len(text) for text in texts]) < 180_000, "nor much to be read"


VERSIONED = re.compile(r'(?:href|src)="(/static/[\w./-]+\?v=\w+)"')


def test_what_a_page_names_is_kept_for_good(server: Server) -> None:
    table, _ = server.new_table()
    page = server.request(f"/table/{table}").text
    named = VERSIONED.findall(page)
    assert len(named) > 4
    assert not ASSET_LINK.search(page), "a script or a style sheet without a version"
    for path in named:
        answer = server.request(path)
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert server.request(path.partition("?")[0]).headers["Cache-Control"] == "no-cache"
        assert server.request(path + "0").headers["Cache-Control"] == "no-cache", "another version than it has"


def test_only_our_own_scripts_and_styles_get_a_version() -> None:
    page = '<link href="/static/css/base.css"><use href="/static/glyphs.svg#bell"/><a href="/rules">x</a>'
    assert with_digests(page).count("?v=") == 1
    assert cache_control("nowhere.css", "v=") == "no-cache"
    assert cache_control("nowhere.css", "") == "no-cache"


def test_glyphs_in_updated_parts_are_cached_permanently(server: Server) -> None:
    """They were asked for again with nearly every part that came."""
    sign = str(PageRenderer()._macro("card.html", "glyph")("bell"))
    [address] = re.findall(r'href="(/static/glyphs\.svg[^"#]*)#bell"', sign)
    answer = server.request(address)
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]
