"""Load test on loopback: many tables with a connection in every seat and a move every few seconds.

There is one server, or several (`--servers`) behind HAProxy with a PostgreSQL that is started for them. This process
plays all seats. As it shares the cores with the servers, it uses a minimal WebSocket client and parses only the parts
of an update that a random legal move needs. The CPU times of servers, proxy, database and client are reported
separately. With `--find-limit`, the pace increases until the 99th percentile of the update times exceeds 250 ms.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import shutil
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast

import uvloop
from tests.support.databases import PostgresServer, postgres_binaries
from tests.support.failover import run_haproxy
from tests.support.server import Server

from argentum.rooms.access import derive_key
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.assets import page_build
from argentum.web.pages.page_diff import FragmentDecoder

MAX_P99_SECONDS = 0.250  # of updates and acknowledgements
SETUP_TIMEOUT = 60.0  # seconds
TABLES_PER_ADDRESS = 50  # The server limits new tables per address; loopback has many addresses.
RECONNECT_SECONDS = 0.5
CONCURRENT_SETUPS = 16  # tables created at the same time
DECKS = ("dagger", "bullet", "coin", "random")
CALL_PROBABILITY = 0.05  # makes rounds about as long as between people
SPEED_UP = 1.25  # factor between two measurements of --find-limit
# All connections come from one machine, so its limits are lifted.
ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",
    "ARGENTUM_MAX_CONNECTIONS": "200000",
    "ARGENTUM_NEW_TABLES_TOTAL_BURST": "1000000",
    "ARGENTUM_NEW_TABLES_PREFIX_BURST": "1000000",
}
BOTH_KINDS = (1.0, 0.0)  # fractions of browsers: measure browsers only, then programs only
CLOCK_TICK = os.sysconf("SC_CLK_TCK")

CHOICE = re.compile(rb'"choice":(\d+)')
SEQ = re.compile(rb'"seq":(\d+)')
LEGAL = re.compile(rb'"legal":(\[[^\]]*\])')
STAGE = re.compile(rb'"(?:stage|page)":"(\w+)"')
PAGE_STAGES = {b"lobby": b"gathering", b"game_end": b"over"}  # a page has its kind instead of a stage
SEEN = re.compile(r"""data-send='(\{"type":"round_seen","round":\d\})'""")
SECTIONS = re.compile(r'(?=<section id="([\w-]+)")')
CLICK = re.compile(r'data-move="([^"]+)"')
SELECTION = re.compile(r'data-template="([^"]+)" data-spots="([^"]+)" data-min-cards="(\d)"')


@dataclass
class Measurements:
    acknowledged: list[float] = field(default_factory=list)  # seconds from a move to its acknowledgement
    updated: list[float] = field(default_factory=list)  # seconds from a move to its update at each other player
    updates: int = 0
    received_bytes: int = 0
    refused: int = 0
    lost: int = 0  # connections
    skipped_ticks: int = 0  # because the last move was not acknowledged, or no player had a decision
    late_updates: int = 0  # updates that had not arrived before the table's next move


class WebSocketClient(asyncio.Protocol):
    """A minimal WebSocket client: sends short texts, receives unfragmented texts, answers pings."""

    def __init__(self, table_name: str) -> None:
        self.path = f"/socket/{table_name}"
        self.buffer = b""
        self.is_open = False
        self.transport: asyncio.WriteTransport | None = None
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.WriteTransport, transport)
        host, port = transport.get_extra_info("peername")[:2]
        key = b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  (asyncio's signature)
        self.lost = True

    def data_received(self, data: bytes) -> None:
        """Handle complete frames, and buffer the rest."""
        buffer = self.buffer + data if self.buffer else data
        if not self.is_open:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self.buffer = head
                return
            self.is_open = b" 101 " in head[:32]
            self.on_open()
        at = 0
        while self.is_open and (frame := parse_frame(buffer, at)) is not None:
            code, first, at = frame
            if code == 1:
                self.on_text(buffer[first:at])
            elif code == 9:
                self._write(10, buffer[first:at])
        self.buffer = buffer[at:]

    def send(self, **message: Any) -> None:
        self._write(1, json.dumps(message).encode())

    def _write(self, code: int, data: bytes) -> None:
        """Write a masked frame. A mask of zeros leaves the data unchanged."""
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE, len(data) >> 8, len(data) & 255])
        if self.transport is not None and not self.lost:
            self.transport.write(bytes([0x80 | code]) + size + b"\0\0\0\0" + data)

    def on_open(self) -> None:
        """Called when the handshake is complete and messages can be sent."""

    def on_text(self, data: bytes) -> None:
        """Called with each text message."""


def parse_frame(buffer: bytes, at: int) -> tuple[int, int, int] | None:
    """Parse the frame at position `at`: return its opcode and its payload's start and end; None if it is incomplete."""
    if len(buffer) < at + 2:
        return None
    code, size, first = buffer[at] & 15, buffer[at + 1], at + 2
    if size > 125:
        first += 2 if size == 126 else 8
        size = int.from_bytes(buffer[at + 2 : first], "big")
    return (code, first, first + size) if len(buffer) >= first + size else None


class HostClient(WebSocketClient):
    """The connection of a table's host, which arranges the table and starts the game."""

    def __init__(self, table: str, key: str) -> None:
        super().__init__(table)
        self.join_message = {"type": "join", "table": table, "key": key, "protocol": 3}
        self.last_message = b""
        self.received = asyncio.Event()

    def on_open(self) -> None:
        self.send(**self.join_message)

    def on_text(self, data: bytes) -> None:
        self.last_message = data
        self.received.set()

    async def wait_for_content(self, content: bytes) -> None:
        """Wait until the last message contains these bytes."""
        while content not in self.last_message:
            self.received.clear()
            await asyncio.wait_for(self.received.wait(), SETUP_TIMEOUT)


class PlayerClient(WebSocketClient):
    """The connection of a seat; it plays random legal moves."""

    def __init__(self, table: "LoadTable", seat: str, key: str, gets_pages: bool) -> None:
        super().__init__(table.name)
        self.table = table
        self.join_message = {"type": "join", "table": table.name, "key": key, "protocol": 3}
        if gets_pages:
            self.join_message |= {"format": "html", "build": page_build()}
        self.seat = seat
        self.gets_pages = gets_pages
        self.first_update = asyncio.Event()  # also set when the connection is lost
        self.choice: int | None = None
        self.answered: int | None = None
        self.legal = b""  # JSON
        self.decoder = FragmentDecoder()
        self.parts: dict[str, str] = {}  # of the page, while there is a decision

    def on_open(self) -> None:
        self.send(**self.join_message)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.table.measurements.lost += 1
        self.first_update.set()  # The waiting task reconnects.

    def on_text(self, data: bytes) -> None:
        if data.startswith((b'{"type":"update"', b'{"type":"page"')):
            self.table.on_update(self, data)
            self._read_update(data)
            self.first_update.set()
        elif data.startswith(b'{"type": "done"'):
            self.table.on_acknowledged()
        elif data.startswith(b'{"type": "error"'):
            self.table.on_refused(data)

    def _read_update(self, data: bytes) -> None:
        """Read the number of the open choice and its legal moves; the first seat also follows the stage."""
        stage = STAGE.search(data)
        if stage is not None and self.seat == SEAT_LETTERS[0]:
            self.table.on_stage(PAGE_STAGES.get(stage[1], stage[1]))
        choice = CHOICE.search(data)
        self.choice = None if choice is None else int(choice[1])
        if self.gets_pages:
            self._read_page(data)
        elif self.choice is not None:
            legal = LEGAL.search(data)
            self.legal = legal[1] if legal is not None else b"[]"

    def _read_page(self, data: bytes) -> None:
        parts = self.decoder.decode_parts(json.loads(data))
        seen = SEEN.search(parts.get("stage", ""))
        if seen is not None:
            self.choice = None  # The next page has the moves.
            self.send(**json.loads(seen[1]))
        if self.choice is None:
            self.parts.clear()
            return
        for name, html in parts.items():
            fragments = SECTIONS.split(html)
            if name == "stage":
                self.parts = dict(zip(fragments[1::2], fragments[2::2], strict=True))
            else:
                self.parts[name] = html

    @property
    def has_decision(self) -> bool:
        return self.choice is not None and self.choice != self.answered

    def play(self, random: Random) -> None:
        moves = self._page_moves(random) if self.gets_pages else self._moves(random)
        other_moves = [move for move in moves if move != "call"]
        move = (
            "call"
            if "call" in moves and (not other_moves or random.random() < CALL_PROBABILITY)
            else random.choice(other_moves)
        )
        self.answered = self.choice
        self.send(type="move", choice=self.choice, move=move, id=1)

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


class LoadTable:
    def __init__(self, name: str, measurements: Measurements, random: Random) -> None:
        self.name = name
        self.measurements = measurements
        self.random = random
        self.players: list[PlayerClient] = []
        self.sent_at = 0.0  # time of the last move
        self.move_pending = False  # whether the last move is not acknowledged yet
        self.not_updated: set[PlayerClient] = set()  # players who have not received its update
        self.seq = 0  # of the latest update
        self.seq_before_move = 0
        self.stage = b"gathering"

    def on_update(self, player: PlayerClient, data: bytes) -> None:
        """Count an update, and record its delay if it is the first since the last move.

        HTML updates have no sequence number, so the first one after a move counts as the update for that move.
        """
        measurements = self.measurements
        measurements.updates += 1
        measurements.received_bytes += len(data)
        match = SEQ.search(data, 0, 200)
        seq = self.seq_before_move + 1 if match is None else int(match[1])
        self.seq = max(self.seq, seq)
        if player in self.not_updated and seq > self.seq_before_move:
            self.not_updated.discard(player)
            measurements.updated.append(time.perf_counter() - self.sent_at)

    def on_acknowledged(self) -> None:
        self.move_pending = False
        self.measurements.acknowledged.append(time.perf_counter() - self.sent_at)

    def on_refused(self, data: bytes) -> None:
        self.move_pending = False
        self.measurements.refused += 1
        if self.measurements.refused < 4:
            print(f"table {self.name}: {data.decode()}", file=sys.stderr)

    def on_stage(self, stage: bytes) -> None:
        """Start the first game, and a rematch after each game."""
        if stage != self.stage and stage in (b"over", b"gathering"):
            self.players[0].send(type="rematch" if stage == b"over" else "start")
        self.stage = stage

    def tick(self) -> None:
        """Play a move if the last one is acknowledged and a player has a decision."""
        players = [player for player in self.players if player.has_decision]
        if self.move_pending or not players:
            self.measurements.skipped_ticks += 1
            return
        self.measurements.late_updates += len(self.not_updated)
        mover = self.random.choice(players)
        self.not_updated = {player for player in self.players if player is not mover}
        self.move_pending = True
        self.seq_before_move = self.seq
        self.sent_at = time.perf_counter()
        mover.play(self.random)


def _child_pids(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _cpu_seconds(pids: list[int]) -> float:
    """Return the total CPU time of processes, in seconds."""
    used = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum([int(fields[11]) + int(fields[12]) for fields in used]) / CLOCK_TICK


class ServerProcesses:
    """One or several servers as child processes; several are behind HAProxy. Players connect to `port`."""

    def __init__(self, database: str, count: int, cluster: PostgresServer | None, stack: ExitStack) -> None:
        self.cluster = cluster
        options = ("--tables", "1000000")
        servers = [Server(database, options, environment=ENVIRONMENT) for _ in range(count)]
        for server in servers:
            server.start()
            stack.callback(server.stop)
        self.pids = [server.process.pid for server in servers if server.process is not None]
        self.port, self.proxy_pids = servers[0].port, list[int]()
        if count > 1:
            proxy = stack.enter_context(run_haproxy(servers))
            assert proxy.process is not None
            self.port, self.proxy_pids = proxy.port, [proxy.process.pid]

    def memory(self) -> int:
        """Return the resident memory of all servers, in bytes."""
        pages = sum([int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.pids])
        return pages * resource.getpagesize()

    def cpu_seconds(self) -> dict[str, float]:
        """Return the CPU times of the servers, of HAProxy and of PostgreSQL, if they were started for this test."""
        postgres: list[int] = []
        if self.cluster is not None:
            first = int((self.cluster.folder / "data/postmaster.pid").read_text().split()[0])
            postgres = [first, *_child_pids(first)]
        pids = {"server": self.pids, "proxy": self.proxy_pids, "database": postgres}
        return {name: _cpu_seconds(numbers) for name, numbers in pids.items()}


class Load:
    """The tables on one server, their pace, and the measurements."""

    def __init__(self, server: ServerProcesses, connections: int, pace: float, browser_share: float) -> None:
        self.server = server
        self.seats = SEAT_LETTERS[:connections]
        self.pace = pace
        self.browser_share = browser_share
        self.measurements = Measurements()
        self.random = Random(1)
        self.tables: list[LoadTable] = []
        self.idle_memory = server.memory()

    async def start_tables(self, tables: int) -> None:
        """Create tables; their first moves are at random times within one interval."""
        for first in range(0, tables, CONCURRENT_SETUPS):
            self.tables += await asyncio.gather(
                *[self._create_table(index) for index in range(first, min(first + CONCURRENT_SETUPS, tables))]
            )
        for table in self.tables:
            asyncio.get_running_loop().call_later(self.random.random() * self.pace, self._tick, table)

    async def _create_table(self, index: int) -> LoadTable:
        far, near = divmod(index // TABLES_PER_ADDRESS, 250)
        name, key = await self._new_table(f"127.0.{far + 1}.{near + 1}")
        table = LoadTable(name, self.measurements, self.random)
        host = HostClient(name, key)
        await self._connect(host)
        await host.wait_for_content(b'"type":"update"')
        host.send(type="arrange", seats=len(self.seats), boxes=DECKS[index % len(DECKS)])
        await host.wait_for_content(f'"letter":"{self.seats[-1]}"'.encode())
        for place, seat in enumerate(self.seats):
            gets_pages = self.random.random() < self.browser_share
            table.players.append(
                await self._connect_player(table, seat, key if place == 0 else derive_key(key, seat), gets_pages)
            )
        host.send(type="start")
        await host.wait_for_content(b'"stage":"playing"')
        assert host.transport is not None
        host.transport.close()
        return table

    async def _connect_player(self, table: LoadTable, seat: str, key: str, gets_pages: bool) -> PlayerClient:
        """Connect a player to a seat; retry until it gets an update."""
        while True:
            player = PlayerClient(table, seat, key, gets_pages)
            await self._connect(player)
            await asyncio.wait_for(player.first_update.wait(), SETUP_TIMEOUT)
            if not player.lost:
                return player
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _connect(self, client: WebSocketClient) -> None:
        await asyncio.get_running_loop().create_connection(lambda: client, "127.0.0.1", self.server.port)

    async def _new_table(self, address: str) -> tuple[str, str]:
        """Create a table; return its name and its host's key."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(address, 0))
        writer.write(b"POST /tables HTTP/1.1\r\nHost: load\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        answer = (await asyncio.wait_for(reader.read(), SETUP_TIMEOUT)).decode()
        writer.close()
        match = re.search(r"location: /table/([\w-]+)#([\w-]+)", answer, re.IGNORECASE)
        if match is None:
            raise SystemExit(f"no table was created: {answer[:300]}")
        return match[1], match[2]

    def _tick(self, table: LoadTable) -> None:
        asyncio.get_running_loop().call_later(self.pace, self._tick, table)
        table.tick()

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Measure for a number of seconds; return the figures by name."""
        await asyncio.sleep(self.pace)  # until all tables have started
        measurements = self.measurements = Measurements()
        for table in self.tables:
            table.measurements = measurements
            table.not_updated.clear()
        cpu, own, started = self.server.cpu_seconds(), time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        seconds = time.perf_counter() - started
        moves = len(measurements.acknowledged)
        cpu_shares = {name: (end - cpu[name]) / seconds for name, end in self.server.cpu_seconds().items()}
        used = cpu_shares["server"] * seconds
        memory = self.server.memory()
        return {
            "browsers_percent": round(self.browser_share * 100),
            "tables": len(self.tables),
            "connections": sum([not player.lost for table in self.tables for player in table.players]),
            "seconds_per_move": round(self.pace, 2),
            "seconds": round(seconds, 1),
            "moves": moves,
            "moves_per_second": round(moves / seconds, 1),
            "updates_per_second": round(measurements.updates / seconds, 1),
            "acknowledged_ms": percentiles(measurements.acknowledged),
            "updated_ms": percentiles(measurements.updated),
            "bytes_per_update": round(measurements.received_bytes / max(measurements.updates, 1)),
            "server_cpu_share": round(cpu_shares["server"], 3),
            "moves_per_core_second": round(moves / max(used, 0.001)),
            "server_cpu_ms_per_move": round(used / max(moves, 1) * 1000, 3),
            "server_cpu_ms_per_update": round(used / max(measurements.updates, 1) * 1000, 3),
            "client_cpu_share": round((time.process_time() - own) / seconds, 3),
            "client_cpu_ms_per_move": round((time.process_time() - own) / max(moves, 1) * 1000, 3),
            "proxy_cpu_share": round(cpu_shares["proxy"], 3),
            "database_cpu_share": round(cpu_shares["database"], 3),
            "memory_idle_mb": round(self.idle_memory / 1e6, 1),
            "memory_mb": round(memory / 1e6, 1),
            "memory_per_table_kb": round((memory - self.idle_memory) / len(self.tables) / 1e3, 1),
            "refused": measurements.refused,
            "lost_connections": measurements.lost,
            "skipped_ticks": measurements.skipped_ticks,
            "late_updates": measurements.late_updates,
        }


def percentiles(times: list[float]) -> dict[str, float]:
    """Convert times in seconds to percentiles in milliseconds."""
    ordered = sorted(times) or [0.0]
    last = len(ordered) - 1
    places = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "p99.9": 0.999, "max": 1.0}
    return {name: round(ordered[round(last * place)] * 1000, 1) for name, place in places.items()}


def meets_limit(report: dict[str, Any]) -> bool:
    """Whether the 99th percentiles are below the limit and no connection was lost."""
    slowest = max(report["acknowledged_ms"]["p99"], report["updated_ms"]["p99"])
    return bool(slowest < MAX_P99_SECONDS * 1000 and not report["lost_connections"])


def report_lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield a report as lines of names and values."""
    for name, value in report.items():
        shown = (
            "  ".join([f"{key} {number:,}" for key, number in value.items()])
            if isinstance(value, dict)
            else f"{value:,}"
        )
        yield f"{name.replace('_', ' '):26}{shown:>12}"


async def run(server: ServerProcesses, options: argparse.Namespace, browser_share: float) -> list[dict[str, Any]]:
    """Measure once; with --find-limit, repeat at a faster pace until a measurement fails."""
    load = Load(server, options.connections, options.pace, browser_share)
    started = time.perf_counter()
    await load.start_tables(options.tables)
    print(f"{options.tables} tables were created in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    reports: list[dict[str, Any]] = []
    while True:
        reports.append(await load.measure(options.seconds))
        if not options.json:
            print("\n".join([*report_lines(reports[-1]), ""]), flush=True)
        if not options.find_limit or not meets_limit(reports[-1]):
            return reports
        load.pace /= SPEED_UP


@contextmanager
def open_database(options: argparse.Namespace) -> Iterator[tuple[str, PostgresServer | None]]:
    """Yield the given database, or a new one: an SQLite file, or PostgreSQL for several servers."""
    with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
        if options.database or options.servers == 1:
            yield options.database or str(Path(folder) / "tables.db"), None
            return
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = PostgresServer(postgres_binaries(), Path(folder))
        try:
            yield cluster.new_database(), cluster
        finally:
            cluster.stop()


def raise_file_limit(needed: int) -> None:
    """Raise the limit on open files, which the server inherits; exit if `needed` files are not allowed."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    limit = needed if hard != resource.RLIM_INFINITY and hard < needed else hard
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    except ValueError:
        raise SystemExit(f"this needs {needed} open files, and {hard} are allowed (ulimit -n)") from None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="number of tables")
    parser.add_argument("--connections", type=int, choices=(2, 3, 4), default=4, help="players per table")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two moves at a table")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds to measure")
    parser.add_argument(
        "--html", type=float, help="fraction of connections that get pages, as browsers; unless given, first 1, then 0"
    )
    parser.add_argument("--database", help="database for the server; a new one unless given")
    parser.add_argument("--servers", type=int, default=1, help="servers; more than one are behind HAProxy")
    parser.add_argument("--find-limit", action="store_true", help="increase the pace until p99 exceeds 250 ms")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    sockets = options.tables * options.connections
    raise_file_limit((2 * sockets if options.servers > 1 else sockets) + 500)  # HAProxy needs two for each connection.
    reports: list[dict[str, Any]] = []
    for browser_share in BOTH_KINDS if options.html is None else (options.html,):
        with open_database(options) as (url, cluster), ExitStack() as stack:
            server = ServerProcesses(url, options.servers, cluster, stack)
            print(f"the servers are processes {server.pids}", file=sys.stderr)
            reports += uvloop.run(run(server, options, browser_share))
    if options.json:
        print(json.dumps(reports, indent=1))


if __name__ == "__main__":
    main()
