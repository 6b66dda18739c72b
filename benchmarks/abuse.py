"""What hostile clients do to a server, on this machine only and for a few seconds each.

`python benchmarks/abuse.py` measures this source; `--source FOLDER` another one, for a comparison. The table that it
prints is the one in docs/hosting.md.
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

FILES = 1024  # that the server may have open, as on many systems
SECONDS = 5.0  # of each attack
SILENT, HALF, ADDRESSES, CLIENTS, SEERS = 1_100, 500, 87, 16, 60


class Target:
    """A server under attack."""

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
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES)),
        )
        until = time.monotonic() + 60
        while self.visit() is None and time.monotonic() < until:
            time.sleep(0.2)

    def visit(self, address: str = "127.0.0.1") -> float | None:
        """How many seconds the first page takes for somebody new; None if it does not come within two."""
        began = time.monotonic()
        try:
            return (self.ask("GET", "/", address) == 200 and time.monotonic() - began) or None
        except (OSError, HTTPException):
            return None

    def ask(self, method: str, path: str, address: str, body: str = "") -> int:
        """The status of an answer."""
        with closing(HTTPConnection("127.0.0.1", self.port, 2, (address, 0))) as line:
            line.request(method, path, body, {"Content-Type": "application/x-www-form-urlencoded"})
            return line.getresponse().status

    def new_table(self, level: str, address: str) -> tuple[str, str]:
        """A game against one bot: its table and key."""
        with closing(HTTPConnection("127.0.0.1", self.port, 30, (address, 0))) as line:
            line.request(
                "POST", "/play", f"bots=1&level={level}", {"Content-Type": "application/x-www-form-urlencoded"}
            )
            where = line.getresponse().headers["Location"] or ""
        name, _, key = where.removeprefix("/table/").partition("#")
        return name, key

    def usage(self) -> tuple[float, float]:
        """Megabytes of memory, and seconds of CPU so far."""
        folder = Path(f"/proc/{self.process.pid}")
        found = re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())
        times = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks = os.sysconf("SC_CLK_TCK")
        return int(found[1]) / 1024 if found else 0.0, (int(times[11]) + int(times[12])) / ticks

    def line(self, address: str = "127.9.0.1") -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), 2, (address, 0))


@contextmanager
def target(source: Path) -> Iterator[Target]:
    """A fresh server."""
    with tempfile.TemporaryDirectory() as folder:
        one = Target(source, Path(folder))
        try:
            yield one
        finally:
            one.process.terminate()
            try:
                one.process.wait(10)
            except subprocess.TimeoutExpired:
                one.process.kill()
                one.process.wait()


def pings(one: Target) -> str:
    """One socket sends pings, and reads nothing."""
    raw = one.line()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{one.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    raw.recv(4096)
    ping = (struct.pack("!BB", 0x89, 0x80 | 100) + bytes(4) + b"x" * 100) * 200
    (before, cpu), until, cut = one.usage(), time.monotonic() + SECONDS, False
    with closing(raw):
        while time.monotonic() < until and not cut:
            try:
                raw.send(ping)
            except TimeoutError:
                continue
            except OSError:
                cut = True
        after, spent = one.usage()
    return f"{after - before:.0f} MB, {spent - cpu:.1f} s of CPU, {'cut' if cut else 'not cut'}"


def silence(one: Target) -> str:
    """Connections that say nothing; then somebody else comes."""
    with ExitStack() as stack:
        for _ in range(SILENT):
            try:
                stack.enter_context(closing(one.line()))
            except OSError:
                break
        took = one.visit("127.0.0.2")
    return f"{took * 1000:.0f} ms" if took else "locked out"


def half_headers(one: Target) -> str:
    """Connections that send half of a header; how many are open after a while."""
    with ExitStack() as stack:
        lines = []
        for nth in range(HALF):
            raw = stack.enter_context(closing(one.line(f"127.9.{nth // 100}.1")))
            raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
            raw.setblocking(False)
            lines.append(raw)
        time.sleep(15)
        return f"{sum([is_open(raw) for raw in lines])} of {HALF} open after 15 s"


def is_open(raw: socket.socket) -> bool:
    """Whether the server has not hung up."""
    try:
        while raw.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def filling(one: Target) -> str:
    """New tables from many addresses of one network, as fast as some clients can ask."""
    until = time.monotonic() + 2 * SECONDS

    def ask(client: int) -> list[int]:
        answers: list[int] = []
        while time.monotonic() < until:
            address = f"127.10.0.{(len(answers) * CLIENTS + client) % ADDRESSES + 1}"
            try:
                answers.append(one.ask("POST", "/tables", address))
            except (OSError, HTTPException):
                answers.append(0)
        return answers

    with ThreadPoolExecutor(CLIENTS) as crowd:
        answers = [status for some in crowd.map(ask, range(CLIENTS)) for status in some]
    return f"{answers.count(303):,} of {len(answers):,} asked for in {2 * SECONDS:.0f} s"


def thinking(one: Target) -> str:
    """Many tables at which a heavy bot thinks; how long a light bot takes at another."""

    async def play(name: str, key: str, random: Random, waits: list[float] | None) -> None:
        async with connect(f"ws://127.0.0.1:{one.port}/socket", max_queue=None) as line:
            await line.send(json.dumps({"type": "sit", "table": name, "key": key}))
            answered, sent = None, 0.0
            async for text in line:
                said = json.loads(text)
                if said["type"] != "update" or said.get("choice") in (None, answered):
                    continue
                if sent and waits is not None:
                    waits.append(time.monotonic() - sent)
                legal = said["view"]["legal"]
                move = random.choice(legal)
                if move.startswith("peek"):
                    move = " ".join(["peek", *[each.split()[1] for each in random.sample(legal, 2)]])
                answered, sent = said["choice"], time.monotonic()
                await line.send(json.dumps({"type": "move", "choice": answered, "move": move}))

    async def all_at_once() -> list[float]:
        heavy = [one.new_table("seer", f"127.11.0.{nth + 1}") for nth in range(SEERS)]
        light = one.new_table("novice", "127.12.0.1")
        waits: list[float] = []
        tasks = [asyncio.create_task(play(*table, Random(nth), None)) for nth, table in enumerate(heavy)]
        await asyncio.sleep(1)
        tasks.append(asyncio.create_task(play(*light, Random(99), waits)))
        await asyncio.sleep(3 * SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return waits

    waits = sorted(asyncio.run(all_at_once()))
    if not waits:
        return f"no move in {3 * SECONDS:.0f} s"
    return f"{len(waits)} moves, {statistics.median(waits) * 1000:.0f} ms in the middle, {waits[-1]:.1f} s at worst"


CASES: dict[str, Callable[[Target], str]] = {
    f"one socket sends pings for {SECONDS:.0f} s and reads nothing": pings,
    f"{SILENT:,} silent connections from one address: the first page for somebody else": silence,
    f"{HALF} half headers": half_headers,
    f"new tables from {ADDRESSES} addresses": filling,
    f"{SEERS} tables with `seer`: a game against `novice`": thinking,
}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=Path(__file__).parents[1] / "src")
    source = parser.parse_args().source.resolve()
    print("| attack | what happens |\n| --- | --- |")
    for words, attack in CASES.items():
        with target(source) as one:
            print(f"| {words} | {attack(one)} |", flush=True)


if __name__ == "__main__":
    main()
