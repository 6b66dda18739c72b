"""The pages and forms of the site."""

import gzip
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from argentum.web.pages.page_diff import FragmentDecoder
from argentum.web.pages.renderer import PageRenderer
from argentum.web.site import home_context
from tests.support.fakes import run
from tests.support.server import TIMEOUT, ProtocolClient, Server, open_socket


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that several tests share."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.start()
        yield server
        server.stop()


class PageLoads(HTMLParser):
    """The URLs that a page loads, and its inline styles and scripts, which the content security policy forbids."""

    LOADING = {"src", "srcset", "poster", "data", "action", "formaction", "manifest", "background"}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in self.LOADING or (name in ("href", "xlink:href") and tag != "a"):
                self.loaded.append(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")
        is_code = tag == "script" and "src" not in dict(attrs) and ("type", "application/json") not in attrs
        if tag == "style" or is_code:
            self.inline.append(tag)


def is_on_this_site(url: str) -> bool:
    return not urlsplit(url).scheme and not urlsplit(url).netloc


def sheet_urls(sheet: str) -> list[str]:
    """Return the URLs that a style sheet loads."""
    return [match[1].strip("'\" ") for match in re.finditer(r"(?:url\(|@import\s+)([^);]+)", sheet)]


def pages(site: Server) -> list[str]:
    """Return the HTML of all pages, including what the WebSocket sends for a game and for a lobby."""

    async def pages_sent() -> list[str]:
        table, host = site.new_table("/play", bots="1")
        lobby, lobby_host = site.new_table("/tables")
        async with open_socket(site) as first_socket, open_socket(site) as second_socket:
            first, second = ProtocolClient(first_socket), ProtocolClient(second_socket)
            await first.send(type="join", table=table, key=host, format="html")
            await second.send(type="join", table=lobby, key=lobby_host, format="html")
            sent = [await first.receive(), await second.receive()]
            return [html for message in sent for html in FragmentDecoder().decode_parts(message).values()]

    table, _ = site.new_table("/tables")
    paths = ["/", "/rules", "/about", "/privacy", "/nowhere", f"/table/{table}"]
    return [site.request(path).text for path in paths] + run(pages_sent())


def test_pages_load_only_from_this_site_and_have_no_inline_code(site: Server) -> None:
    for page in pages(site):
        loads = PageLoads(page)
        assert loads.inline == []
        assert [url for url in loads.loaded if not is_on_this_site(url)] == []
    for file in static_files():
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".css":
            assert [url for url in sheet_urls(text) if not is_on_this_site(url)] == [], file
        code = text.replace("http://www.w3.org/", "")  # XML namespaces, which are not loaded
        assert re.findall(r"(?:https?|wss?):?//[^\s\"'`]*", code) == [], file


def static_files() -> list[Path]:
    """Return the static files that browsers load."""
    folder = Path(str(resources.files("argentum.web") / "static"))
    return [file for file in sorted(folder.rglob("*")) if file.suffix in (".css", ".js", ".svg", ".html")]


def test_the_landing_page_and_all_that_it_loads_are_small(site: Server) -> None:
    first = site.request("/")
    sizes = {"/": len(first.body)}
    pending = PageLoads(first.text).loaded
    while pending:
        path = pending.pop().partition("#")[0]
        if path in sizes or path in ("", "/play", "/guide", "/tables", "/quick") or path.startswith("/join/"):
            continue
        answer = site.request(path)
        assert answer.status == 200, path
        sizes[path] = len(answer.body)
        if path.endswith(".css"):
            pending += [urljoin(path, url) for url in sheet_urls(answer.text)]
    assert len(sizes) > 4
    assert sum(sizes.values()) < 200_000, sizes


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("public")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.options = ("--bot-pause", "0", "--public-url", f"http://127.0.0.1:{server.port}")
        server.start()
        yield server
        server.stop()


def test_the_rules_page_is_compressed(public_server: Server) -> None:
    compressed = public_server.request("/rules", None, **{"Accept-Encoding": "gzip"})
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.body) == public_server.request("/rules").body


def test_an_aborted_form_logs_one_line(public_server: Server) -> None:
    log = Path(public_server.database).parent / "stderr"
    before = log.read_text()
    with closing(socket.create_connection(("127.0.0.1", public_server.port))) as connection:
        head = f"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:{public_server.port}\r\nContent-Length: 50\r\n\r\nname="
        connection.sendall(head.encode())
    until = time.monotonic() + TIMEOUT
    while log.read_text() == before:
        assert time.monotonic() < until
    lines = log.read_text().removeprefix(before)
    assert lines.count("\n") == 1
    assert "a client left before its request was complete" in lines


@pytest.fixture(scope="module")
def token_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operator")
    (folder / "settings.toml").write_text('operator_token = "hush"\n')
    server = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    server.start()
    yield server
    server.stop()


def test_the_privacy_page_has_the_settings_of_the_server(token_server: Server) -> None:
    assert 'href="/privacy"' in token_server.request("/").text
    page = token_server.request("/privacy").text
    assert "Games are kept for good" in page
    assert "deleted 10 minutes after" in page
    assert "does not write your address down" in page


def test_old_paths_answer_the_same(site: Server) -> None:
    assert site.request("/away").body == site.request("/offline").body
    tables = {"tables": ""}
    assert site.request("/mine", tables).text == site.request("/my-tables", tables).text == "[]"


def test_one_free_seat_is_singular() -> None:
    table = {"name": "tawny-owl", "link": "/join/tawny-owl", "deck": "Silver Coin", "seats_free": 1, "players": ["Ann"]}
    assert PageRenderer().page("home.html", open_tables=[table], **home_context()).count(">1 seat free<") == 2
    assert ">2 seats free<" in PageRenderer().page("home.html", open_tables=[table, table], **home_context())
