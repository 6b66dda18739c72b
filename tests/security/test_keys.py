import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from signal import SIGINT
from typing import Any

import pytest

from argentum.display.updates import view_json
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from tests.support.fakes import run
from tests.support.server import ProtocolClient, Server, connected, join_table, receive_until_closed


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.start()
        yield one
        one.stop()


# Tokens, and what an onlooker's is good for.


def test_keys_are_long_and_nowhere_but_in_the_link(tmp_path: Path) -> None:
    async def play(one: Server, table: str, key: str, **more: str) -> str:
        """All that a host hears on the way to the first choice."""
        async with join_table(one, table, key, **more) as host:
            await host.send(type="record")
            return json.dumps([host.state, await host.receive()])

    one = Server(str(tmp_path / "tables.db"))
    with (tmp_path / "stderr").open("w+b") as one.stderr:
        one.start()
        answers = [one.request("/play", {"name": "Ann"}) for _ in range(20)]
        links = [answer.headers["Location"].removeprefix("/table/").split("#") for answer in answers]
        hosts = [key for _, key in links]
        keys = [*hosts, *[derive_key(host, role) for host in hosts for role in ("B", "C", "D", "watch")]]
        assert len(set(keys)) == 100
        assert all(len(key) >= 32 for key in keys)
        table, host = links[0]
        page = one.request(f"/table/{table}")
        said = [page.text, str(page.headers), *[answer.text for answer in answers], one.request("/").text]
        told = [run(play(one, table, host)), run(play(one, table, host, format="html"))]
        said += [text.replace(derive_key(host, "watch"), "") for text in told]  # the host is told the invitation
        assert one.process is not None
        one.process.send_signal(SIGINT)
        said += [one.process.communicate()[0].decode(), (tmp_path / "stderr").read_text()]
    said += [file.read_bytes().decode("latin-1") for file in tmp_path.glob("tables.db*")]
    assert [(key, where) for key in keys for where, text in enumerate(said) if key in text] == []


def test_a_lobby_shows_the_invitation_to_the_host_alone(site: Server) -> None:
    """One link invites everybody. No page has the key of a seat: whoever takes one gets a key of their own."""

    async def first_page(table: str, key: str) -> str:
        async with connected(site) as socket:
            visitor = ProtocolClient(socket)
            await visitor.send(type="sit", table=table, key=key, format="html")
            return json.dumps(await visitor.receive())

    async def gather() -> None:
        table, host = site.new_table("/tables")
        seats = [derive_key(host, role) for role in "BCD"]
        invitation = derive_key(host, "watch")
        async with join_table(site, table, host, format="html") as client:
            await client.send(type="arrange", seats=4)
            page = ""
            while "seat-D" not in page:
                page = json.dumps(await client.receive())
        page = await first_page(table, host)
        assert f"/table/{table}#{invitation}" in page
        assert [one for one in (host, *seats) if one in page] == []
        async with connected(site) as socket:
            visitor = ProtocolClient(socket)
            await visitor.send(type="sit", table=table, key=invitation, format="html")
            page = json.dumps(await visitor.receive())
            assert [one for one in (host, invitation, *seats) if one in page] == []
            await visitor.send(type="take", seat="C", name="Cem")
            while (answer := await visitor.receive())["type"] != "seat":
                pass
        assert answer["key"] not in (host, invitation, *seats)
        for key in (seats[0], answer["key"], seats[2]):
            page = await first_page(table, key)
            assert [one for one in (host, invitation, answer["key"], *seats) if one in page] == []
        assert "no seat" in await first_page(table, seats[1]), "a seat that is taken has no other key"

    run(gather())


def test_keys_open_their_own_table_only(site: Server) -> None:
    async def knock(table: object, key: object) -> tuple[list[str], int | None]:
        async with connected(site) as socket:
            stranger = ProtocolClient(socket)
            await stranger.send(type="sit", table=table, key=key)
            heard, code = await receive_until_closed(socket)
        return [one.get("code", one["type"]) for one in heard], code

    table, host = site.new_table("/tables")
    other, _ = site.new_table("/tables")
    wrong = [(other, host), (other, derive_key(host, "watch")), (table, host[:-1]), (table, host + "A"), (table, "")]
    wrong += [
        (table, host.swapcase()),
        (table, "x" * 65),
        (table, "\ud800"),
        (table, derive_key(host, "C")),
        ("none", host),
    ]
    nonsense: list[tuple[object, object]] = [(table, None), (table, [host]), ([table], host), (table, True), ({}, {})]
    for where, key in [*wrong, *nonsense]:
        assert run(knock(where, key)) == (["no seat"], 1008), (where, key)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "move", "choice": 1, "move": "draw"},
        {"type": "arrange"},
        {"type": "arrange", "name": "Eve"},
        {"type": "arrange", "listed": True},
        {"type": "arrange", "seats": 4},
        {"type": "arrange", "seat": "B", "bot": "random"},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "swap", "number": 3, "box": "coin"},
        {"type": "record"},
        {"type": "sit", "table": "amber-oak"},
    ],
    ids=lambda message: " ".join(message),
)
@pytest.mark.parametrize("path", ["/tables", "/play"])
def test_a_spectator_cannot_change_anything(site: Server, path: str, message: dict[str, Any]) -> None:
    async def meddle() -> None:
        async with join_table(site, table, derive_key(host, "watch")) as onlooker:
            while onlooker.state["seq"] < seq:
                await onlooker.receive()
            await onlooker.send(**message)
            assert (await onlooker.next_error())["code"] == ("malformed" if message["type"] == "sit" else "refused")
            assert onlooker.state["seat"] == ""
            assert onlooker.state["seats"][0]["here"] is False
        async with join_table(site, table, derive_key(host, "watch")) as onlooker:
            assert onlooker.state["seq"] == seq

    table, host = site.new_table(path)
    seq = {"/tables": 1, "/play": 4}[path]  # the table; its game, and the first look of two bots
    run(meddle())


def test_a_spectator_sees_only_faceup_cards(site: Server) -> None:
    async def watch() -> None:
        table, host = site.new_table("/play", bots="1", level="random")
        async with (
            join_table(site, table, host) as player,
            join_table(site, table, derive_key(host, "watch")) as onlooker,
        ):
            random = Random(5)
            log = SqlJournal.open(site.database)
            for _ in range(30):
                while not player.has_open_choice:
                    await player.receive()
                while onlooker.state["seq"] < player.state["seq"]:
                    await onlooker.receive()
                game = Room.from_entries(table, log.entries(table)[: onlooker.state["seq"]], log, Timing()).game
                assert game is not None
                assert onlooker.state["view"] == json.loads(view_json(game.view()))
                assert onlooker.state["choice"] is None
                faces = [card for village in onlooker.state["view"]["villages"].values() for card in village]
                assert all(card["number"] is None or card.get("up") for card in faces)
                await player.play_random_move(random)
            await log.close()

    run(watch())


def test_a_kicked_stranger_does_not_come_back_by_an_old_link(tmp_path: Path) -> None:
    """Once the seats went down and up again, the old link opened the seat."""

    async def kick() -> None:
        registry = RoomRegistry(SqlJournal.open(str(tmp_path / "tables.db")))
        room, host = await registry.create(new_arrangement(opponents=2))
        old = []
        for lock in range(3):
            key = derive_key(host, "C", lock)
            assert room.access.role_for_key(key) == "C"
            await room.claim_seat(f"stranger {lock}", "Bo")  # (seat B, then C)
            if not room.arrangement.seats[2].claimed:
                await room.claim_seat(f"another {lock}", "Cy")
            old += [key, f"stranger {lock}", f"another {lock}"]
            for seats in (2, 3):
                await room.arrange("A", {"seats": seats}, host)
            assert room.access.role_for_key(f"another {lock}") == ""
            assert [one for one in old if room.access.role_for_key(one) == "C"] == []
        await registry.close()
        await registry.log.close()

    asyncio.run(kick())
