"""Browsers keep style sheets and scripts for good, and get new ones with a new version."""

import re

from argentum.web.pages.assets import NAMED, cache_control, versioned
from argentum.web.pages.renderer import Painter
from tests.web.serving import Server

VERSIONED = re.compile(r'(?:href|src)="(/static/[\w./-]+\?v=\w+)"')


def test_what_a_page_names_is_kept_for_good(server: Server) -> None:
    table, _ = server.new_table()
    page = server.ask(f"/table/{table}").text
    named = VERSIONED.findall(page)
    assert len(named) > 4
    assert not NAMED.search(page), "a script or a style sheet without a version"
    for path in named:
        answer = server.ask(path)
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert server.ask(path.partition("?")[0]).headers["Cache-Control"] == "no-cache"
        assert server.ask(path + "0").headers["Cache-Control"] == "no-cache", "another version than it has"


def test_only_our_own_scripts_and_styles_get_a_version() -> None:
    page = '<link href="/static/css/base.css"><use href="/static/glyphs.svg#bell"/><a href="/rules">x</a>'
    assert versioned(page).count("?v=") == 1
    assert cache_control("nowhere.css", "v=") == "no-cache"
    assert cache_control("nowhere.css", "") == "no-cache"


def test_the_signs_that_parts_of_a_page_show_are_kept_for_good(server: Server) -> None:
    """They were asked for again with nearly every part that came."""
    sign = str(Painter()._drawer("card.html", "glyph")("bell"))
    [address] = re.findall(r'href="(/static/signs\.svg[^"#]*)#bell"', sign)
    answer = server.ask(address)
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]
