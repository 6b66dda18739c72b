"""A real server in a process of its own, and a client that speaks its protocol."""

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
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

from argentum.web.pages.assets import page_build

PATIENCE = 60.0  # seconds until a test gives up waiting
# Python for a server on which nobody waits long for those who are away.
SHORT_GRACE = "from argentum.rooms.clock import Timing; Timing.__init__.__defaults__ = (0.0, 0.05, 60.0, 20.0, 7.0)"
PORTS = range(
    16_000, 32_000
)  # below those that a system gives to whoever connects: one of ours stays free while it waits


def free_port() -> int:
    """A port that is ours for as long as this process lives, also while nobody listens there."""
    while True:
        port = SystemRandom().choice(PORTS)
        with socket.socket() as probe, socket.socket(type=socket.SOCK_DGRAM) as guard, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            guard.bind(("127.0.0.1", port))  # a mark for other test runs: nobody else uses that port by UDP
            guard.detach()
            return port


@dataclass
class Answer:
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Server:
    """`argentum serve` on a database."""

    database: str
    options: tuple[str, ...] = ("--bot-pause", "0")
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None
    stderr: IO[bytes] | None = None  # where its complaints go; to ours unless given
    first: str = ""  # Python that it runs before it starts
    hosts: "count[int]" = field(default_factory=count)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        code = f"import runpy; {self.first}; runpy.run_module('argentum', run_name='__main__', alter_sys=True)"
        module = ["-c", code] if self.first else ["-m", "argentum"]
        command = [sys.executable, *module, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--database", self.database, *self.options]
        surroundings = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.stderr, env=surroundings)
        assert self.process.stdout is not None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            ready = select.select([self.process.stdout], [], [], 0.2)[0]
            if ready and b"The table is at" in self.process.stdout.readline() and self._answers():
                return
        pytest.fail(f"the server did not start (exit status {self.process.poll()})")

    def _answers(self) -> bool:
        """The line is printed just before the port is open."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return True
            time.sleep(0.01)
        return False

    def kill(self) -> None:
        """As a crash would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._gone()

    def _gone(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def ask(self, path: str, form: dict[str, str] | None = None, address: str = "127.0.0.1", **headers: str) -> Answer:
        """One request, without following redirects: where a new table is, is what we want to know."""
        line = HTTPConnection("127.0.0.1", self.port, PATIENCE, source_address=(address, 0))
        with closing(line):
            if form is None:
                line.request("GET", path, headers=headers)
            else:
                headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
                line.request("POST", path, urlencode(form), headers)
            got = line.getresponse()
            return Answer(got.status, got.headers, got.read())

    def new_table(self, path: str = "/play", **form: str) -> tuple[str, str]:
        """A table's name and the host's key. Each host has its own address: the server bounds what one may ask."""
        nth = next(self.hosts)
        answer = self.ask(path, form, f"127.0.{1 + nth // 250}.{1 + nth % 250}")
        assert answer.status == 303, answer.text
        name, _, key = answer.headers["Location"].removeprefix("/table/").partition("#")
        return name, key


@dataclass
class Client:
    """A connection to a table that speaks JSON."""

    socket: ClientConnection
    state: dict[str, Any] = field(default_factory=dict)  # the last update
    answered: int | None = None

    async def say(self, **message: Any) -> None:
        """Send a message, with the server's build if it is a page's first."""
        if message.get("format") == "html":
            message.setdefault("build", page_build())
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.socket.recv())
        if message["type"] == "update":
            self.state = message
        return message

    async def update(self) -> dict[str, Any]:
        """The next update."""
        while (message := await self.hear())["type"] != "update":
            pass
        return message

    async def error(self) -> dict[str, Any]:
        """The next error."""
        while (message := await self.hear())["type"] != "error":
            pass
        return message

    @property
    def asked(self) -> bool:
        """Whether there is a choice that was not answered yet."""
        return self.state.get("choice") not in (None, self.answered)

    async def play(self, move: str) -> None:
        self.answered = self.state["choice"]
        await self.say(type="move", choice=self.answered, move=move)

    async def play_random(self, random: Random, calls: float = 0.0) -> None:
        """Make a random legal move; a call, if there is one, with some chance, so that games are short."""
        legal = self.state["view"]["legal"]
        move = "call" if "call" in legal and random.random() < calls else random.choice(legal)
        if move.startswith("peek"):
            move = " ".join(["peek", *[one.split()[1] for one in random.sample(legal, 2)]])
        await self.play(move)

    async def play_on(self, random: Random, calls: float = 0.0, rounds: int = 4) -> dict[str, Any]:
        """Play random legal moves until the game is over, or so many rounds of it."""
        while self.state.get("stage") != "over" and len(self.state.get("scores", ())) < rounds:
            if self.asked:
                await self.play_random(random, calls)
            if (await self.hear()).get("code") == "too fast":  # it was not read
                await asyncio.sleep(0.1)
                self.answered = None
        return self.state


def dialled(server: Server, path: str = "/socket", **more: Any) -> connect:
    """A line to a server. However slow the machine is, it is not given up."""
    # Without a bound on what waits to be heard: a client that does not listen any more would take ten seconds to close.
    patient = {"open_timeout": PATIENCE, "ping_interval": None, "max_size": 2**22, "max_queue": None}
    return connect(f"ws://127.0.0.1:{server.port}{path}", **{**patient, **more})


@asynccontextmanager
async def seated(server: Server, table: str, key: str, path: str = "/socket", **more: Any) -> AsyncIterator[Client]:
    """A client that has sat down and had its first update."""
    async with dialled(server, path) as socket_:
        client = Client(socket_)
        await client.say(type="sit", table=table, key=key, protocol=2, **more)
        await client.hear()
        yield client


def finish(server: Server, table: str, *keys: str, rounds: int = 4) -> None:
    """Play the game of some seats to its end, or so many rounds, by the protocol: that is quicker than by a browser."""

    async def play(key: str) -> None:
        async with seated(server, table, key) as client:
            await client.play_on(Random(1), calls=0.6, rounds=rounds)

    async def all_play() -> None:
        await asyncio.gather(*[play(key) for key in keys])

    with ThreadPoolExecutor(1) as apart:  # where no other loop runs
        apart.submit(asyncio.run, all_play()).result()


@contextmanager
def serving(folder: Path, first: str = "") -> Iterator[Server]:
    """A server with a fresh SQLite file, and bots that do not pause."""
    one = Server(str(folder / "tables.db"), first=first)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of a test's own."""
    with serving(tmp_path) as one:
        yield one


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Server]:
    """A server on which nobody waits long for those who are away."""
    with serving(tmp_path, SHORT_GRACE) as one:
        yield one


@pytest.fixture(scope="module", name="server")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that all tests of a module share, if the module imports this: a table is a test's own."""
    with serving(tmp_path_factory.mktemp("shared")) as one:
        yield one
