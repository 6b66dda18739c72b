"""How many tables the server holds: on loopback, a connection in every seat, a move every few seconds at each table.

The server is a process of its own, or several (`--workers`) on a PostgreSQL that is started for it; this one plays all
seats, and is lean as it takes its share of the same cores: it speaks WebSocket by itself and reads of each update no
more than it needs to make a legal move at random. What each of the three used of the processor is told apart. With
`--find-limit`, tables play faster and faster until 99 of 100 updates no longer come within 250 ms.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast

import uvloop
from tests.support.databases import Cluster, binaries

from argentum.rooms.access import derive_key
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import FragmentDecoder

BOUND = 0.250  # seconds: what 99 of 100 updates may take
PATIENCE = 60.0  # seconds until a table that is not set is a failure
TABLES_AN_ADDRESS = 50  # the server bounds new tables from one address; loopback has many addresses
AGAIN = 0.5  # seconds until somebody connects again
AT_ONCE = 16  # tables that are set at the same time
DECKS = ("dagger", "bullet", "coin", "random")
CALL = 0.05  # how often a call is made when it could be, so that rounds last as long as those of people
FASTER = 1.25  # looking for the limit, from step to step
# Everybody comes from one machine: whatever bounds strangers there is out of the way.
ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",
    "ARGENTUM_LINES": "200000",
    "ARGENTUM_NEW_TABLES_TOTAL_BURST": "1000000",
    "ARGENTUM_NEW_TABLES_PREFIX_BURST": "1000000",
}
BOTH_KINDS = (1.0, 0.0)  # shares of browsers: only they, then only programs
CLOCK_TICK = os.sysconf("SC_CLK_TCK")

CHOICE = re.compile(rb'"choice":(\d+)')
SEQ = re.compile(rb'"seq":(\d+)')
LEGAL = re.compile(rb'"legal":(\[[^\]]*\])')
STAGE = re.compile(rb'"(?:stage|kind)":"(\w+)"')
SEEN = re.compile(r"""data-send='(\{"type":"seen","round":\d\})'""")
SECTIONS = re.compile(r'(?=<section id="([\w-]+)")')
CLICK = re.compile(r'data-move="([^"]+)"')
SELECTION = re.compile(r'data-template="([^"]+)" data-spots="([^"]+)" data-least="(\d)"')


@dataclass
class Figures:
    """What was measured."""

    acknowledged: list[float] = field(default_factory=list)  # seconds from a move to its acknowledgement
    updated: list[float] = field(default_factory=list)  # and to the update of each other connection
    updates: int = 0
    octets: int = 0
    refused: int = 0
    lost: int = 0  # connections
    waited: int = 0  # beats at which the last move was still under way, or nobody had been asked
    unseen: int = 0  # updates that had not come by the table's next move


class Line(asyncio.Protocol):
    """A WebSocket client: short texts out, whole texts in, and every ping answered."""

    def __init__(self) -> None:
        self.buffer = b""
        self.open = False
        self.transport: asyncio.WriteTransport | None = None
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self.transport = cast(asyncio.WriteTransport, transport)
        host, port = transport.get_extra_info("peername")[:2]
        key = b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET /socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  (asyncio's signature)
        """Say no more."""
        self.lost = True

    def data_received(self, data: bytes) -> None:
        """Take whole frames, and keep the rest."""
        buffer = self.buffer + data if self.buffer else data
        if not self.open:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self.buffer = head
                return
            self.open = b" 101 " in head[:32]
            self.opened()
        at = 0
        while self.open and (frame := _frame(buffer, at)) is not None:
            code, first, at = frame
            if code == 1:
                self.text(buffer[first:at])
            elif code == 9:
                self._write(10, buffer[first:at])
        self.buffer = buffer[at:]

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._write(1, json.dumps(message).encode())

    def _write(self, code: int, data: bytes) -> None:
        """A masked frame. The mask is of zeros, which leaves the text as it is."""
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE, len(data) >> 8, len(data) & 255])
        if self.transport is not None and not self.lost:
            self.transport.write(bytes([0x80 | code]) + size + b"\0\0\0\0" + data)

    def opened(self) -> None:
        """Called when the first message may be sent."""

    def text(self, data: bytes) -> None:
        """Called with each text that comes."""


def _frame(buffer: bytes, at: int) -> tuple[int, int, int] | None:
    """The frame that begins here: its code, and where its content begins and ends; None while some of it is missing."""
    if len(buffer) < at + 2:
        return None
    code, size, first = buffer[at] & 15, buffer[at + 1], at + 2
    if size > 125:
        first += 2 if size == 126 else 8
        size = int.from_bytes(buffer[at + 2 : first], "big")
    return (code, first, first + size) if len(buffer) >= first + size else None


class Host(Line):
    """Sets a table: arranges it, and starts the game when everybody is there."""

    def __init__(self, table: str, key: str) -> None:
        super().__init__()
        self.sit = {"type": "sit", "table": table, "key": key, "protocol": 2}
        self.last = b""
        self.news = asyncio.Event()

    def opened(self) -> None:
        """Sit down."""
        self.say(**self.sit)

    def text(self, data: bytes) -> None:
        """Keep the last."""
        self.last = data
        self.news.set()

    async def receive(self, words: bytes) -> None:
        """Wait for an update that has these words."""
        while words not in self.last:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)


class Player(Line):
    """A connection in a seat, which knows what it could play now."""

    def __init__(self, table: "Table", seat: str, key: str, html: bool) -> None:
        super().__init__()
        self.table = table
        self.sit = {"type": "sit", "table": table.name, "key": key, "protocol": 2}
        if html:
            self.sit["format"] = "html"
        self.seat = seat
        self.html = html
        self.seated = asyncio.Event()
        self.choice: int | None = None
        self.answered: int | None = None
        self.legal = b""  # as JSON has it
        self.received = FragmentDecoder()
        self.parts: dict[str, str] = {}  # of the page, while there is something to choose

    def opened(self) -> None:
        """Sit down."""
        self.say(**self.sit)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it."""
        super().connection_lost(exc)
        self.table.figures.lost += 1
        self.seated.set()  # whoever waits for it looks again

    def text(self, data: bytes) -> None:
        """Hear an update, an acknowledgement or an error."""
        if data.startswith((b'{"type":"update"', b'{"type":"page"')):
            self.table.updated(self, data)
            self._learn(data)
            self.seated.set()
        elif data.startswith(b'{"type": "done"'):
            self.table.acknowledged()
        elif data.startswith(b'{"type": "error"'):
            self.table.refused(data)

    def _learn(self, data: bytes) -> None:
        """What there is to choose now; and what a person would press to go on."""
        stage = STAGE.search(data)
        if stage is not None and self.seat == SEAT_LETTERS[0]:
            self.table.at_stage(stage[1])
        choice = CHOICE.search(data)
        self.choice = None if choice is None else int(choice[1])
        if self.html:
            self._learn_page(data)
        elif self.choice is not None:
            legal = LEGAL.search(data)
            self.legal = legal[1] if legal is not None else b"[]"

    def _learn_page(self, data: bytes) -> None:
        parts = self.received.parts(json.loads(data))
        seen = SEEN.search(parts.get("stage", ""))
        if seen is not None:
            self.choice = None  # the choice is on the page behind it
            self.say(**json.loads(seen[1]))
        if self.choice is None:
            self.parts.clear()  # a page where nothing can be chosen has no moves
            return
        for name, html in parts.items():
            pieces = SECTIONS.split(html)
            if name == "stage":
                self.parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
            else:
                self.parts[name] = html

    @property
    def asked(self) -> bool:
        """Whether there is a choice that was not answered yet."""
        return self.choice is not None and self.choice != self.answered

    def play(self, random: Random) -> None:
        """Make a legal move at random."""
        moves = self._page_moves(random) if self.html else self._moves(random)
        rest = [move for move in moves if move != "call"]
        move = "call" if "call" in moves and (not rest or random.random() < CALL) else random.choice(rest)
        self.answered = self.choice
        self.say(type="move", choice=self.choice, move=move, id=1)

    def _moves(self, random: Random) -> list[str]:
        legal: list[str] = json.loads(self.legal)
        if legal[0].startswith("peek "):
            return ["peek " + " ".join([move.split()[1] for move in random.sample(legal, 2)])]
        return legal

    def _page_moves(self, random: Random) -> list[str]:
        page = "".join(self.parts.values())
        moves = CLICK.findall(page)
        for template, spots, least in SELECTION.findall(page):
            moves.append(template.replace("{}", " ".join(random.sample(spots.split(), int(least)))))
        return moves


class Table:
    """A table at which every seat is played from here."""

    def __init__(self, name: str, figures: Figures, random: Random) -> None:
        self.name = name
        self.figures = figures
        self.random = random
        self.players: list[Player] = []
        self.sent = 0.0  # when the last move was made
        self.busy = False  # it was not acknowledged yet
        self.behind: set[Player] = set()  # who has not seen it yet
        self.seq = 0  # of the latest update
        self.before = 0  # the same when the last move was made
        self.stage = b"gathering"

    def updated(self, player: Player, data: bytes) -> None:
        """An update came. A page does not say of which move it is: the first after a move is taken for it."""
        figures = self.figures
        figures.updates += 1
        figures.octets += len(data)
        found = SEQ.search(data, 0, 200)
        seq = self.before + 1 if found is None else int(found[1])
        self.seq = max(self.seq, seq)
        if player in self.behind and seq > self.before:
            self.behind.discard(player)
            figures.updated.append(time.perf_counter() - self.sent)

    def acknowledged(self) -> None:
        """The server has kept the move."""
        self.busy = False
        self.figures.acknowledged.append(time.perf_counter() - self.sent)

    def refused(self, data: bytes) -> None:
        """The server has not taken a message."""
        self.busy = False
        self.figures.refused += 1
        if self.figures.refused < 4:
            print(f"table {self.name}: {data.decode()}", file=sys.stderr)

    def at_stage(self, stage: bytes) -> None:
        """After a game comes the next."""
        if stage != self.stage and stage in (b"over", b"gathering"):
            self.players[0].say(type="rematch" if stage == b"over" else "start")
        self.stage = stage

    def beat(self) -> None:
        """Make a move, if the last one is through and somebody is asked."""
        asked = [player for player in self.players if player.asked]
        if self.busy or not asked:
            self.figures.waited += 1
            return
        self.figures.unseen += len(self.behind)
        mover = self.random.choice(asked)
        self.behind = {player for player in self.players if player is not mover}
        self.busy = True
        self.before = self.seq
        self.sent = time.perf_counter()
        mover.play(self.random)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _cpu(pids: list[int]) -> float:
    """The processor time of processes, in seconds."""
    used = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum([int(fields[11]) + int(fields[12]) for fields in used]) / CLOCK_TICK


class Server:
    """`argentum serve` in processes of its own."""

    def __init__(self, database: str, workers: int = 1, cluster: Cluster | None = None) -> None:
        self.cluster = cluster
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        command = [sys.executable, "-m", "argentum", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", database, "--tables", "1000000", "--workers", str(workers)],
            stdout=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT},
        )
        assert self.process.stdout is not None
        if b"The table is at" not in self.process.stdout.readline():
            raise SystemExit("the server did not start")
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:  # said just before the port is open
            if self.process.poll() is not None:
                raise SystemExit("the server did not start")

        self.pids = [self.process.pid, *_children(self.process.pid)] if workers > 1 else [self.process.pid]

    def memory(self) -> int:
        """The server's resident memory, in bytes, of all workers together."""
        pages = sum([int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.pids])
        return pages * resource.getpagesize()

    def cpu(self) -> float:
        """The processor time that the server has used, in seconds, of all workers together."""
        return _cpu(self.pids)

    def database_cpu(self) -> float:
        """The same of PostgreSQL, if it was started for this."""
        if self.cluster is None:
            return 0.0
        first = int((self.cluster.folder / "data/postmaster.pid").read_text().split()[0])
        return _cpu([first, *_children(first)])

    def stop(self) -> None:
        """End it as a user does."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Load:
    """Tables on one server, and what is measured at them."""

    def __init__(self, server: Server, connections: int, pace: float, html: float) -> None:
        self.server = server
        self.seats = SEAT_LETTERS[:connections]
        self.pace = pace
        self.html = html
        self.figures = Figures()
        self.random = Random(1)
        self.tables: list[Table] = []
        self.idle_memory = server.memory()

    async def begin(self, tables: int) -> None:
        """Set so many tables, then let them play."""
        for first in range(0, tables, AT_ONCE):
            self.tables += await asyncio.gather(*[self._set(nth) for nth in range(first, min(first + AT_ONCE, tables))])
        for table in self.tables:
            asyncio.get_running_loop().call_later(self.random.random() * self.pace, self._beat, table)

    async def _set(self, nth: int) -> Table:
        far, near = divmod(nth // TABLES_AN_ADDRESS, 250)
        name, key = await self._new_table(f"127.0.{far + 1}.{near + 1}")
        table = Table(name, self.figures, self.random)
        host = Host(name, key)
        await self._connect(host)
        await host.receive(b'"type":"update"')
        host.say(type="arrange", seats=len(self.seats), boxes=DECKS[nth % len(DECKS)])
        await host.receive(f'"letter":"{self.seats[-1]}"'.encode())
        for place, seat in enumerate(self.seats):
            html = self.random.random() < self.html
            table.players.append(await self._seated(table, seat, key if place == 0 else derive_key(key, seat), html))
        host.say(type="start")
        await host.receive(b'"stage":"playing"')
        assert host.transport is not None
        host.transport.close()
        return table

    async def _seated(self, table: Table, seat: str, key: str, html: bool) -> Player:
        """Somebody who has sat down; who is told to try again does so, as a page would."""
        while True:
            player = Player(table, seat, key, html)
            await self._connect(player)
            await asyncio.wait_for(player.seated.wait(), PATIENCE)
            if not player.lost:
                return player
            await asyncio.sleep(AGAIN)

    async def _connect(self, line: Line) -> None:
        await asyncio.get_running_loop().create_connection(lambda: line, "127.0.0.1", self.server.port)

    async def _new_table(self, address: str) -> tuple[str, str]:
        """A new table's name and its host's key."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(address, 0))
        writer.write(b"POST /tables HTTP/1.1\r\nHost: load\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        answer = (await asyncio.wait_for(reader.read(), PATIENCE)).decode()
        writer.close()
        found = re.search(r"location: /table/([\w-]+)#([\w-]+)", answer, re.IGNORECASE)
        if found is None:
            raise SystemExit(f"no table was set: {answer[:300]}")
        return found[1], found[2]

    def _beat(self, table: Table) -> None:
        asyncio.get_running_loop().call_later(self.pace, self._beat, table)
        table.beat()

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Let them play for a while; what was measured."""
        await asyncio.sleep(self.pace)  # until all have begun
        figures = self.figures = Figures()
        for table in self.tables:
            table.figures = figures
            table.behind.clear()
        cpu, own, began = self.server.cpu(), time.process_time(), time.perf_counter()
        database = self.server.database_cpu()
        await asyncio.sleep(seconds)
        seconds = time.perf_counter() - began
        moves = len(figures.acknowledged)
        used = self.server.cpu() - cpu
        memory = self.server.memory()
        return {
            "browsers_percent": round(self.html * 100),
            "tables": len(self.tables),
            "connections": sum([not player.lost for table in self.tables for player in table.players]),
            "seconds_from_move_to_move": round(self.pace, 2),
            "seconds": round(seconds, 1),
            "moves": moves,
            "moves_a_second": round(moves / seconds, 1),
            "updates_a_second": round(figures.updates / seconds, 1),
            "acknowledged_ms": percentiles(figures.acknowledged),
            "updated_ms": percentiles(figures.updated),
            "bytes_an_update": round(figures.octets / max(figures.updates, 1)),
            "server_cpu_share": round(used / seconds, 3),
            "moves_a_core_and_second": round(moves / max(used, 0.001)),
            "server_cpu_ms_a_move": round(used / max(moves, 1) * 1000, 3),
            "server_cpu_ms_an_update": round(used / max(figures.updates, 1) * 1000, 3),
            "own_cpu_share": round((time.process_time() - own) / seconds, 3),
            "own_cpu_ms_a_move": round((time.process_time() - own) / max(moves, 1) * 1000, 3),
            "database_cpu_share": round((self.server.database_cpu() - database) / seconds, 3),
            "memory_idle_mb": round(self.idle_memory / 1e6, 1),
            "memory_mb": round(memory / 1e6, 1),
            "memory_a_table_kb": round((memory - self.idle_memory) / len(self.tables) / 1e3, 1),
            "refused": figures.refused,
            "lost_connections": figures.lost,
            "beats_waited": figures.waited,
            "updates_unseen": figures.unseen,
        }


def percentiles(times: list[float]) -> dict[str, float]:
    """Of seconds, in milliseconds."""
    ordered = sorted(times) or [0.0]
    last = len(ordered) - 1
    places = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: round(ordered[round(last * place)] * 1000, 1) for name, place in places.items()}


def passes(report: dict[str, Any]) -> bool:
    """Whether the server keeps up."""
    slowest = max(report["acknowledged_ms"]["p99"], report["updated_ms"]["p99"])
    return bool(slowest < BOUND * 1000 and not report["lost_connections"])


def lines(report: dict[str, Any]) -> Iterator[str]:
    """A report as a table."""
    for name, value in report.items():
        shown = "  ".join([f"{key} {one:,}" for key, one in value.items()]) if isinstance(value, dict) else f"{value:,}"
        yield f"{name.replace('_', ' '):26}{shown:>12}"


async def run(server: Server, options: argparse.Namespace, html: float) -> list[dict[str, Any]]:
    """Measure once; or, looking for the limit, faster and faster until the server falls behind."""
    load = Load(server, options.connections, options.pace, html)
    began = time.perf_counter()
    await load.begin(options.tables)
    print(f"{options.tables} tables were set in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    reports: list[dict[str, Any]] = []
    while True:
        reports.append(await load.measure(options.seconds))
        if not options.json:
            print("\n".join([*lines(reports[-1]), ""]), flush=True)
        if not options.find_limit or not passes(reports[-1]):
            return reports
        load.pace /= FASTER


@contextmanager
def database(options: argparse.Namespace) -> Iterator[tuple[str, Cluster | None]]:
    """The database that was asked for, or a fresh one: an SQLite file, for several workers a PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
        if options.database or options.workers == 1:
            yield options.database or str(Path(folder) / "tables.db"), None
            return
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Cluster(binaries(), Path(folder))
        try:
            yield cluster.new_database(), cluster
        finally:
            cluster.stop()


def open_files(wanted: int) -> None:
    """Allow as many open files as are needed, here and for the server, which inherits it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = wanted if hard != resource.RLIM_INFINITY and hard < wanted else hard
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    except ValueError:
        raise SystemExit(f"this needs {wanted} open files, and {hard} are allowed (ulimit -n)") from None


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="how many tables")
    parser.add_argument("--connections", type=int, choices=(2, 3, 4), default=4, help="people at a table")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds from move to move at a table")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to measure")
    parser.add_argument(
        "--html", type=float, help="the share of connections that get pages, as browsers; first 1, then 0 unless given"
    )
    parser.add_argument("--database", help="a database of the server's own; a new one unless given")
    parser.add_argument("--workers", type=int, default=1, help="processes of the server, then on PostgreSQL")
    parser.add_argument("--find-limit", action="store_true", help="play faster and faster until p99 is above 250 ms")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    open_files(options.tables * options.connections + 500)
    reports: list[dict[str, Any]] = []
    for html in BOTH_KINDS if options.html is None else (options.html,):
        with database(options) as (url, cluster):
            server = Server(url, options.workers, cluster)
            print(f"the server is process {server.process.pid}", file=sys.stderr)
            try:
                reports += uvloop.run(run(server, options, html))
            finally:
                server.stop()
    if options.json:
        print(json.dumps(reports, indent=1))


if __name__ == "__main__":
    main()
