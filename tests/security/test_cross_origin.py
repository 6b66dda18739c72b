import pytest
from websockets.exceptions import InvalidStatus

from tests.support.fakes import run
from tests.support.server import OTHER_ORIGIN, ProtocolClient, Server, open_socket


@pytest.mark.parametrize(
    "origin", [OTHER_ORIGIN, "null", "http://127.0.0.1:1", "http://127.0.0.1", "file://", "http://[x"]
)
def test_sockets_of_other_origins_are_refused(server: Server, origin: str) -> None:
    async def connect() -> None:
        with pytest.raises(InvalidStatus) as refusal:
            async with open_socket(server, origin=origin):
                pass
        assert refusal.value.response.status_code == 403

    run(connect())


def test_sockets_of_our_origin_or_without_one_are_accepted(server: Server) -> None:
    async def connect(origin: str | None) -> None:
        table, key = server.new_table("/tables")
        async with open_socket(server, origin=origin) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=table, key=key)
            assert (await client.next_update())["seat"] == "A"

    run(connect(server.origin))
    run(connect(None))


@pytest.mark.parametrize("path", ["/play", "/guide", "/tables", "/join/amber-oak"])
def test_forms_of_other_origins_are_refused(server: Server, path: str) -> None:
    tables = server.request("/health").text
    foreign_headers = (
        {"Origin": OTHER_ORIGIN},
        {"Origin": "null"},
        {"Origin": "http://[x"},
        {"Sec-Fetch-Site": "cross-site"},
    )
    for headers in foreign_headers:
        answer = server.request(path, {"name": "Ann"}, **headers)
        assert answer.status == 409
        assert "own pages" in answer.text
    assert server.request("/health").text == tables
    if path != "/join/amber-oak":
        assert server.request(path, {"name": "Ann"}, Origin=server.origin).status == 303


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
def test_invalid_forms_create_no_table(server: Server, form: dict[str, str]) -> None:
    tables = server.request("/health").text
    answer = server.request("/play", form)
    assert answer.status == 409
    assert answer.headers.get_content_type() == "text/html"
    assert "Traceback" not in answer.text
    assert server.request("/health").text == tables


def test_unknown_fields_and_invalid_numbers_in_forms_are_replaced_by_defaults(server: Server) -> None:
    for form in ({"bots": "²"}, {"bots": "-1"}, {"bots": "9" * 4000}, {"\ufffd": "\ufffd"}):
        assert server.request("/play", form).status == 303
