"""Guests who take more than their share: seats, places to watch from, records, names that nobody can see."""

import asyncio
import gzip
import socket
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from argentum.display.errors import Refused
from argentum.rooms.access import derived
from argentum.rooms.limits import Limits
from argentum.rooms.names import NAME, clean_name
from argentum.terminal.sources.server import harmless
from tests.web.serving import PATIENCE, Client, Server, dialled, seated


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("public")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.options = ("--bot-pause", "0", "--public-url", f"http://127.0.0.1:{one.port}")
        one.start()
        yield one
        one.stop()


async def opened(server: Server, table: str, host: str, stack: AsyncExitStack) -> Client:
    client = await stack.enter_async_context(seated(server, table, host))
    await client.say(type="arrange", seats=4, listed=True)
    while len(client.state["seats"]) < 4:
        await client.hear()
    return client


def test_one_person_takes_one_seat_of_an_open_table(public: Server) -> None:
    async def take() -> None:
        table, host = public.new_table("/tables")
        async with AsyncExitStack() as stack:
            await opened(public, table, host, stack)
            answers = [await asyncio.to_thread(public.ask, f"/join/{table}", {}, "127.7.0.1") for _ in range(3)]
            assert [answer.status for answer in answers] == [303, 409, 409]
            assert "at your address has a seat there already" in answers[1].text
            assert (await asyncio.to_thread(public.ask, f"/join/{table}", {}, "127.7.0.2")).status == 303

    asyncio.run(asyncio.wait_for(take(), PATIENCE))


def test_an_onlooker_takes_one_seat_with_or_without_a_link(public: Server) -> None:
    async def take() -> None:
        table, host = public.new_table("/tables")

        async def asks(*seats: str, key: str = "", device: str = "") -> list[str]:
            """What a new onlooker gets for each seat that it asks for."""
            async with dialled(public, local_addr=("127.7.0.9", 0)) as raw:
                client = Client(raw)
                more = {"format": "html", "device": device} if device else {}
                await client.say(type="sit", table=table, key=key, **more)
                for seat in seats:
                    await client.say(type="take", seat=seat, name="Eve")
                answers: list[str] = []
                while len(answers) < len(seats):
                    message = await client.hear()
                    if message["type"] in ("seat", "error"):
                        answers.append(message["type"])
                return answers

        async with AsyncExitStack() as stack:
            await opened(public, table, host, stack)
            assert await asks("B", "C") == ["seat", "error"]  # by one connection
            assert await asks("C") == ["error"]  # from one address, without a link
            watch = derived(host, "watch")
            assert await asks("C", key=watch, device="laptop") == ["seat"]  # a friend in the same house
            assert await asks("D", key=watch, device="laptop") == ["error"]
            assert await asks("D", key=watch, device="phone") == ["seat"]

    asyncio.run(asyncio.wait_for(take(), PATIENCE))


def test_onlookers_without_a_link_leave_places_for_those_with_one(public: Server) -> None:
    async def crowd() -> None:
        table, host = public.new_table("/tables")
        async with AsyncExitStack() as stack:
            await opened(public, table, host, stack)
            codes = []
            for nth in range(Limits.onlookers_per_address + 1):
                raw = await stack.enter_async_context(dialled(public, local_addr=("127.7.0.3", 0)))
                client = Client(raw)
                await client.say(type="sit", table=table)
                codes.append((await client.hear()).get("code", ""))
                assert nth < Limits.onlookers_per_address or codes[-1] == "full"
            assert codes[:-1] == [""] * Limits.onlookers_per_address
            invited = await stack.enter_async_context(seated(public, table, derived(host, "watch")))
            assert invited.state["type"] == "update"

    asyncio.run(asyncio.wait_for(crowd(), PATIENCE))


def test_records_are_not_asked_for_without_end(public: Server) -> None:
    async def ask() -> None:
        async with seated(public, *public.new_table("/play")) as client:
            most = 3 * Limits.record_burst  # on a slow machine, some are admitted meanwhile
            for _ in range(most):
                await client.say(type="record")
            kinds: list[str] = []
            while len(kinds) < most:
                message = await client.hear()
                if message["type"] in ("record", "error"):
                    kinds.append(message["type"])
            assert kinds[: Limits.record_burst] == ["record"] * Limits.record_burst
            assert "error" in kinds

    asyncio.run(asyncio.wait_for(ask(), PATIENCE))


def test_other_hosts_are_refused(public: Server) -> None:
    assert public.ask("/").status == 200
    assert public.ask("/", Host="evil.example").status == 421
    assert public.ask("/tables", {}, Host="evil.example", Origin="http://evil.example").status == 421
    assert public.ask("/health", Host="10.0.0.7:8420").status == 200  # whoever watches asks by address

    async def ring() -> None:
        with pytest.raises(InvalidStatus):
            await dialled(public, additional_headers={"Host": "evil.example"})

    asyncio.run(ring())


def test_the_rules_are_packed_once(public: Server) -> None:
    packed = public.ask("/rules", None, **{"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == public.ask("/rules").body


def test_an_aborted_form_leaves_one_line(public: Server) -> None:
    complaints = Path(public.database).parent / "stderr"
    before = complaints.read_text()
    with closing(socket.create_connection(("127.0.0.1", public.port))) as raw:
        head = f"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:{public.port}\r\nContent-Length: 50\r\n\r\nname="
        raw.sendall(head.encode())
    until = time.monotonic() + PATIENCE
    while complaints.read_text() == before:
        assert time.monotonic() < until
    lines = complaints.read_text().removeprefix(before)
    assert lines.count("\n") == 1
    assert "a client left before its request was complete" in lines


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u0301", "Ann\u3164", "\u115f", "\u00ad"])
def test_names_that_nobody_can_see_are_refused(name: str) -> None:
    with pytest.raises(Refused):
        clean_name(name)


@pytest.mark.parametrize("name", ["Ann", "Zoë", "王", "Ω 3", "🦊"])
def test_other_names_are_not(name: str) -> None:
    assert clean_name(name) == name


def test_tables_have_names_that_nobody_guesses(public: Server) -> None:
    names = {public.new_table("/tables")[0] for _ in range(5)}
    assert all([NAME.fullmatch(name) and len(name.rsplit("-", 1)[1]) == 6 for name in names])


def test_control_characters_of_a_server_do_not_reach_the_terminal() -> None:
    said = {"type": "update", "seats": [{"name": "\x1b]0;owned\x07Ann\x9b2J"}], "text": "a\nb\u202e"}
    assert harmless(said) == {
        "type": "update",
        "seats": [{"name": "\ufffd]0;owned\ufffdAnn\ufffd2J"}],
        "text": "a\nb\ufffd",
    }


def test_a_seats_link_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from argentum.cli import main

    (tmp_path / "link").write_text("nonsense-in-a-file\n")
    assert "nonsense-in-a-file" in CliRunner().invoke(main, ["join", "--link-file", str(tmp_path / "link")]).output
    assert "from-env" in CliRunner().invoke(main, ["join"], env={"ARGENTUM_LINK": "from-env"}).output
    asked = CliRunner().invoke(main, ["join"], input="typed-in\n").output
    assert "The link: " in asked
    none = CliRunner().invoke(main, ["join"])
    assert (none.exit_code, "Error: there is no link: give it after `join`" in none.output) == (2, True)
