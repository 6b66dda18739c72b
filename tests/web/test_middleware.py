"""Security headers and the host check."""

import asyncio
from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.server import OTHER_ORIGIN, HttpResponse, Server, open_socket


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that several tests share."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.start()
        yield server
        server.stop()


PATHS = [
    "/",
    "/rules",
    "/about",
    "/privacy",
    "/health",
    "/nowhere",
    "/static/css/home.css",
    "/static/nowhere.css",
    "/deck/all.svg",
]
PATHS += ["/deck/nowhere.svg", "/table/nowhere", "/play", "/static/../app.py", "/static/%2e%2e/app.py"]


def check_headers(answer: HttpResponse) -> None:
    """Assert that a response has the security headers, and neither a cookie nor a traceback."""
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert not [word for word in ("unsafe", "*", "http", "data:", "blob:") if word in policy]
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "form-action 'self'" in policy
    assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")  # Other sites get no referrer.
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"]
    assert answer.headers["Set-Cookie"] is None
    assert "traceback" not in answer.text.lower()


@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_security_headers(site: Server, path: str) -> None:
    check_headers(site.request(path))


def test_refusals_redirects_and_tables_have_security_headers(site: Server) -> None:
    created = site.request("/tables", {})
    assert created.status == 303
    check_headers(created)
    check_headers(site.request(created.headers["Location"].partition("#")[0]))
    check_headers(site.request("/tables", {}, Origin=OTHER_ORIGIN))
    assert created.headers["Cache-Control"] == "no-store"  # The redirect has the key of a seat.


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("public")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.options = ("--bot-pause", "0", "--public-url", f"http://127.0.0.1:{server.port}")
        server.start()
        yield server
        server.stop()


def test_other_hosts_are_refused(public_server: Server) -> None:
    assert public_server.request("/").status == 200
    assert public_server.request("/", Host="evil.example").status == 421
    assert public_server.request("/tables", {}, Host="evil.example", Origin="http://evil.example").status == 421
    assert (
        public_server.request("/health", Host="10.0.0.7:8420").status == 200
    )  # Monitoring systems ask by address, not by name.

    async def connect() -> None:
        with pytest.raises(InvalidStatus):
            await open_socket(public_server, additional_headers={"Host": "evil.example"})

    asyncio.run(connect())
