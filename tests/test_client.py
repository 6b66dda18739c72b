"""The client of the protocol, against real servers and against one that fails on purpose."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from argentum import View, client, records
from argentum.client import (
    Acknowledgement,
    ConnectionLost,
    SyncTableClient,
    TableClient,
    TableError,
    TableLink,
    Update,
    create_table,
)
from tests.support.server import TIMEOUT, Server, server, shared_server

__all__ = ["server", "shared_server"]


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RETRY_SECONDS", (0.01, 0.02))


def run(main: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(TIMEOUT):
            await main()

    asyncio.run(limited())


def choose(view: View) -> str:
    """Return a move that ends rounds soon."""
    legal = [str(move) for move in view.legal]
    if legal[0].startswith("peek"):
        return f"peek {view.seat}1 {view.seat}2"
    return next((move for move in ("call", "draw", "discard", "stop", "end") if move in legal), legal[0])


async def play_to_end(table: TableClient) -> Update:
    answered = None
    async for update in table.updates():
        if update.stage == "over":
            break
        if update.view is not None and update.choice not in (None, answered):
            answered = update.choice
            await table.play(choose(update.view))
    return table.update


def test_a_program_creates_a_table_arranges_it_and_plays_a_whole_game(server: Server) -> None:
    table = create_table(server.origin, name="Ann", boxes="coin", seats=3, bots={"C": "novice"})
    assert table.own.server == server.origin
    assert [*table.seats] == ["B"]

    async def main() -> None:
        async with TableClient(table.own) as ann, TableClient(table.seats["B"], "Bo") as bo:
            assert (ann.update.stage, ann.update.seat, ann.update.view) == ("gathering", "A", None)
            assert ann.update.arrangement["boxes"] == "c" * 14
            assert ann.update.links.keys() == {"invite"}
            await ann.send("arrange", token="dagger")
            answer = await ann.send("start")
            assert (answer.held, answer.reply) == (False, None)
            ended, _ = await asyncio.gather(play_to_end(ann), play_to_end(bo))
            assert [seat.name for seat in ended.seats] == ["Ann", "Bo", "Cinder"]
            assert ended.winner in "ABC"
            assert len(ended.scores) == 4
            assert ended.view is not None
            assert ended.view.token == "dagger"
            record = (await ann.send("record")).reply
            assert record is not None
            assert records.read(record["text"]).over

    run(main)


def test_updates_have_every_event_and_the_scoring_of_rounds(server: Server) -> None:
    name, key = server.new_table(bots="1", boxes="dagger")

    async def main() -> None:
        kinds: list[str] = []
        scorings = 0
        async with TableClient(TableLink(server.origin, name, key)) as table:
            answered = None
            async for update in table.updates():
                kinds += [observed.event.kind for observed in update.events]
                scorings += update.round_scoring is not None
                if update.stage == "over":
                    break
                if update.view is not None and update.choice not in (None, answered):
                    answered = update.choice
                    await table.play(choose(update.view))
        assert (kinds.count("dealt"), kinds.count("scored"), scorings) == (4, 8, 4)

    run(main)


def test_errors_have_a_code_and_a_sentence(server: Server) -> None:
    name, key = server.new_table("/tables")
    link = TableLink(server.origin, name, key)

    async def error_of(awaitable: Awaitable[object]) -> TableError:
        with pytest.raises(TableError) as raised:
            await awaitable
        return raised.value

    async def main() -> None:
        async with TableClient(link) as table:
            refused = await error_of(table.send("arrange", seats=9))
            assert (refused.code, refused.sentence) == ("refused", str(refused))
            assert "2 to 4" in refused.sentence or "seats" in refused.sentence
            assert (await error_of(table.send("dance"))).code == "malformed"
            assert (await error_of(table.send("say", text="hi", volume=3))).code == "malformed"
            assert (await error_of(table.play("draw"))).code == "stale"
            await table.send("arrange", seats=3)  # the connection is still usable
            assert len(table.update.seats) == 3
        assert (await error_of(TableClient(link._replace(key="wrong")).__aenter__())).code == "no seat"
        assert (await error_of(TableClient(link._replace(table="no-table")).__aenter__())).code == "no seat"
        nobody = TableLink("http://127.0.0.1:9", "a")
        assert (await error_of(TableClient(nobody).__aenter__())).code == "unreachable"

    run(main)


def test_a_held_move_can_be_taken_back(server: Server) -> None:
    name, key = server.new_table(bots="1", boxes="dagger")

    async def main() -> None:
        async with TableClient(TableLink(server.origin, name, key)) as table:
            await table.play("peek A1 A2")
            while table.update.choice is None:
                await asyncio.sleep(0.01)
            choice = table.update.choice
            await table.play("take", hold=True)
            async for update in table.updates():
                if update.view is not None and update.view.holder == "A":
                    break
            await table.undo()
            async for update in table.updates():
                if update.view is not None and update.view.holder == "":
                    break
            assert table.update.choice == choice

    run(main)


def test_many_messages_wait_for_the_limit_of_the_server(server: Server) -> None:
    name, key = server.new_table("/tables")

    async def main() -> None:
        async with TableClient(TableLink(server.origin, name, key)) as table:
            answers = await asyncio.gather(*[table.send("pace", pace="fast") for _ in range(80)])
            assert len(answers) == 80

    run(main)


def test_an_invited_player_claims_a_seat_and_gets_its_link(server: Server) -> None:
    table = create_table(server.origin, name="Ann")

    async def main() -> None:
        async with TableClient(table.invitation) as guest:
            assert guest.update.seat == ""
            reply = (await guest.send("claim_seat", seat="B", name="Bo")).reply
            assert reply is not None
            async for update in guest.updates():
                if update.seat == "B":
                    break
            assert guest.link == table.own._replace(key=reply["key"])
            assert update.seats[1].name == "Bo"

    run(main)


def test_the_chat_arrives_as_messages(server: Server) -> None:
    table = create_table(server.origin, name="Ann")

    async def main() -> None:
        async with TableClient(table.own) as ann, TableClient(table.seats["B"], "Bo", chat=True) as bo:
            await ann.send("say", text="hello")
            async for message in bo.messages():
                if message["type"] == "talk" and message["lines"]:
                    break
            assert [line["text"] for line in message["lines"]] == ["hello"]

    run(main)


def test_a_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "tables.db"))
    server.start()
    name, key = server.new_table(bots="1", boxes="dagger")
    messages: list[dict[str, Any]] = []

    async def main() -> None:
        async with TableClient(TableLink(server.origin, name, key)) as table:
            await table.play("peek A1 A2")
            server.kill()
            await asyncio.to_thread(server.start)
            async for message in table.messages():
                messages.append(message)
                if message["type"] == "connection" and message["up"] and len(messages) > 1:
                    break
            assert (await play_to_end(table)).stage == "over"

    try:
        run(main)
    finally:
        server.stop()
    connections = [message["up"] for message in messages if message["type"] == "connection"]
    assert connections == [True, False, True]


def test_without_asyncio_the_game_is_played_the_same_way(server: Server) -> None:
    name, key = server.new_table(bots="1", boxes="dagger")
    answered = None
    with SyncTableClient(TableLink(server.origin, name, key)) as table:
        assert table.update.seat == "A"
        for update in table.updates():
            if update.stage == "over":
                break
            if update.view is not None and update.choice not in (None, answered):
                answered = update.choice
                assert not table.play(choose(update.view)).held
        with pytest.raises(TableError, match="no game"):
            table.undo()
    with pytest.raises(TableError), SyncTableClient(TableLink(server.origin, name, "wrong")):
        pass


# A server that fails on purpose.

UPDATE = {"type": "update", "table": "a", "seq": 1, "stage": "playing", "seat": "A", "seats": [], "arrangement": {}}


@asynccontextmanager
async def scripted_server(
    *connections: Callable[[ServerConnection], Awaitable[None]],
    status: HTTPStatus | None = None,
    aborted_request: int | None = None,
) -> AsyncIterator[TableLink]:
    """Run a server that handles each connection after its first message with the next function, the last ones alike.

    If `status` is given, the first request is refused with it. The request number `aborted_request` gets no answer.
    """
    handlers, requests = list(connections), []

    async def handle(connection: ServerConnection) -> None:
        assert json.loads(await connection.recv())["type"] == "join"
        await (handlers.pop(0) if len(handlers) > 1 else handlers[0])(connection)

    def refuse_first(connection: ServerConnection, request: Request) -> Response | None:
        requests.append(request)
        if len(requests) == aborted_request:
            connection.transport.close()
        return connection.respond(status, "") if status is not None and len(requests) == 1 else None

    async with serve(handle, "127.0.0.1", 0, process_request=refuse_first) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield TableLink(f"http://127.0.0.1:{port}", "a", "b")


async def send_update(connection: ServerConnection, **fields: object) -> None:
    await connection.send(json.dumps({**UPDATE, **fields}))


async def answer_moves(connection: ServerConnection) -> None:
    await send_update(connection, choice=3)
    async for text in connection:
        await connection.send(json.dumps({"type": "held", "id": json.loads(text)["id"], "seq": 1}))


async def close_after_move(connection: ServerConnection) -> None:
    await send_update(connection, choice=3)
    await connection.recv()
    await connection.close(1013, "try again")


async def close_at_once(connection: ServerConnection) -> None:
    await connection.close(1013, "try again")


def test_an_unanswered_move_is_sent_again_if_the_choice_is_still_open() -> None:
    async def main() -> None:
        async with scripted_server(close_after_move, answer_moves) as link, TableClient(link) as table:
            assert await table.play("draw") == Acknowledgement(held=True, seq=1)

    run(main)


def test_a_saved_move_is_not_sent_again() -> None:
    async def answer_nothing(connection: ServerConnection) -> None:
        await send_update(connection, choice=4, seq=9)
        await connection.recv()
        raise AssertionError("the client sent something")

    async def main() -> None:
        async with scripted_server(close_after_move, answer_nothing) as link, TableClient(link) as table:
            assert await table.play("draw") == Acknowledgement(held=False, seq=9)

    run(main)


def test_other_messages_are_not_sent_again() -> None:
    async def main() -> None:
        async with scripted_server(close_after_move, answer_moves) as link, TableClient(link) as table:
            with pytest.raises(ConnectionLost):
                await table.send("rematch")

    run(main)


def test_a_table_that_moves_to_another_server_is_joined_later() -> None:
    async def main() -> None:
        async with scripted_server(close_at_once, close_at_once, answer_moves) as link, TableClient(link) as table:
            assert table.update.choice == 3
        async with scripted_server(close_at_once) as link:
            with pytest.raises(TableError, match="try again"):
                await TableClient(link).__aenter__()

    run(main)


def test_a_proxy_that_has_no_server_for_a_moment_is_asked_again() -> None:
    async def main() -> None:
        async with scripted_server(answer_moves, status=HTTPStatus.BAD_GATEWAY) as link, TableClient(link) as table:
            assert table.update.seat == "A"
        async with scripted_server(answer_moves, status=HTTPStatus.NOT_FOUND) as link:
            with pytest.raises(TableError, match="is not a table's server"):
                await TableClient(link).__aenter__()

    run(main)


def test_a_server_that_dies_during_a_handshake_is_asked_again() -> None:
    async def main() -> None:
        async with (
            scripted_server(close_after_move, answer_moves, aborted_request=2) as link,
            TableClient(link) as table,
        ):
            assert await table.play("draw") == Acknowledgement(held=True, seq=1)

    run(main)


def test_messages_of_a_closed_client_fail() -> None:
    async def ignore(connection: ServerConnection) -> None:
        await send_update(connection, choice=3)
        await connection.wait_closed()

    async def main() -> None:
        async with scripted_server(ignore) as link:
            async with TableClient(link) as table:
                waiting = [asyncio.create_task(table.play("draw")), asyncio.create_task(table.send("start"))]
                await asyncio.sleep(0)
            waiting += [asyncio.create_task(table.play("draw")), asyncio.create_task(table.send("start"))]
            errors = await asyncio.gather(*waiting, return_exceptions=True)
            assert [str(error) for error in errors] == [
                "the client was closed",
                "the client was closed",
                "the client was closed",
                "there is no connection to the table",
            ]

    run(main)


def test_a_client_that_does_not_reconnect_ends_with_the_connection() -> None:
    async def main() -> None:
        async with scripted_server(close_after_move) as link, TableClient(link, reconnects=False) as table:
            with pytest.raises(ConnectionLost):
                await table.send("rematch")
            with pytest.raises(TableError, match="try again"):
                async for _ in table.messages():
                    pass

    run(main)


def test_a_client_that_the_server_refuses_later_ends() -> None:
    async def refuse(connection: ServerConnection) -> None:
        await send_update(connection)
        await connection.send(json.dumps({"type": "error", "code": "no seat", "message": "the seat was freed"}))
        await connection.close(1008, "no seat")

    async def main() -> None:
        async with scripted_server(refuse) as link, TableClient(link) as table:
            with pytest.raises(TableError, match="the seat was freed"):
                async for _ in table.updates():
                    pass

    run(main)


def test_a_message_that_came_too_fast_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TOO_FAST_SECONDS", 0.01)

    async def refuse_first_message(connection: ServerConnection) -> None:
        await send_update(connection)
        await connection.recv()
        await connection.send(json.dumps({"type": "error", "code": "too fast", "message": "slow down"}))
        number = json.loads(await connection.recv())["id"]
        await connection.send(json.dumps({"type": "done", "id": number, "seq": 1}))
        await connection.wait_closed()

    async def main() -> None:
        async with scripted_server(refuse_first_message) as link, TableClient(link) as table:
            assert (await table.send("undo")).seq == 1

    run(main)


def test_every_setting_of_a_new_table_is_applied(server: Server) -> None:
    settings = {
        "boxes": "bullet",
        "token": "coin",
        "seats": 4,
        "memory": True,
        "listed": True,
        "away": "day",
    }
    table = create_table(server.origin, name="Ann", bots={"B": "quick", "D": "steady"}, **settings)

    async def main() -> None:
        async with TableClient(table.own) as ann:
            arrangement = ann.update.arrangement
            assert {name: arrangement[name] for name in settings if name not in ("boxes", "seats")} == {
                name: value for name, value in settings.items() if name not in ("boxes", "seats")
            }
            assert arrangement["boxes"] == "b" * 14
            assert [seat.bot for seat in ann.update.seats] == ["", "quick", "", "steady"]

    run(main)


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"seats": 5}, "refused", "seats"),
        ({"bots": {"B": "stedy"}}, "refused", "stedy"),
        ({"bots": {"A": "steady"}}, "refused", "host"),
        ({"bots": "steady"}, "malformed", "bots"),
        ({"name": 3}, "malformed", "name"),
        ({"colour": "red"}, "malformed", "colour"),
        ({"boxes": "x" * 5000}, "refused", "large"),
    ],
)
def test_a_table_with_invalid_settings_is_refused_with_a_sentence(
    server: Server, settings: dict[str, Any], code: str, words: str
) -> None:
    with pytest.raises(TableError, match=words) as raised:
        create_table(server.origin, **settings)
    assert raised.value.code == code


def test_creating_a_table_where_there_is_none_is_explained(server: Server) -> None:
    with pytest.raises(TableError, match="does not answer"):
        create_table("http://127.0.0.1:9")
    with pytest.raises(ValueError, match="not the address of a server"):
        create_table("silver.example")
    with pytest.raises(ValueError, match="not the address of a server"):
        create_table(f"{server.origin}/table/a#b")
    with pytest.raises(ValueError, match="not the address of a server"):
        create_table("http://silver.example:port")


def test_a_service_of_another_protocol_is_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:

        def answer() -> None:
            connection, _ = service.accept()
            connection.recv(10_000)
            connection.sendall(b"SSH-2.0-example\r\n")
            connection.close()

        thread = Thread(target=answer)
        thread.start()
        with pytest.raises(TableError, match="does not answer: SSH"):
            create_table(f"http://127.0.0.1:{service.getsockname()[1]}")
        thread.join()


def test_the_example_of_the_protocol_page_plays_a_game(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    page = Path("docs/protocol.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert "https://silver.example" in example
    exec(
        compile(example.replace("https://silver.example", server.origin), "docs/protocol.md", "exec"), {"__name__": ""}
    )
    assert re.fullmatch(r"[AB] wins\n", capsys.readouterr().out)


def test_random_moves_of_several_cards_are_answered(server: Server) -> None:
    name, key = server.new_table(bots="1", boxes="dagger")
    random = Random(1)
    with SyncTableClient(TableLink(server.origin, name, key)) as table:
        answered = None
        for update in table.updates():
            if len(update.scores) == 1:
                break
            if update.view is not None and update.choice not in (None, answered):
                answered = update.choice
                legal = [str(move) for move in update.view.legal]
                peeks = [move.split()[1] for move in legal if move.startswith("peek")]
                table.play(" ".join(["peek", *random.sample(peeks, 2)]) if peeks else random.choice(legal))
