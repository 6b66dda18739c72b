"""Measure how abusive clients affect a server on this machine. Each attack lasts a few seconds and has its own server.

`python benchmarks/abuse.py` prints the table of docs/hosting.md; `--source FOLDER` measures another version of the
source.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random

from websockets.asyncio.client import connect

MAX_OPEN_FILES = 1024  # of the server, as on many systems
SECONDS = 5.0  # per attack
SILENT_CONNECTIONS, HALF_HEADERS, ADDRESSES, CLIENTS, SEER_TABLES = 1_100, 500, 87, 16, 60


class AttackedServer:
    """A server process, and requests to it."""

    def __init__(self, source: Path, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        command = [sys.executable, "-m", "argentum", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--database", str(folder / "tables.db"), "--bot-pause", "0"]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(source)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES)),
        )
        deadline = time.monotonic() + 60
        while self.visit() is None and time.monotonic() < deadline:
            time.sleep(0.2)

    def visit(self, address: str = "127.0.0.1") -> float | None:
        """Load the first page; return the seconds that it took, or None on an error or after two seconds."""
        started = time.monotonic()
        try:
            return (self.request("GET", "/", address) == 200 and time.monotonic() - started) or None
        except (OSError, HTTPException):
            return None

    def request(self, method: str, path: str, address: str, body: str = "") -> int:
        """Send a request; return the status of the response."""
        with closing(HTTPConnection("127.0.0.1", self.port, 2, (address, 0))) as connection:
            connection.request(method, path, body, {"Content-Type": "application/x-www-form-urlencoded"})
            return connection.getresponse().status

    def new_table(self, level: str, address: str) -> tuple[str, str]:
        """Create a game against one bot; return the table's name and the seat's key."""
        with closing(HTTPConnection("127.0.0.1", self.port, 30, (address, 0))) as connection:
            connection.request(
                "POST", "/play", f"bots=1&level={level}", {"Content-Type": "application/x-www-form-urlencoded"}
            )
            location = connection.getresponse().headers["Location"] or ""
        name, _, key = location.removeprefix("/table/").partition("#")
        return name, key

    def usage(self) -> tuple[float, float]:
        """Return the server's memory in megabytes and its CPU time in seconds."""
        folder = Path(f"/proc/{self.process.pid}")
        match = re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())
        times = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks = os.sysconf("SC_CLK_TCK")
        return int(match[1]) / 1024 if match else 0.0, (int(times[11]) + int(times[12])) / ticks

    def open_socket(self, address: str = "127.9.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 2, (address, 0))


@contextmanager
def run_target(source: Path) -> Iterator[AttackedServer]:
    """Context manager: start a server on a new database, and stop it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        target = AttackedServer(source, Path(folder))
        try:
            yield target
        finally:
            target.process.terminate()
            try:
                target.process.wait(10)
            except subprocess.TimeoutExpired:
                target.process.kill()
                target.process.wait()


def flood_with_pings(target: AttackedServer) -> str:
    """Send pings on one WebSocket without reading the replies; report memory and CPU time."""
    raw = target.open_socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    raw.recv(4096)
    ping = (struct.pack("!BB", 0x89, 0x80 | 100) + bytes(4) + b"x" * 100) * 200
    (before, cpu), deadline, cut = target.usage(), time.monotonic() + SECONDS, False
    with closing(raw):
        while time.monotonic() < deadline and not cut:
            try:
                raw.send(ping)
            except TimeoutError:
                continue
            except OSError:
                cut = True
        after, spent = target.usage()
    return f"{after - before:.0f} MB, {spent - cpu:.1f} s of CPU, {'cut' if cut else 'not cut'}"


def open_silent_connections(target: AttackedServer) -> str:
    """Open connections that send nothing; report how long the first page takes from another address."""
    with ExitStack() as stack:
        for _ in range(SILENT_CONNECTIONS):
            try:
                stack.enter_context(closing(target.open_socket()))
            except OSError:
                break
        duration = target.visit("127.0.0.2")
    return f"{duration * 1000:.0f} ms" if duration else "locked out"


def send_half_headers(target: AttackedServer) -> str:
    """Send an incomplete request header on many connections; report how many are open after 15 s."""
    with ExitStack() as stack:
        sockets = []
        for index in range(HALF_HEADERS):
            raw = stack.enter_context(closing(target.open_socket(f"127.9.{index // 100}.1")))
            raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
            raw.setblocking(False)
            sockets.append(raw)
        time.sleep(15)
        return f"{sum([is_open(raw) for raw in sockets])} of {HALF_HEADERS} open after 15 s"


def is_open(raw: socket.socket) -> bool:
    """Read all received data; return whether the server has kept the connection open."""
    try:
        while raw.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def create_many_tables(target: AttackedServer) -> str:
    """Create tables from many addresses of one network as fast as possible; report how many were created."""
    deadline = time.monotonic() + 2 * SECONDS

    def create_tables(client: int) -> list[int]:
        statuses: list[int] = []
        while time.monotonic() < deadline:
            address = f"127.10.0.{(len(statuses) * CLIENTS + client) % ADDRESSES + 1}"
            try:
                statuses.append(target.request("POST", "/tables", address))
            except (OSError, HTTPException):
                statuses.append(0)
        return statuses

    with ThreadPoolExecutor(CLIENTS) as executor:
        statuses = [status for batch in executor.map(create_tables, range(CLIENTS)) for status in batch]
    return f"{statuses.count(303):,} of {len(statuses):,} requested in {2 * SECONDS:.0f} s"


def keep_bots_busy(target: AttackedServer) -> str:
    """Play at many tables with slow bots; report how long moves take at a table with a fast bot."""

    async def play(name: str, key: str, random: Random, waits: list[float] | None) -> None:
        async with connect(f"ws://127.0.0.1:{target.port}/socket", max_queue=None) as connection:
            await connection.send(json.dumps({"type": "join", "table": name, "key": key}))
            answered, sent = None, 0.0
            async for text in connection:
                message = json.loads(text)
                if message["type"] != "update" or message.get("choice") in (None, answered):
                    continue
                if sent and waits is not None:
                    waits.append(time.monotonic() - sent)
                legal = message["view"]["legal"]
                move = random.choice(legal)
                if move.startswith("peek"):
                    move = " ".join(["peek", *[peek.split()[1] for peek in random.sample(legal, 2)]])
                answered, sent = message["choice"], time.monotonic()
                await connection.send(json.dumps({"type": "move", "choice": answered, "move": move}))

    async def play_all() -> list[float]:
        slow_tables = [target.new_table("seer", f"127.11.0.{index + 1}") for index in range(SEER_TABLES)]
        fast_table = target.new_table("novice", "127.12.0.1")
        waits: list[float] = []
        tasks = [asyncio.create_task(play(*table, Random(index), None)) for index, table in enumerate(slow_tables)]
        await asyncio.sleep(1)
        tasks.append(asyncio.create_task(play(*fast_table, Random(99), waits)))
        await asyncio.sleep(3 * SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return waits

    waits = sorted(asyncio.run(play_all()))
    if not waits:
        return f"no move in {3 * SECONDS:.0f} s"
    return f"{len(waits)} moves, {statistics.median(waits) * 1000:.0f} ms median, {waits[-1]:.1f} s maximum"


ATTACKS: dict[str, Callable[[AttackedServer], str]] = {
    f"one socket sends pings for {SECONDS:.0f} s and reads nothing": flood_with_pings,
    f"{SILENT_CONNECTIONS:,} silent connections from one address: the first page from another": open_silent_connections,
    f"{HALF_HEADERS} half headers": send_half_headers,
    f"new tables from {ADDRESSES} addresses": create_many_tables,
    f"{SEER_TABLES} tables with `seer`: a game against `novice`": keep_bots_busy,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=Path(__file__).parents[1] / "src")
    source = parser.parse_args().source.resolve()
    print("| attack | effect |\n| --- | --- |")
    for title, attack in ATTACKS.items():
        with run_target(source) as target:
            print(f"| {title} | {attack(target)} |", flush=True)


if __name__ == "__main__":
    main()
