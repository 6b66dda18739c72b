"""Servers in separate processes, and clients of the JSON protocol."""

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random, SystemRandom
from typing import IO, Any
from urllib.parse import urlencode

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from argentum.client import TableConnection
from argentum.display.updates import PROTOCOL_VERSION
from argentum.web.pages.assets import page_build

TIMEOUT = 60.0  # seconds
OTHER_ORIGIN = "https://elsewhere.example"
# Startup code for a server that waits only a moment for disconnected players.
SHORT_GRACE = "from argentum.rooms.clock import Timing; Timing.__init__.__defaults__ = (0.0, 0.05, 60.0, 20.0, 7.0)"
PORTS = range(16_000, 32_000)  # Below the ephemeral ports, so that no outgoing connection takes one.


def free_port() -> int:
    """Return a port that no other test run uses while this process lives."""
    while True:
        port = SystemRandom().choice(PORTS)
        with socket.socket() as probe, socket.socket(type=socket.SOCK_DGRAM) as guard, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            guard.bind(("127.0.0.1", port))  # The UDP port reserves the number for us; nothing else uses UDP there.
            guard.detach()
            return port


@dataclass
class HttpResponse:
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Server:
    """`argentum serve` in a subprocess."""

    database: str
    options: tuple[str, ...] = ("--bot-pause", "0")
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None
    stderr: IO[bytes] | None = None  # None for the standard error of this process
    environment: dict[str, str] = field(default_factory=dict)  # further environment variables
    startup_code: str = ""  # Python code that runs before the server starts
    host_numbers: "count[int]" = field(default_factory=count)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        code = f"import runpy; {self.startup_code}; runpy.run_module('argentum', run_name='__main__', alter_sys=True)"
        module = ["-c", code] if self.startup_code else ["-m", "argentum"]
        command = [sys.executable, *module, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--database", self.database, *self.options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **self.environment}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.stderr, env=environment)
        assert self.process.stdout is not None
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline and self.process.poll() is None:
            ready = select.select([self.process.stdout], [], [], 0.2)[0]
            if ready and b"The table is at" in self.process.stdout.readline() and self._wait_until_listening():
                return
        pytest.fail(f"the server did not start (exit status {self.process.poll()})")

    def _wait_until_listening(self) -> bool:
        """Wait until the port is open, soon after the server has printed its address; return False on a timeout."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return True
            time.sleep(0.01)
        return False

    def kill(self) -> None:
        """Kill the server with SIGKILL, without a shutdown."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._wait_for_exit()

    def stop(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._wait_for_exit()

    def _wait_for_exit(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.wait(TIMEOUT)
        self.process.stdout.close()

    def request(
        self, path: str, form: dict[str, str] | None = None, address: str = "127.0.0.1", **headers: str
    ) -> HttpResponse:
        """Send a GET request, or a POST request with a form; do not follow redirects."""
        connection = HTTPConnection("127.0.0.1", self.port, TIMEOUT, source_address=(address, 0))
        with closing(connection):
            if form is None:
                connection.request("GET", path, headers=headers)
            else:
                headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
                connection.request("POST", path, urlencode(form), headers)
            response = connection.getresponse()
            return HttpResponse(response.status, response.headers, response.read())

    def new_table(self, path: str = "/play", **form: str) -> tuple[str, str]:
        """Create a table; return its name and the host's key.

        Each call uses another local address, because the server limits new tables per address.
        """
        number = next(self.host_numbers)
        response = self.request(path, form, f"127.0.{1 + number // 250}.{1 + number % 250}")
        assert response.status == 303, response.text
        name, _, key = response.headers["Location"].removeprefix("/table/").partition("#")
        return name, key


class ProtocolClient(TableConnection):
    """A client of the JSON protocol that sends and receives single messages."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self.state: dict[str, Any] = {}  # the last update
        self.answered_choice: int | None = None

    async def send(self, **message: Any) -> None:
        """Send a message; add the build of the pages to the first message of a page."""
        if message.get("format") == "html":
            message.setdefault("build", page_build())
        await super().send(**message)

    async def receive(self) -> dict[str, Any]:
        message = await super().receive()
        if message["type"] == "update":
            self.state = message
        return message

    async def next_update(self) -> dict[str, Any]:
        """Receive messages up to the next update, and return it."""
        while (message := await self.receive())["type"] != "update":
            pass
        return message

    async def next_error(self) -> dict[str, Any]:
        """Receive messages up to the next error, and return it."""
        while (message := await self.receive())["type"] != "error":
            pass
        return message

    @property
    def has_open_choice(self) -> bool:
        """Whether the player must choose and has not answered yet."""
        return self.state.get("choice") not in (None, self.answered_choice)

    async def send_move(self, move: str) -> None:
        self.answered_choice = self.state["choice"]
        await self.send(type="move", choice=self.answered_choice, move=move)

    async def play_random_move(self, random: Random, call_probability: float = 0.0) -> None:
        """Make a random legal move. A legal call is preferred with `call_probability`, to keep games short."""
        legal = self.state["view"]["legal"]
        move = "call" if "call" in legal and random.random() < call_probability else random.choice(legal)
        if move.startswith("peek"):
            move = " ".join(["peek", *[option.split()[1] for option in random.sample(legal, 2)]])
        await self.send_move(move)

    async def play_to_end(self, random: Random, call_probability: float = 0.0, rounds: int = 4) -> dict[str, Any]:
        """Play random legal moves until the game is over or has finished `rounds` rounds; return the last update."""
        while self.state.get("stage") != "over" and len(self.state.get("scores", ())) < rounds:
            if self.has_open_choice:
                await self.play_random_move(random, call_probability)
            if (await self.receive()).get("code") == "too fast":  # The server ignored the move.
                await asyncio.sleep(0.1)
                self.answered_choice = None
        return self.state


def open_socket(server: Server, path: str = "/socket", **overrides: Any) -> connect:
    """Open a WebSocket to a server, with long timeouts for slow machines; use it in `async with`."""
    # With a limited queue, a client that no longer reads would take ten seconds to close.
    options = {"open_timeout": TIMEOUT, "ping_interval": None, "max_size": 2**22, "max_queue": None}
    return connect(f"ws://127.0.0.1:{server.port}{path}", **{**options, **overrides})


@asynccontextmanager
async def join_table(server: Server, table: str, key: str, **fields: Any) -> AsyncIterator[ProtocolClient]:
    """Join a table with a key, receive the first update, and yield the client."""
    async with open_socket(server, f"/socket/{table}") as socket_:
        client = ProtocolClient(socket_)
        await client.send(**{"type": "join", "table": table, "key": key, "protocol": PROTOCOL_VERSION, **fields})
        await client.receive()
        yield client


async def receive_until(client: ProtocolClient, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Receive messages up to the first that matches, and return it."""
    while not matches(message := await client.receive()):
        pass
    return message


async def receive_until_closed(socket_: ClientConnection) -> tuple[list[dict[str, Any]], int | None]:
    """Receive messages until the server closes the connection; return them and the close code."""
    messages = []
    try:
        while True:
            messages.append(json.loads(await socket_.recv()))
    except ConnectionClosed as closed:
        return messages, closed.rcvd.code if closed.rcvd is not None else None


def wait_until_unready(server: Server) -> None:
    """Wait until the server reports that it is not ready, which it does only for a lasting failure."""
    deadline = time.monotonic() + TIMEOUT
    while server.request("/ready").status == 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def play_game_to_end(server: Server, table: str, *keys: str, rounds: int = 4) -> None:
    """Play up to `rounds` rounds over the JSON protocol, for the seats that these keys open, faster than with pages."""

    async def play(key: str) -> None:
        async with join_table(server, table, key) as client:
            await client.play_to_end(Random(1), call_probability=0.6, rounds=rounds)

    async def all_play() -> None:
        await asyncio.gather(*[play(key) for key in keys])

    with ThreadPoolExecutor(1) as executor:  # This thread may have a running event loop.
        executor.submit(asyncio.run, all_play()).result()


@contextmanager
def running_server(folder: Path, startup_code: str = "") -> Iterator[Server]:
    """Run a server with an empty SQLite database and bots that do not pause."""
    server = Server(str(folder / "tables.db"), startup_code=startup_code)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test."""
    with running_server(tmp_path) as server:
        yield server


@pytest.fixture
def short_grace_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test that waits only a moment for disconnected players."""
    with running_server(tmp_path, SHORT_GRACE) as server:
        yield server


@pytest.fixture(scope="module", name="server")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a module that imports this fixture; each test uses its own tables."""
    with running_server(tmp_path_factory.mktemp("shared")) as server:
        yield server
