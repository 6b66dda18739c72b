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
from tests.support.server import TIMEOUT, ProtocolClient, Server, connected


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.start()
        yield one
        one.stop()


class Parts(HTMLParser):
    """What a page makes a browser load, and what its policy would not let run."""

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
        if tag == "style" or (tag == "script" and "src" not in dict(attrs)):
            self.inline.append(tag)


def is_ours(url: str) -> bool:
    return not urlsplit(url).scheme and not urlsplit(url).netloc


def loads_of(sheet: str) -> list[str]:
    """What a style sheet makes a browser load."""
    return [match[1].strip("'\" ") for match in re.finditer(r"(?:url\(|@import\s+)([^);]+)", sheet)]


def pages(site: Server) -> list[str]:
    """Every page, and the table in several states as it is sent to a browser."""

    async def stages() -> list[str]:
        table, host = site.new_table("/play", bots="1")
        gathering, its_host = site.new_table("/tables")
        async with connected(site) as one, connected(site) as other:
            first, second = ProtocolClient(one), ProtocolClient(other)
            await first.send(type="sit", table=table, key=host, format="html")
            await second.send(type="sit", table=gathering, key=its_host, format="html")
            sent = [await first.receive(), await second.receive()]
            return [html for message in sent for html in FragmentDecoder().parts(message).values()]

    table, _ = site.new_table("/tables")
    paths = ["/", "/rules", "/about", "/privacy", "/nowhere", f"/table/{table}"]
    return [site.request(path).text for path in paths] + run(stages())


def test_nothing_is_loaded_from_elsewhere_and_nothing_runs_inline(site: Server) -> None:
    for page in pages(site):
        parts = Parts(page)
        assert parts.inline == []
        assert [url for url in parts.loaded if not is_ours(url)] == []
    for file in files():
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".css":
            assert [url for url in loads_of(text) if not is_ours(url)] == [], file
        code = text.replace("http://www.w3.org/", "")  # names, not addresses
        assert re.findall(r"(?:https?|wss?):?//[^\s\"'`]*", code) == [], file


def files() -> list[Path]:
    """The scripts, sheets and pictures that browsers are sent."""
    folder = Path(str(resources.files("argentum.web") / "static"))
    return [file for file in sorted(folder.rglob("*")) if file.suffix in (".css", ".js", ".svg", ".html")]


def test_the_first_page_is_light(site: Server) -> None:
    """All that it loads, before anything is compressed."""
    first = site.request("/")
    sizes = {"/": len(first.body)}
    waiting = Parts(first.text).loaded
    while waiting:
        path = waiting.pop().partition("#")[0]
        if path in sizes or path in ("", "/play", "/guide", "/tables", "/quick") or path.startswith("/join/"):
            continue
        answer = site.request(path)
        assert answer.status == 200, path
        sizes[path] = len(answer.body)
        if path.endswith(".css"):
            waiting += [urljoin(path, url) for url in loads_of(answer.text)]
    assert len(sizes) > 4
    assert sum(sizes.values()) < 200_000, sizes


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("public")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.options = ("--bot-pause", "0", "--public-url", f"http://127.0.0.1:{one.port}")
        one.start()
        yield one
        one.stop()


def test_the_rules_are_packed_once(public: Server) -> None:
    packed = public.request("/rules", None, **{"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == public.request("/rules").body


def test_an_aborted_form_leaves_one_line(public: Server) -> None:
    complaints = Path(public.database).parent / "stderr"
    before = complaints.read_text()
    with closing(socket.create_connection(("127.0.0.1", public.port))) as raw:
        head = f"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:{public.port}\r\nContent-Length: 50\r\n\r\nname="
        raw.sendall(head.encode())
    until = time.monotonic() + TIMEOUT
    while complaints.read_text() == before:
        assert time.monotonic() < until
    lines = complaints.read_text().removeprefix(before)
    assert lines.count("\n") == 1
    assert "a client left before its request was complete" in lines


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operator")
    (folder / "settings.toml").write_text('operator_token = "hush"\n')
    one = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    one.start()
    yield one
    one.stop()


def test_the_privacy_page_says_what_this_server_does(guarded: Server) -> None:
    assert 'href="/privacy"' in guarded.request("/").text
    page = guarded.request("/privacy").text
    assert "Games are kept for good" in page
    assert "deleted 10 minutes after" in page
    assert "does not write your address down" in page


def test_free_seats_are_counted_in_words() -> None:
    """One free seat at all tables together was "1 seats free"."""
    one = {"name": "tawny-owl", "link": "/join/tawny-owl", "deck": "Silver Coin", "seats_free": 1, "players": ["Ann"]}
    assert PageRenderer().page("home.html", open_tables=[one], **home_context()).count(">1 seat free<") == 2
    assert ">2 seats free<" in PageRenderer().page("home.html", open_tables=[one, one], **home_context())
