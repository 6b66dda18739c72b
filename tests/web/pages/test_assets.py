"""Static files: icons, glyphs and style sheets exist, are small, and come from this site; URLs have digests."""

import gzip
import json
import re
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from argentum.rulebook.card_art import all_card_art
from argentum.rules.boxes import BOX_LETTERS
from argentum.web.pages import assets
from argentum.web.pages.assets import CACHE_FOREVER, REVALIDATE, imported_modules, page_build, parse_url
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
GLYPHS = set(re.findall(r'<symbol id="([^"]+)"', WEB.joinpath("static", "glyphs.svg").read_text(encoding="utf-8")))


def test_the_icon_sheet_of_a_deck_has_its_residents_and_tokens() -> None:
    sheet = ElementTree.fromstring(assets.icon_sheet("bcdbcdbcdbcdbc"))
    names = [symbol.get("id") for symbol in sheet]
    assert names[:3] == ["B0", "C1", "D2"]
    assert names[14:] == ["A14", "B14", "C14", "D14"]
    with_coin = ElementTree.fromstring(assets.icon_sheet("bcdbcdbcdbcdbcc"))
    assert [symbol.get("id") for symbol in with_coin][14:] == ["C14"], "a table has one token"
    assert all([symbol.find(".//{http://www.w3.org/2000/svg}path") is not None for symbol in sheet])


def test_the_icon_sheet_of_all_residents_is_complete() -> None:
    assert set(re.findall(rf'id="([{BOX_LETTERS.upper()}]\d+)"', assets.icon_sheet("all"))) == set(all_card_art())


@pytest.mark.parametrize("code", ["", "ddd", "dddddddddddddx", "../../etc/passwd"])
def test_texts_other_than_deck_codes_have_no_icon_sheet(code: str) -> None:
    with pytest.raises(ValueError, match="not a deck code"):
        assets.icon_sheet(code)


def test_every_icon_has_an_author() -> None:
    credited = {name for names in assets.icon_authors().values() for name in names}
    assert credited == {icon.icon.replace("-", " ") for icon in all_card_art().values()}


def test_every_glyph_in_a_template_exists() -> None:
    named = {glyph for page in TEMPLATES.values() for glyph in re.findall(r'glyph\("([a-z-]+)"[,)]', page)}
    fixed = {glyph for page in TEMPLATES.values() for glyph in re.findall(r'glyphs\.svg#([a-z-]*[a-z])"', page)}
    assert named
    assert named | fixed <= GLYPHS


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_templates_satisfy_the_content_security_policy(template: str) -> None:
    page = TEMPLATES[template]
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=\"|<script(?![^>]*\s(?:src=\"|type=\"application/json\"))", page)
    assert not re.search(r"(?:src|<link[^>]*href|<use[^>]*href)=\"(?!/)[^\"{]", page)


@pytest.mark.parametrize("sheet", sorted(STYLES))
def test_style_sheets_load_nothing_from_other_sites(sheet: str) -> None:
    assert all([not url.startswith(("http", "//", "data:")) for url in re.findall(r"url\(([^)]*)\)", STYLES[sheet])])


def test_the_files_of_a_table_page_are_small() -> None:
    static = WEB.joinpath("static")
    scripts = [
        path.removeprefix("/static/") for path in ("/static/js/table.js", *imported_modules("/static/js/table.js"))
    ]
    generated = [assets.style_sheet("table.css"), assets.icon_sheet("d" * 15)]
    texts = [static.joinpath(name).read_bytes() for name in ("glyphs.svg", *scripts)]
    texts += [text.encode() for text in generated]
    fonts = [path for path in static.joinpath("fonts").iterdir() if path.name.endswith(".woff2")]
    sizes = [len(gzip.compress(text)) for text in texts] + [len(font.read_bytes()) for font in fonts]
    assert sum(sizes) < 160_000
    assert sum([len(text) for text in texts]) < 270_000


LINK = re.compile(r'(?:href|src)="(/static/[^"#]+\.(?:css|js|svg)[^"#]*)')


def test_files_with_a_digest_are_cached_permanently(server: Server) -> None:
    table, _ = server.new_table()
    links = set(LINK.findall(server.request(f"/table/{table}").text))
    assert {link.rpartition(".")[2].partition("?")[0] for link in links} == {"css", "js", "svg"}
    for link in links:
        answer = server.request(link)
        assert answer.status == 200
        assert answer.headers["Cache-Control"] == CACHE_FOREVER, "every link has a digest"


@pytest.mark.parametrize(
    ("path", "query", "file"),
    [
        ("css/home.css", "", "css/home.css"),
        ("css/home.css", "v=0123456789", "css/home.css"),
        ("js/home.js", "", "js/home.js"),
        ("0123456789/js/home.js", "", "js/home.js"),
        ("nowhere.css", "v=", "nowhere.css"),
    ],
)
def test_files_without_the_current_digest_are_revalidated(path: str, query: str, file: str) -> None:
    assert parse_url(path, query) == (file, REVALIDATE)


def test_scripts_are_in_a_folder_named_after_the_build() -> None:
    assert parse_url(f"{page_build()}/js/home.js", "") == ("js/home.js", CACHE_FOREVER)


def test_pages_load_all_modules_at_once(server: Server) -> None:
    page = server.request("/").text
    [script] = re.findall(r'<script type="module" src="([^"]+)"', page)
    loaded = {script, *re.findall(r'<link rel="modulepreload" href="([^"]+)"', page)}
    assert len(loaded) > 5
    imported = {
        f"{script.rpartition('/')[0]}/{name}"
        for link in loaded
        for name in re.findall(r'^import .*?"\./(\w+\.js)"', server.request(link).text, re.MULTILINE)
    }
    assert imported | {script} == loaded


def test_the_service_worker_caches_pages_with_their_files(server: Server) -> None:
    script = server.request("/sw.js").text
    assert not re.search(r"@[A-Z]+@", script), "all placeholders are filled in"
    [shell] = re.findall(r"const SHELL = (\[.*?\]);", script, re.DOTALL)
    paths = json.loads(shell)
    assert {"/", "/offline", "/rules", f"/static/{page_build()}/js/home.js", "/static/fonts/atkinson-700.woff2"} <= {
        *paths
    }
    assert [path for path in paths if server.request(path).status != 200] == []


def test_glyphs_in_updated_parts_are_cached_permanently(server: Server) -> None:
    glyph = str(PageRenderer().macro("card.html", "glyph")("bell"))
    [address] = re.findall(r'href="(/static/glyphs\.svg[^"#]*)#bell"', glyph)
    answer = server.request(address)
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]
