"""Random invalid messages, frames, requests and names do no harm."""

import asyncio
import json
import re
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from starlette.requests import Request
from websockets.exceptions import ConnectionClosed

from argentum.display.replay import Replay, game_positions
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import Rematch, new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.messages import MAX_MESSAGE_LENGTH
from argentum.rooms.names import MAX_NAME_LENGTH, clean_name
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.web.pages.page_diff import FragmentDecoder
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.server.run import MAX_FRAME_BYTES
from argentum.web.settings import Settings
from argentum.web.site import Site
from argentum.web.sockets.readers import MESSAGES, PageState, missing_step
from tests.random_games import random_move
from tests.support.fakes import StubConnection
from tests.support.room import add_connection, begin_game, make_room, set_rounds_seen, state_of
from tests.support.scenes import page_updates
from tests.support.server import TIMEOUT, ProtocolClient, Server, join_table, open_socket

BATCHES = 15
MESSAGE_COUNT = 50  # from one connection in a batch: fewer than the rate limit allows
INTERNALS = re.compile(r"Traceback|Error\b|Exception|argentum\.|0x[0-9a-f]{6}|NoneType|line \d|\.py\b|__")

Message = str | bytes

SURROGATE = "\ud800"  # which JSON can encode and UTF-8 cannot
TEXTS = [
    "",
    " ",
    "\x00",
    SURROGATE,
    "\u202e",
    "🐺" * 50,
    "'; DROP TABLE entries; --",
    "<script>",
    "x" * 3000,
    "../..",
    "A",
]
VALUES: list[Any] = [None, True, False, 0, -1, 2**70, -(2**63), 1.5, 1e308, [], {}, [[]], {"a": {}}, *TEXTS]
WRONG_MOVES = ["", "draw draw", "peek", "peek C1 C2", "peek A1 A1", "exchange", "exchange A0", "exchange A99", "take 9"]
WRONG_MOVES += [
    "use 99",
    "give A1",
    "ability",
    "ability Z1",
    "rotate",
    "call call",
    "resign",
    "at",
    "at 1",
    "and A1",
    "0",
]
WRONG_MOVES += [*TEXTS[1:-1], "draw\x00", "d\u0312raw", "\uff44raw", "peek A² A³", "exchange " + "A1 " * 1000]
WRONG_ARRANGEMENTS: dict[str, list[Any]] = {
    "boxes": ["", "silver", "d" * 13, "d" * 15, "BULLET COIN"],
    "token": ["silver", "Dagger"],
    "seats": [0, 1, 5, -2, 2.0, "3", 10**30],
    "seat": ["A", "E", "", "AB", "a"],
    "memory": [0, 1, "true"],
    "seconds": [1, -30, 30.0, "²", "1e1"],
    "listed": ["yes", 1],
    "name": ["", " \n", "\x00", "a\x07b", "\u202eeve", "\u200b", SURROGATE],
}


def random_value(random: Random, depth: int = 0) -> Any:
    """Return a random JSON value."""
    kind = random.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return "".join(random.choices("abA1{}[]\\\"'<&\u202e☾", k=random.randrange(9)))
    if kind < 5:
        return random.choice(VALUES)
    if kind == 5:
        return [random_value(random, depth + 1) for _ in range(random.randrange(4))]
    keys = random.choices([*MESSAGES, "type", "", SURROGATE, "choice"], k=random.randrange(4))
    return {key: random_value(random, depth + 1) for key in keys}


def invalid_json(random: Random) -> Message:
    """Return a message that is not a JSON object."""
    valid = json.dumps({"type": "move", "choice": 1, "move": "draw"})
    cut = random.randrange(len(valid) - 1)
    short = ["", "{", "null", "[]", "0", '"join"', "NaN", "[" * 4000, '{"type":' * 500, "\x00", "\ufeff{}", "{}{}"]
    damaged = [valid[:cut], valid[cut + 1 :], valid + valid, valid.replace('"', "'"), '{"type":' + "9" * 4000 + "}"]
    long = [" " * (MAX_MESSAGE_LENGTH + 1), "x" * (MAX_FRAME_BYTES - 20)]
    kinds: list[Message] = [*short, *damaged, *long, random.randbytes(random.randrange(60)), valid.encode()]
    return random.choice(kinds)


def unknown_message(random: Random) -> Message:
    """Return a JSON object of an unknown type or with unknown or missing fields."""
    kind = random.choice([*MESSAGES, "Move", "", "admin", "__class__", "eval", SURROGATE])
    message = {"type": random.choice([kind, kind, random_value(random)]), "never": random_value(random)}
    return json.dumps(
        random.choice([message, {"type": "move"}, {"type": "swap"}, {"type": "round_seen"}, {"type": "join"}, {}])
    )


def refused_message(random: Random) -> Message:
    """Return a well-formed message that is refused because of its values, or because a game is running."""
    field = random.choice(list(WRONG_ARRANGEMENTS))
    value = random.choice(
        WRONG_ARRANGEMENTS[field] if field == "name" else [*WRONG_ARRANGEMENTS[field], random_value(random)]
    )
    refused = [
        {"type": "arrange"},
        {"type": "arrange", field: value},
        {"type": "arrange", "seat": "B", "bot": random.choice(["", "random", None, SURROGATE])},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "swap", "number": random_value(random), "box": random_value(random)},
        {"type": "join", "table": random_value(random), "key": random_value(random)},
        {"type": "round_seen", "round": random.choice(TEXTS)},
        {"type": "show_replay", "at": random.choice(["x", "", "-1", 1.5, [], {}, True, SURROGATE])},
    ]
    return json.dumps(random.choice(refused))


def stale_move(random: Random, choice: int | None) -> Message:
    """Return a move that answers a choice other than the current one."""
    other = random.choice([*VALUES, 10**6, str(choice), *range(choice or 0)])
    return json.dumps({"type": "move", "choice": other, "move": random.choice(["draw", "take", "call", "peek A1 A2"])})


def illegal_move(random: Random, choice: int | None) -> Message:
    """Return an answer to the current choice that is an illegal move or no move at all."""
    move: Any = random.choice([*WRONG_MOVES, None, 7, [], {}, True])
    return json.dumps({"type": "move", "choice": choice, "move": move, "id": random_value(random)})


def invalid_message(random: Random, choice: int | None) -> Message:
    without_choice = [invalid_json(random), unknown_message(random), refused_message(random)]
    return random.choice([*without_choice, stale_move(random, choice), illegal_move(random, choice)])


def check_error(error: dict[str, Any]) -> None:
    """Check that an error has a known code and a short text without internals of the server."""
    assert error.keys() <= {"type", "code", "message", "seq", "id"}, error
    assert error["code"] in ("malformed", "refused", "stale", "no seat"), error
    assert 10 < len(error["message"]) < 1000, error
    assert not INTERNALS.search(error["message"]), error


async def send_invalid(client: ProtocolClient, messages: list[Message]) -> None:
    """Send messages, and check that each is answered by an error."""
    for message in messages:
        await client.socket.send(message)
    for _ in messages:
        try:
            check_error(await asyncio.wait_for(client.next_error(), TIMEOUT))
        except TimeoutError:
            pytest.fail(f"not every message was refused: {messages}")


async def attack_by_messages(server: Server, table: str, key: str, random: Random) -> None:
    """Send invalid messages after joining as a player or a spectator."""
    async with join_table(server, table, key) as client:
        choice = client.state["choice"]
        await send_invalid(client, [invalid_message(random, choice) for _ in range(MESSAGE_COUNT)])


async def attack_by_joining(server: Server, table: str, random: Random) -> None:
    """Send an invalid first message; check that the server sends an error and closes the connection."""
    keys = ["x", "x" * 32, SURROGATE, "ä", random_value(random), derive_key("", "A")]
    join_message = json.dumps(
        {"type": "join", "table": table, "key": random.choice(keys), "format": random_value(random)}
    )
    other = json.dumps(
        {"type": "join", "table": random_value(random), "key": random_value(random), "protocol": random_value(random)}
    )
    first = random.choice([invalid_json(random), unknown_message(random), refused_message(random), join_message, other])
    async with open_socket(server) as socket:
        await socket.send(first)
        check_error(json.loads(await socket.recv()))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


async def attack_by_frames(server: Server, table: str, key: str, random: Random) -> None:
    """Send a frame that is invalid, too large or not UTF-8, and wait until the connection is closed."""
    async with join_table(server, table, key) as client:
        with suppress(ConnectionClosed):
            match random.randrange(4):
                case 0:
                    await client.socket.send(b"\xff\xfe{}", text=True)
                case 1:
                    await client.socket.send("x" * (MAX_FRAME_BYTES + random.randrange(1, 10**6)))
                case 2:
                    await client.socket.send(["x" * 5000] * 10)
                case _:
                    client.socket.transport.write(b"\xff" + random.randbytes(100))
        with suppress(ConnectionClosed):
            async with asyncio.timeout(TIMEOUT):
                while True:
                    await client.receive()


class GamePlayers:
    """The clients of all players of a game, with a record of the acknowledged moves."""

    def __init__(self, clients: dict[str, ProtocolClient], random: Random) -> None:
        self.clients = clients
        self.random = random
        self.moves: list[tuple[str, str]] = []
        self.slowest = 0.0

    @property
    def is_over(self) -> bool:
        return all(client.state["stage"] == "over" for client in self.clients.values())

    async def play(self, count: int) -> None:
        """Make `count` moves, or fewer if the game ends."""
        target = len(self.moves) + count
        while len(self.moves) < target and not self.is_over:
            for seat, client in self.clients.items():
                while client.state["seq"] < max(other.state["seq"] for other in self.clients.values()):
                    await client.receive()
                if client.state["choice"] is not None:
                    await self._move(seat, client)

    async def _move(self, seat: str, client: ProtocolClient) -> None:
        legal = client.state["view"]["legal"]
        quick = [move for move in ("call", "draw", "discard", "stop", "end") if move in legal]
        move = quick[0] if quick and self.random.random() < 0.8 else self.random.choice(legal)
        if move.startswith("peek"):
            move = " ".join(["peek", *[option.split()[1] for option in self.random.sample(legal, 2)]])
        sent = time.monotonic()
        choice = client.state["choice"]
        await client.send(type="move", choice=choice, move=move, id=len(self.moves))
        while (message := await client.receive()).get("id") != len(self.moves):
            assert message.get("code", "too fast") == "too fast", message
            if message["type"] == "error":
                await asyncio.sleep(0.1)
                await client.send(type="move", choice=choice, move=move, id=len(self.moves))
                sent = time.monotonic()
        self.slowest = max(self.slowest, time.monotonic() - sent)
        self.moves.append((seat, move))
        while client.state["seq"] < message["seq"]:
            await client.receive()


def sent_moves(entries: list[Entry]) -> list[tuple[str, str]]:
    """Return the seat of each logged move, and its text in the notation in which clients send it."""
    moves = [(entry.body["seat"], entry.body["steps"]) for entry in entries if entry.kind == "move"]
    return [
        (seat, " ".join([first, *[step.removeprefix("and ") for step in rest if step != "done"]]))
        for seat, (first, *rest) in moves
    ]


@pytest.fixture
def quiet_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which fails if the server writes to standard error."""
    with (tmp_path / "stderr").open("w+b") as stderr:
        server = Server(str(tmp_path / "tables.db"), stderr=stderr)
        server.start()
        yield server
        stderr.seek(0)
        errors = stderr.read().decode()
        server.stop()
        assert errors == ""


def test_invalid_messages_during_a_game_change_nothing(quiet_server: Server) -> None:
    async def main() -> None:
        log = SqlJournal.open(quiet_server.database)
        table, host = quiet_server.new_table("/tables", name="Ann")
        keys = {"A": host, "B": derive_key(host, "B"), "watch": derive_key(host, "watch")}
        async with join_table(quiet_server, table, host) as ann, join_table(quiet_server, table, keys["B"]) as bob:
            await ann.send(type="start")
            for client in (ann, bob):
                while client.state["stage"] != "playing":
                    await client.receive()
            players = GamePlayers({"A": ann, "B": bob}, random)
            before = log.entries(table)
            for _ in range(BATCHES):
                joined = [attack_by_messages(quiet_server, table, key, random) for key in (*keys.values(), host)]
                strangers = [attack_by_joining(quiet_server, table, random) for _ in range(15)]
                frames = [attack_by_frames(quiet_server, table, key, random) for key in keys.values()]
                await asyncio.gather(players.play(12), *joined, *strangers, *frames)
                entries = log.entries(table)
                assert entries[: len(before)] == before
                assert sent_moves(entries) == players.moves
                assert len(entries) == len(before) + len(players.moves)
            await players.play(10**6)
        game = Room.from_entries(table, log.entries(table), log, Timing()).game
        assert game is not None
        assert game.over
        assert [(client.state["winner"], client.state["scores"]) for client in (ann, bob)] == [
            (game.winner, game.scores)
        ] * 2
        assert [seat["name"] for seat in ann.state["seats"]] == ["Ann", "Bramble"]
        assert players.slowest < TIMEOUT
        assert sent_moves(log.entries(table)) == players.moves
        await log.close()

    random = Random(7)
    asyncio.run(asyncio.wait_for(main(), 10 * TIMEOUT))
    assert quiet_server.request("/health").text == "ok, 1 tables\n"


def test_invalid_arrangements_change_nothing(quiet_server: Server) -> None:
    valid: dict[str, list[Any]] = {"memory": [True, False], "listed": [True, False], "token": [""], "seconds": [0]}

    async def arrange(field: str) -> None:
        wrong = [
            value for value in VALUES if not any(value is option for option in valid.get(field, ())) and field != "name"
        ]
        async with join_table(quiet_server, table, host) as client:
            before = client.state
            messages = [json.dumps({"type": "arrange", field: value}) for value in wrong + WRONG_ARRANGEMENTS[field]]
            await send_invalid(client, [*messages])
        async with join_table(quiet_server, table, host) as client:
            assert client.state == before

    table, host = quiet_server.new_table("/tables")
    for field in WRONG_ARRANGEMENTS:
        asyncio.run(arrange(field))


def test_random_bytes_do_not_stop_the_server(quiet_server: Server) -> None:
    for seed in range(50):
        with socket.create_connection(("127.0.0.1", quiet_server.port), TIMEOUT) as connection:
            connection.sendall(Random(seed).randbytes(300) + b"\r\n\r\n")
            connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                while connection.recv(4096):
                    pass
    assert quiet_server.request("/health").status == 200


MARKUP_NAMES = [
    "<script>alert(1)</script>",
    "<img src=x onerror=a>",
    "\"'><b x='",
    "' onclick='a()",
    "&lt;b&gt;",
    "{{ 7*7 }}",
]
MARKUP_NAMES += ["🐺🚀", "שלום", "</template><script>", "<!--", "${7*7}", "javascript:alert(1)"]
REFUSED_NAMES = [
    "\x00",
    "a\x07b",
    "\u202eeve",
    "a\u200fb",
    "\u200b",
    SURROGATE,
    "",
    " ",
    "\u2066x\u2069",
    "\ufeff",
    "\x1b[31m",
]


class ParsedHtml(HTMLParser):
    """The tags, attributes and text of a page, to compare pages by their markup."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: Counter[str] = Counter()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += tag != "bdi"  # <bdi> isolates only some names.
        self.attributes.update([name for name, _ in attrs])
        self.text += "".join([f" {value} " for _, value in attrs if value])

    def handle_data(self, data: str) -> None:
        self.text += data


ROLES = (("B", False), ("watch", False), ("watch", True))  # a role, and whether it has chosen to watch only
REVIEWED = {
    "at": 30, "round": 1, "agreed": False, "played": "Draw", "better": "Take", "chance": 0.1, "error": 0.02,
    "sure": True, "points": 1.0, "standing": 0.3, "yours_at": ["B1"], "better_at": ["B2"], "left_out": 0,
}  # fmt: skip


async def pages_with_names(names: tuple[str, str]) -> dict[str, ParsedHtml]:
    """Return the pages of a table at which two players have these names, keyed by kind of page and role."""
    arrangement = new_arrangement(opponents=2).with_name(0, names[0]).with_name(1, names[1]).with_claimed(1)
    room = make_room(replace(arrangement, listed=True))
    add_connection(room, StubConnection("A"))
    registry = RoomRegistry(cast(SqlJournal, None))
    registry.rooms[room.name] = room
    limiter = ConnectionLimiter(Limits())
    unused: Any = None
    site = Site(registry, PageRenderer(), Settings(), limiter, unused, unused)
    home = await site.home(cast(Request, None))
    pages = {"home": bytes(home.body).decode()}

    def add_pages(state: PageState, roles: Sequence[tuple[str, bool]] = ROLES) -> None:
        session = state_of(room).last_session
        if session is not None:
            session.revision += 1
        for role, is_watching in roles:
            shown = replace(state.copy(), watching=is_watching)
            step = missing_step(room, role, shown)
            if step is not None:
                shown.built = step, Replay.build(game_positions(game), step.move_count, step.viewer)
            for text in page_updates(room, role, "", shown):
                page = json.loads(text)
                pages[f"{page['page']} {role}"] = " ".join(FragmentDecoder().decode_parts(page).values())

    add_pages(PageState())
    game = Game.new("dagger", 3, 1, names=[seat.name for seat in room.arrangement.seats])
    begin_game(room, game)
    random = Random(1)
    while not game.rounds_finished:
        game.play(random_move(game, random))
        if not game.rounds_finished and "table B" not in pages and len(game.history()) > 30:
            add_pages(PageState())
            add_pages(PageState(local_seats=("C",)), ROLES[:1])
    add_pages(PageState())
    while not game.over:
        game.play(random_move(game, random))
    set_rounds_seen(room, game.rounds_finished)
    seen = PageState(rounds_seen=game.rounds_finished, game_number=1)
    add_pages(seen)
    add_pages(replace(seen, replay_index=30))
    add_pages(replace(seen, review=[REVIEWED], decision_index=0), ROLES[:1])
    state_of(room).arrangement = replace(
        room.arrangement, rematch=Rematch(arrangement.deck_code, "A", {"B": (3, "coin")})
    )
    pages |= {f"first {kind}": html for kind, html in pages.items() if kind.startswith("lobby")}
    add_pages(PageState())
    return {kind: ParsedHtml(html) for kind, html in pages.items()}


def test_markup_in_names_is_escaped_on_every_page() -> None:
    plain = asyncio.run(pages_with_names(("Ann", "Bob")))
    kinds = {
        "home", "invitation", "lobby", "first", "pass_device", "table", "round_end", "game_end", "replay", "review",
    }  # fmt: skip
    assert {kind.split()[0] for kind in plain} == kinds
    for names in zip(MARKUP_NAMES[::2], MARKUP_NAMES[1::2], strict=True):
        for kind, page in asyncio.run(pages_with_names(names)).items():
            shown = names[1:] if kind.startswith("pass_device") else names  # This page names only the next player.
            assert all(clean_name(name) in page.text for name in shown), (names, kind)
            assert (page.tags, page.attributes) == (plain[kind].tags, plain[kind].attributes), (names, kind)


def test_refused_names_change_nothing(quiet_server: Server) -> None:
    async def rename() -> None:
        async with (
            join_table(quiet_server, table, host) as client,
            join_table(quiet_server, table, host, format="html") as page,
        ):
            assert page.state == {}
            names = [*REFUSED_NAMES, "x" * 10_000]
            await send_invalid(client, [json.dumps({"type": "arrange", "name": name}) for name in names])
        async with join_table(quiet_server, table, host) as client:
            assert client.state["seats"][0]["name"] == "Ann"
            assert client.state["seq"] == 1

    table, host = quiet_server.new_table("/tables", name="Ann")
    asyncio.run(rename())
    for name in REFUSED_NAMES:
        if name.strip() and name != SURROGATE:
            assert quiet_server.request("/tables", {"name": name}).status == 409
    assert quiet_server.request("/health").text == "ok, 1 tables\n"


def test_long_names_are_truncated() -> None:
    assert clean_name("x" * 10_000) == "x" * MAX_NAME_LENGTH
    assert clean_name("  a \n\t b\u2028c ") == "a b c"
