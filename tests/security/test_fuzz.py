"""Thousands of messages that make no sense, from all sides, while a game goes on and finishes."""

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
from argentum.rooms.messages import MAX_MESSAGE_LENGTH, REGISTRY
from argentum.rooms.names import MAX_NAME_LENGTH, clean_name
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.engine import random_move
from argentum.rules.game import Game
from argentum.web.pages.page_diff import FragmentDecoder
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.server.run import MAX_FRAME_BYTES
from argentum.web.settings import Settings
from argentum.web.site import Site
from argentum.web.sockets.readers import PageState, missing_step
from tests.support.server import TIMEOUT, ProtocolClient, Server, connected, join_table

BATCHES = 15
MESSAGES = 50  # of one connection in a batch: fewer than are too many
INSIDE = re.compile(r"Traceback|Error\b|Exception|argentum\.|0x[0-9a-f]{6}|NoneType|line \d|\.py\b|__")

Message = str | bytes


# What is sent.

HALF = "\ud800"  # half a character: JSON can say it, UTF-8 cannot
TEXTS = ["", " ", "\x00", HALF, "\u202e", "🐺" * 50, "'; DROP TABLE entries; --", "<script>", "x" * 3000, "../..", "A"]
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
    "name": ["", " \n", "\x00", "a\x07b", "\u202eeve", "\u200b", HALF],
}


def some(random: Random, depth: int = 0) -> Any:
    """Any value that JSON has."""
    kind = random.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return "".join(random.choices("abA1{}[]\\\"'<&\u202e☾", k=random.randrange(9)))
    if kind < 5:
        return random.choice(VALUES)
    if kind == 5:
        return [some(random, depth + 1) for _ in range(random.randrange(4))]
    keys = random.choices([*REGISTRY, "type", "", HALF, "choice"], k=random.randrange(4))
    return {key: some(random, depth + 1) for key in keys}


def broken(random: Random) -> Message:
    """No JSON object at all."""
    whole = json.dumps({"type": "move", "choice": 1, "move": "draw"})
    cut = random.randrange(len(whole) - 1)
    nothing = ["", "{", "null", "[]", "0", '"sit"', "NaN", "[" * 4000, '{"type":' * 500, "\x00", "\ufeff{}", "{}{}"]
    parts = [whole[:cut], whole[cut + 1 :], whole + whole, whole.replace('"', "'"), '{"type":' + "9" * 4000 + "}"]
    long = [" " * (MAX_MESSAGE_LENGTH + 1), "x" * (MAX_FRAME_BYTES - 20)]
    kinds: list[Message] = [*nothing, *parts, *long, random.randbytes(random.randrange(60)), whole.encode()]
    return random.choice(kinds)


def strange(random: Random) -> Message:
    """An object that is no message: an unknown type, unknown or missing fields."""
    kind = random.choice([*REGISTRY, "Move", "", "admin", "__class__", "eval", HALF])
    form = {"type": random.choice([kind, kind, some(random)]), "never": some(random)}
    return json.dumps(random.choice([form, {"type": "move"}, {"type": "swap"}, {"type": "seen"}, {"type": "sit"}, {}]))


def untimely(random: Random) -> Message:
    """Messages in good form that nobody may send while a game goes on, or not with these values."""
    field = random.choice(list(WRONG_ARRANGEMENTS))
    value = random.choice(WRONG_ARRANGEMENTS[field] if field == "name" else [*WRONG_ARRANGEMENTS[field], some(random)])
    forms = [
        {"type": "arrange"},
        {"type": "arrange", field: value},
        {"type": "arrange", "seat": "B", "bot": random.choice(["", "random", None, HALF])},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "swap", "number": some(random), "box": some(random)},
        {"type": "sit", "table": some(random), "key": some(random)},
        {"type": "seen", "round": random.choice(TEXTS)},
        {"type": "replay", "at": random.choice(["x", "", "-1", 1.5, [], {}, True, HALF])},
    ]
    return json.dumps(random.choice(forms))


def stale(random: Random, choice: int | None) -> Message:
    """A move for a choice that is past, or not yet there, or none."""
    other = random.choice([*VALUES, 10**6, str(choice), *range(choice or 0)])
    return json.dumps({"type": "move", "choice": other, "move": random.choice(["draw", "take", "call", "peek A1 A2"])})


def illegal(random: Random, choice: int | None) -> Message:
    """A move for the right choice that is not legal, or no move."""
    move: Any = random.choice([*WRONG_MOVES, None, 7, [], {}, True])
    return json.dumps({"type": "move", "choice": choice, "move": move, "id": some(random)})


def nonsense(random: Random, choice: int | None) -> Message:
    """Any of these."""
    loose = [broken(random), strange(random), untimely(random)]
    return random.choice([*loose, stale(random, choice), illegal(random, choice)])


# Who sends it.


def check_error(error: dict[str, Any]) -> None:
    """An error is for people: it says what is wrong, in a few words, and nothing of what is inside."""
    assert error.keys() <= {"type", "code", "message", "seq", "id"}, error
    assert error["code"] in ("malformed", "refused", "stale", "no seat"), error
    assert 10 < len(error["message"]) < 1000, error
    assert not INSIDE.search(error["message"]), error


async def attack(client: ProtocolClient, messages: list[Message]) -> None:
    """Send nonsense; each gets one error."""
    for message in messages:
        await client.socket.send(message)
    for _ in messages:
        try:
            check_error(await asyncio.wait_for(client.next_error(), TIMEOUT))
        except TimeoutError:
            pytest.fail(f"not every message was refused: {messages}")


async def attack_seated(server: Server, table: str, key: str, random: Random) -> None:
    """From a seat, or as an onlooker."""
    async with join_table(server, table, key) as client:
        choice = client.state["choice"]
        await attack(client, [nonsense(random, choice) for _ in range(MESSAGES)])


async def attack_unseated(server: Server, table: str, random: Random) -> None:
    """As a stranger who does not get a seat: one error, and the line is cut."""
    keys = ["x", "x" * 32, HALF, "ä", some(random), derive_key("", "A")]
    sit = json.dumps({"type": "sit", "table": table, "key": random.choice(keys), "format": some(random)})
    other = json.dumps({"type": "sit", "table": some(random), "key": some(random), "protocol": some(random)})
    first = random.choice([broken(random), strange(random), untimely(random), sit, other])
    async with connected(server) as socket:
        await socket.send(first)
        check_error(json.loads(await socket.recv()))
        with pytest.raises(ConnectionClosed) as end:
            await socket.recv()
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == 1008


async def attack_frames(server: Server, table: str, key: str, random: Random) -> None:
    """Below the messages: frames that are none, too large, or not UTF-8. The line is cut."""
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


# The game that goes on.


class Players:
    """Two people who play one game between them, and note every move that was acknowledged."""

    def __init__(self, clients: dict[str, ProtocolClient], random: Random) -> None:
        self.clients = clients
        self.random = random
        self.made: list[tuple[str, str]] = []
        self.slowest = 0.0

    @property
    def over(self) -> bool:
        return all(client.state["stage"] == "over" for client in self.clients.values())

    async def play(self, moves: int) -> None:
        """Make so many moves, if the game is not over before."""
        last = len(self.made) + moves
        while len(self.made) < last and not self.over:
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
            move = " ".join(["peek", *[one.split()[1] for one in self.random.sample(legal, 2)]])
        sent = time.monotonic()
        choice = client.state["choice"]
        await client.send(type="move", choice=choice, move=move, id=len(self.made))
        while (message := await client.receive()).get("id") != len(self.made):
            assert message.get("code", "too fast") == "too fast", message
            if message["type"] == "error":
                await asyncio.sleep(0.1)
                await client.send(type="move", choice=choice, move=move, id=len(self.made))
                sent = time.monotonic()
        self.slowest = max(self.slowest, time.monotonic() - sent)
        self.made.append((seat, move))
        while client.state["seq"] < message["seq"]:
            await client.receive()


def moves_in(entries: list[Entry]) -> list[tuple[str, str]]:
    """The moves of a log as they were sent."""
    moves = [(entry.body["seat"], entry.body["steps"]) for entry in entries if entry.kind == "move"]
    return [
        (seat, " ".join([first, *[step.removeprefix("and ") for step in rest if step != "done"]]))
        for seat, (first, *rest) in moves
    ]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Server]:
    """A server that must not complain of anything."""
    with (tmp_path / "stderr").open("w+b") as stderr:
        one = Server(str(tmp_path / "tables.db"), stderr=stderr)
        one.start()
        yield one
        stderr.seek(0)
        complaints = stderr.read().decode()
        one.stop()
        assert complaints == ""


def test_nonsense_from_all_sides_changes_nothing(watched: Server) -> None:
    async def main() -> None:
        log = SqlJournal.open(watched.database)
        table, host = watched.new_table("/tables", name="Ann")
        keys = {"A": host, "B": derive_key(host, "B"), "watch": derive_key(host, "watch")}
        async with join_table(watched, table, host) as ann, join_table(watched, table, keys["B"]) as bob:
            await ann.send(type="start")
            for client in (ann, bob):
                while client.state["stage"] != "playing":
                    await client.receive()
            players = Players({"A": ann, "B": bob}, random)
            before = log.entries(table)
            for _ in range(BATCHES):
                seated_ = [attack_seated(watched, table, key, random) for key in (*keys.values(), host)]
                strangers = [attack_unseated(watched, table, random) for _ in range(15)]
                frames = [attack_frames(watched, table, key, random) for key in keys.values()]
                await asyncio.gather(players.play(12), *seated_, *strangers, *frames)
                entries = log.entries(table)
                assert entries[: len(before)] == before
                assert moves_in(entries) == players.made
                assert len(entries) == len(before) + len(players.made)
            await players.play(10**6)
        game = Room.from_entries(table, log.entries(table), log, Timing()).game
        assert game is not None
        assert game.over
        assert [(end.state["winner"], end.state["scores"]) for end in (ann, bob)] == [(game.winner, game.scores)] * 2
        assert [seat["name"] for seat in ann.state["seats"]] == ["Ann", "Bramble"]
        assert players.slowest < TIMEOUT
        assert moves_in(log.entries(table)) == players.made
        await log.close()

    random = Random(7)
    asyncio.run(asyncio.wait_for(main(), 10 * TIMEOUT))
    assert watched.request("/health").text == "ok, 1 tables\n"


def test_a_host_who_arranges_nonsense_changes_nothing(watched: Server) -> None:
    fine: dict[str, list[Any]] = {"memory": [True, False], "listed": [True, False], "token": [""], "seconds": [0]}

    async def arrange(field: str) -> None:
        wrong = [value for value in VALUES if not any(value is one for one in fine.get(field, ())) and field != "name"]
        async with join_table(watched, table, host) as client:
            before = client.state
            messages = [json.dumps({"type": "arrange", field: value}) for value in wrong + WRONG_ARRANGEMENTS[field]]
            await attack(client, [*messages])
        async with join_table(watched, table, host) as client:
            assert client.state == before

    table, host = watched.new_table("/tables")
    for field in WRONG_ARRANGEMENTS:
        asyncio.run(arrange(field))


def test_bytes_that_are_no_request(watched: Server) -> None:
    for nth in range(50):
        with socket.create_connection(("127.0.0.1", watched.port), TIMEOUT) as line:
            line.sendall(Random(nth).randbytes(300) + b"\r\n\r\n")
            line.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                while line.recv(4096):
                    pass
    assert watched.request("/health").status == 200


# Names and texts.

NASTY = ["<script>alert(1)</script>", "<img src=x onerror=a>", "\"'><b x='", "' onclick='a()", "&lt;b&gt;", "{{ 7*7 }}"]
NASTY += ["🐺🚀", "שלום", "</template><script>", "<!--", "${7*7}", "javascript:alert(1)"]
REFUSED = ["\x00", "a\x07b", "\u202eeve", "a\u200fb", "\u200b", HALF, "", " ", "\u2066x\u2069", "\ufeff", "\x1b[31m"]


class Tags(HTMLParser):
    """The tags and attributes of some HTML, and the text between."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: Counter[str] = Counter()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += tag != "bdi"  # which isolates some names
        self.attributes.update([name for name, _ in attrs])
        self.text += "".join([f" {value} " for _, value in attrs if value])

    def handle_data(self, data: str) -> None:
        self.text += data


class PresentPlayer:
    """Somebody who is there."""

    role = "A"

    def notify(self) -> None: ...


ROLES = (("B", False), ("watch", False), ("watch", True))  # a guest is invited, or looks on
REVIEWED = {
    "at": 30, "round": 1, "agreed": False, "played": "Draw", "better": "Take", "chance": 0.1, "error": 0.02,
    "sure": True, "points": 1.0, "standing": 0.3, "yours_at": ["B1"], "better_at": ["B2"], "left_out": 0,
}  # fmt: skip


async def pages_with(names: tuple[str, str], painter: PageRenderer) -> dict[str, Tags]:
    """Every kind of page of a table at which two have these names."""
    arrangement = new_arrangement(opponents=2).with_name(0, names[0]).with_name(1, names[1]).with_claimed(1)
    room = Room("amber-oak", cast(SqlJournal, None), {}, replace(arrangement, listed=True), Timing())
    room.access.connections.add(PresentPlayer())
    registry = RoomRegistry(cast(SqlJournal, None))
    registry.rooms[room.name] = room
    limiter = ConnectionLimiter(Limits())
    unused: Any = None
    site = Site(registry, PageRenderer(), Settings(), limiter, unused, unused)
    front = await site.home(cast(Request, None))
    pages = {"home": bytes(front.body).decode()}

    def look(reading: PageState, roles: Sequence[tuple[str, bool]] = ROLES) -> None:
        if room.play.session is not None:
            room.play.session.revision += 1
        for role, looks_on in roles:
            shown = replace(reading.copy(), watching=looks_on)
            step = missing_step(room, role, shown)
            if step is not None:
                shown.built = step, Replay.of(game_positions(game), step.at, step.eyes)
            for text in painter.page_updates(room, role, "", shown):
                page = json.loads(text)
                pages[f"{page['kind']} {role}"] = " ".join(FragmentDecoder().parts(page).values())

    look(PageState())
    game = Game.new("dagger", 3, 1, names=[place.name for place in room.arrangement.seats])
    room.play._begin_game(game, memory=False)
    random = Random(1)
    while not game.rounds_finished:
        game.play(random_move(game.legal_moves(), random))
        if not game.rounds_finished and "table B" not in pages and len(game.history()) > 30:
            look(PageState())
            look(PageState(local_seats=("C",)), ROLES[:1])
    look(PageState())
    while not game.over:
        game.play(random_move(game.legal_moves(), random))
    room.play.rounds_seen = [game.rounds_finished] * 4
    seen = PageState(rounds_seen=game.rounds_finished, game_number=1)
    look(seen)
    look(replace(seen, replay_index=30))
    look(replace(seen, review=[REVIEWED], decision_index=0), ROLES[:1])
    room.arrangement = replace(room.arrangement, rematch=Rematch(arrangement.deck_code, "A", {"B": (3, "coin")}))
    pages |= {f"first {kind}": html for kind, html in pages.items() if kind.startswith("gathering")}
    look(PageState())
    return {kind: Tags(html) for kind, html in pages.items()}


def test_names_are_text_on_every_page() -> None:
    painter = PageRenderer()
    plain = asyncio.run(pages_with(("Ann", "Bob"), painter))
    kinds = {"home", "invite", "gathering", "first", "curtain", "table", "reveal", "over", "replay", "review"}
    assert {kind.split()[0] for kind in plain} == kinds
    for names in zip(NASTY[::2], NASTY[1::2], strict=True):
        for kind, page in asyncio.run(pages_with(names, painter)).items():
            shown = names[1:] if kind.startswith("curtain") else names  # which says only who is next
            assert all(clean_name(name) in page.text for name in shown), (names, kind)
            assert (page.tags, page.attributes) == (plain[kind].tags, plain[kind].attributes), (names, kind)


def test_names_that_are_refused_change_nothing(watched: Server) -> None:
    async def rename() -> None:
        async with join_table(watched, table, host) as client, join_table(watched, table, host, format="html") as page:
            assert page.state == {}
            names = [*REFUSED, "x" * 10_000]
            await attack(client, [json.dumps({"type": "arrange", "name": name}) for name in names])
        async with join_table(watched, table, host) as client:
            assert client.state["seats"][0]["name"] == "Ann"
            assert client.state["seq"] == 1

    table, host = watched.new_table("/tables", name="Ann")
    asyncio.run(rename())
    for name in REFUSED:
        if name.strip() and name != HALF:
            assert watched.request("/tables", {"name": name}).status == 409
    assert watched.request("/health").text == "ok, 1 tables\n"


def test_long_names_are_cut() -> None:
    assert clean_name("x" * 10_000) == "x" * MAX_NAME_LENGTH
    assert clean_name("  a \n\t b\u2028c ") == "a b c"
