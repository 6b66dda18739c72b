from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.fakes import run
from tests.support.server import OTHER_ORIGIN, ProtocolClient, Server, connected


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.start()
        yield one
        one.stop()


# From where.


@pytest.mark.parametrize(
    "origin", [OTHER_ORIGIN, "null", "http://127.0.0.1:1", "http://127.0.0.1", "file://", "http://[x"]
)
def test_pages_of_other_sites_get_no_socket(site: Server, origin: str) -> None:
    async def ring() -> None:
        with pytest.raises(InvalidStatus) as refusal:
            async with connected(site, origin=origin):
                pass
        assert refusal.value.response.status_code == 403

    run(ring())


def test_our_own_pages_and_programs_get_a_socket(site: Server) -> None:
    async def ring(origin: str | None) -> None:
        table, key = site.new_table("/tables")
        async with connected(site, origin=origin) as socket:
            client = ProtocolClient(socket)
            await client.send(type="sit", table=table, key=key)
            assert (await client.next_update())["seat"] == "A"

    run(ring(site.origin))
    run(ring(None))


@pytest.mark.parametrize("path", ["/play", "/guide", "/tables", "/join/amber-oak"])
def test_forms_of_other_sites_are_refused(site: Server, path: str) -> None:
    tables = site.request("/health").text
    strangers = (
        {"Origin": OTHER_ORIGIN},
        {"Origin": "null"},
        {"Origin": "http://[x"},
        {"Sec-Fetch-Site": "cross-site"},
    )
    for headers in strangers:
        answer = site.request(path, {"name": "Ann"}, **headers)
        assert answer.status == 409
        assert "own pages" in answer.text
    assert site.request("/health").text == tables
    if path != "/join/amber-oak":
        assert site.request(path, {"name": "Ann"}, Origin=site.origin).status == 303


@pytest.mark.parametrize(
    "form",
    [
        {"name": "x" * 5000},
        {"name": "\x00"},
        {"name": "Ann\u202eB"},
        {"boxes": "silver"},
        {"boxes": "d" * 15},
        {"level": "../novice"},
        {"level": "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")},
    ],
)
def test_forms_with_nonsense_set_no_table(site: Server, form: dict[str, str]) -> None:
    tables = site.request("/health").text
    answer = site.request("/play", form)
    assert answer.status == 409
    assert answer.headers.get_content_type() == "text/html"
    assert "Traceback" not in answer.text
    assert site.request("/health").text == tables


def test_a_form_that_is_no_form_is_read_as_an_empty_one(site: Server) -> None:
    for form in ({"bots": "²"}, {"bots": "-1"}, {"bots": "9" * 4000}, {"\ufffd": "\ufffd"}):
        assert site.request("/play", form).status == 303
