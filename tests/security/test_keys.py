import asyncio
import json
from pathlib import Path
from random import Random
from signal import SIGINT
from typing import Any

import pytest

from argentum.display.updates import view_json
from argentum.rooms import lobby
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from tests.support.fakes import run
from tests.support.server import ProtocolClient, Server, join_table, open_socket, receive_until_closed


def test_keys_are_long_and_appear_only_in_the_link(tmp_path: Path) -> None:
    async def messages_to(server: Server, table: str, key: str, **more: str) -> str:
        async with join_table(server, table, key, **more) as host:
            await host.send(type="record")
            return json.dumps([host.state, await host.receive()])

    server = Server(str(tmp_path / "tables.db"))
    with (tmp_path / "stderr").open("w+b") as server.stderr:
        server.start()
        answers = [server.request("/play", {"name": "Ann"}) for _ in range(20)]
        links = [answer.headers["Location"].removeprefix("/table/").split("#") for answer in answers]
        hosts = [key for _, key in links]
        keys = [*hosts, *[derive_key(host, role) for host in hosts for role in ("B", "C", "D", "watch")]]
        assert len(set(keys)) == 100
        assert all(len(key) >= 32 for key in keys)
        table, host = links[0]
        page = server.request(f"/table/{table}")
        texts = [page.text, str(page.headers), *[answer.text for answer in answers], server.request("/").text]
        received = [run(messages_to(server, table, host)), run(messages_to(server, table, host, format="html"))]
        texts += [text.replace(derive_key(host, "watch"), "") for text in received]  # The host sees the invitation.
        assert server.process is not None
        server.process.send_signal(SIGINT)
        texts += [server.process.communicate()[0].decode(), (tmp_path / "stderr").read_text()]
    texts += [file.read_bytes().decode("latin-1") for file in tmp_path.glob("tables.db*")]
    assert [(key, index) for key in keys for index, text in enumerate(texts) if key in text] == []


def test_a_lobby_shows_the_invitation_only_to_the_host_and_no_seat_key_to_anyone(server: Server) -> None:
    async def first_message(table: str, key: str) -> str:
        async with open_socket(server) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=table, key=key, format="html")
            return json.dumps(await client.receive())

    async def open_lobby() -> None:
        table, host = server.new_table("/tables")
        seats = [derive_key(host, role) for role in "BCD"]
        invitation = derive_key(host, "watch")
        async with join_table(server, table, host, format="html") as client:
            await client.send(type="arrange", seats=4)
            page = ""
            while "seat-D" not in page:
                page = json.dumps(await client.receive())
        page = await first_message(table, host)
        assert f"/table/{table}#{invitation}" in page
        assert [secret for secret in (host, *seats) if secret in page] == []
        async with open_socket(server) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=table, key=invitation, format="html")
            page = json.dumps(await client.receive())
            assert [secret for secret in (host, invitation, *seats) if secret in page] == []
            await client.send(type="claim_seat", seat="C", name="Cem")
            while (answer := await client.receive())["type"] != "seat":
                pass
        assert answer["key"] not in (host, invitation, *seats)
        for key in (seats[0], answer["key"], seats[2]):
            page = await first_message(table, key)
            assert [secret for secret in (host, invitation, answer["key"], *seats) if secret in page] == []
        assert "no seat" in await first_message(table, seats[1]), "a claimed seat has no other key"

    run(open_lobby())


def test_a_key_opens_only_its_own_table(server: Server) -> None:
    async def join(table: object, key: object) -> tuple[list[str], int | None]:
        async with open_socket(server) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=table, key=key)
            messages, code = await receive_until_closed(socket)
        return [message.get("code", message["type"]) for message in messages], code

    table, host = server.new_table("/tables")
    other, _ = server.new_table("/tables")
    wrong = [(other, host), (other, derive_key(host, "watch")), (table, host[:-1]), (table, host + "A"), (table, "")]
    wrong += [
        (table, host.swapcase()),
        (table, "x" * 65),
        (table, "\ud800"),
        (table, derive_key(host, "C")),
        ("none", host),
    ]
    malformed: list[tuple[object, object]] = [(table, None), (table, [host]), ([table], host), (table, True), ({}, {})]
    for table_name, key in [*wrong, *malformed]:
        assert run(join(table_name, key)) == (["no seat"], 1008), (table_name, key)


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
        {"type": "join", "table": "amber-oak"},
    ],
    ids=lambda message: " ".join(message),
)
@pytest.mark.parametrize("path", ["/tables", "/play"])
def test_a_spectator_cannot_change_anything(server: Server, path: str, message: dict[str, Any]) -> None:
    async def send() -> None:
        async with join_table(server, table, derive_key(host, "watch")) as spectator:
            while spectator.state["seq"] < seq:
                await spectator.receive()
            await spectator.send(**message)
            assert (await spectator.next_error())["code"] == ("malformed" if message["type"] == "join" else "refused")
            assert spectator.state["seat"] == ""
            assert spectator.state["seats"][0]["here"] is False
        async with join_table(server, table, derive_key(host, "watch")) as spectator:
            assert spectator.state["seq"] == seq

    table, host = server.new_table(path)
    seq = {"/tables": 1, "/play": 4}[path]  # /play also starts the game and makes the first looks of two bots.
    run(send())


def test_a_spectator_sees_only_faceup_cards(server: Server) -> None:
    async def watch() -> None:
        table, host = server.new_table("/play", bots="1", level="random")
        async with (
            join_table(server, table, host) as player,
            join_table(server, table, derive_key(host, "watch")) as spectator,
        ):
            random = Random(5)
            log = SqlJournal.open(server.database)
            for _ in range(30):
                while not player.has_open_choice:
                    await player.receive()
                while spectator.state["seq"] < player.state["seq"]:
                    await spectator.receive()
                game = Room.from_entries(table, log.entries(table)[: spectator.state["seq"]], log, Timing()).game
                assert game is not None
                assert spectator.state["view"] == json.loads(view_json(game.view()))
                assert spectator.state["choice"] is None
                faces = [card for village in spectator.state["view"]["villages"].values() for card in village]
                assert all(card["number"] is None or card.get("up") for card in faces)
                await player.play_random_move(random)
            await log.close()

    run(watch())


def test_an_old_key_does_not_open_a_seat_that_was_removed_and_added(tmp_path: Path) -> None:
    async def main() -> None:
        registry = RoomRegistry(SqlJournal.open(str(tmp_path / "tables.db")))
        room, host = await registry.create(new_arrangement(opponents=2))
        old_keys = []
        for key_version in range(3):
            key = derive_key(host, "C", key_version)
            assert room.keys.role_for_key(key) == "C"
            await room.claim_seat(f"stranger {key_version}", "Bo")  # Takes seat B, then C.
            if not room.arrangement.seats[2].claimed:
                await room.claim_seat(f"another {key_version}", "Cy")
            old_keys += [key, f"stranger {key_version}", f"another {key_version}"]
            for seats in (2, 3):
                await lobby.arrange(room, "A", {"seats": seats}, host)
            assert room.keys.role_for_key(f"another {key_version}") == ""
            assert [key for key in old_keys if room.keys.role_for_key(key) == "C"] == []
        await registry.close()
        await registry.log.close()

    asyncio.run(main())
