"""Two servers, PostgreSQL and HAProxy, with players at both, and trouble of every kind while games go on.

`make test-failover` runs it for longer (benchmarks/failover.py), and prints what it measured.
"""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.failover.test_crash import FailurePlayer, FailureRun, compare_with_log, start_random_game
from tests.support.databases import PostgresServer
from tests.support.server import TIMEOUT, Server

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
MISSING = "HAProxy is not installed, and servers are tested behind it: `make test` installs the Debian package haproxy"
MOVES_BETWEEN_FAILURES = 30  # acknowledged moves from one trouble to the next
RECOVERY_SECONDS = 1.0  # seconds without a broken line until everybody counts as back
FREEZE_SECONDS = 10.0  # seconds: long enough that nobody comes back only because the server wakes up
AGAIN, MORE, LONGEST = 0.4, 1.6, 8.0  # seconds until the page connects again, and how that grows (static/table.js)


@contextmanager
def run_haproxy(servers: list[Server], configuration: Path = CONFIGURATION) -> Iterator[Server]:
    """HAProxy in front of two servers, as we recommend it."""
    found = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.fail(MISSING)
    door = Server("")
    names = {"BIND": f"127.0.0.1:{door.port}"}
    names |= {name: f"127.0.0.1:{server.port}" for name, server in zip(("ONE", "TWO"), servers, strict=True)}
    process = subprocess.Popen([found, "-q", "-f", str(configuration)], env={**os.environ, **names})
    try:
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            assert process.poll() is None, "HAProxy did not start"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", door.port)) == 0 and door.request("/ready").status == 200:
                    break
        yield door
    finally:
        process.terminate()
        process.wait(TIMEOUT)


class ClusterFailureRun(FailureRun):
    """Two servers behind a proxy, to which things happen one after the other."""

    long = True
    pause = 0.1

    def __init__(
        self, cluster: PostgresServer, servers: list[Server], door: Server, random: Random, troubles: list[str]
    ) -> None:
        super().__init__(door, random)
        self.cluster = cluster
        self.servers = servers
        self.moves = 0
        self.absent_since: dict[int, float] = {}  # since when each player is away
        self.next_delays: dict[int, float] = {}  # how long they wait before they connect again
        self.absences: defaultdict[str, list[float]] = defaultdict(list)  # by what was the trouble
        self.failure = ""
        self.failed_at: float | None = None  # when it began, if it was at one moment for all
        self.failures = troubles
        self.failure_count = 0
        self.next_failure = asyncio.Event()

    @property
    def is_over(self) -> bool:
        return self.failure_count == len(self.failures)

    def socket_path(self, table: str) -> str:
        """Half of the players come to whatever server: as if they had another proxy."""
        return f"/socket/{table if self.random.random() < 0.5 else self.random.random()}"

    def on_connected(self, player: FailurePlayer) -> None:
        self.next_delays.pop(id(player), None)
        if id(player) in self.absent_since:
            self.absences[self.failure].append(time.monotonic() - self.absent_since.pop(id(player)))

    def on_disconnected(self, player: FailurePlayer) -> None:
        """Absences count from the trouble itself: a line to a frozen server breaks long after that."""
        self.absent_since.setdefault(id(player), self.failed_at or time.monotonic())

    def reconnect_delay(self, player: FailurePlayer) -> float:
        """Come back as the page does."""
        wait = self.next_delays.get(id(player), AGAIN)
        self.next_delays[id(player)] = min(wait * MORE, LONGEST)
        return wait

    def on_acknowledged(self) -> None:
        self.moves += 1
        if self.moves % MOVES_BETWEEN_FAILURES == 0:
            self.next_failure.set()

    async def run(self) -> None:
        """One trouble after the other, each after some moves."""
        for trouble in self.failures:
            self.next_failure.clear()
            await self.next_failure.wait()
            self.failure, self.failed_at = trouble, time.monotonic()
            await getattr(self, trouble)()
            while self.absent_since:
                await asyncio.sleep(0.05)
            self.failure_count += 1

    def busiest_server(self) -> Server:
        """The server at which most are: after trouble with it, they are at the other one."""
        self.servers.reverse()
        return self.servers[0]

    async def crash(self) -> None:
        """kill -9 of a server."""
        server = self.busiest_server()
        server.kill()
        await asyncio.sleep(RECOVERY_SECONDS)
        await asyncio.to_thread(server.start)

    async def freeze(self) -> None:
        """SIGSTOP of a server, until the others have its tables, and SIGCONT."""
        server = self.busiest_server()
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(FREEZE_SECONDS)
        finally:
            server.process.send_signal(signal.SIGCONT)
        await asyncio.sleep(RECOVERY_SECONDS)

    async def lose_database(self) -> None:
        """kill -9 of PostgreSQL and all its processes at once."""
        await asyncio.to_thread(self.cluster.stop)
        await asyncio.to_thread(self.cluster.start)
        await asyncio.sleep(RECOVERY_SECONDS)

    async def restart(self) -> None:
        """A rolling restart: each server in turn, with a moment for the proxy to see that the first is back."""
        self.failed_at = None  # it takes long, and each player is away for a moment of it
        for server in reversed(self.servers):  # where most are is the last
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(server._wait_for_exit)
            await asyncio.to_thread(server.start)
            await asyncio.sleep(1.5)


def play_through_failures(cluster: PostgresServer, tables: int, troubles: list[str], seed: int = 1) -> dict[str, Any]:
    """Play, with trouble; what was measured. Fails if a move is neither lost nor doubled, but not as it was sent."""
    random = Random(seed)
    url = cluster.new_database()
    complaints = tempfile.TemporaryFile()  # noqa: SIM115  (for as long as the servers run)
    servers = [Server(url, stderr=complaints), Server(url, stderr=complaints)]
    for server in servers:
        server.start()

    async def play(door: Server) -> tuple[list[FailurePlayer], ClusterFailureRun]:
        players = [player for _ in range(tables) for player in await start_random_game(door, random)]
        world = ClusterFailureRun(cluster, servers, door, random, troubles)
        trouble = asyncio.create_task(world.run())
        games = asyncio.gather(*[player.play(world) for player in players])
        await asyncio.wait_for(games, 300 + 60 * len(troubles))
        assert trouble.done(), f"the games were over before {world.failure}"
        await trouble
        return players, world

    try:
        with run_haproxy(servers) as door:
            players, world = asyncio.run(play(door))
    finally:
        for server in servers:
            server.stop()
        complaints.seek(0)
        said = complaints.read().decode()
        complaints.close()
    assert "Exception in ASGI application" not in said, said[-5000:]
    assert world.is_over
    tally = compare_with_log(url, players, died=False)
    assert not tally.differences, tally
    return {
        "players": len(players),
        "troubles": len(troubles),
        "acknowledged": tally.acknowledged,
        "lost": tally.lost,
        "doubled": tally.doubled,
        "connections broken": world.broken_connections,
        "seconds until back": {name: percentiles(sorted(times)) for name, times in world.absences.items()},
    }


def percentiles(times: list[float]) -> dict[str, float]:
    """The median, the 99th percentile and the longest of sorted times."""
    last = len(times) - 1
    nth = {"p50": last // 2, "p99": round(last * 0.99), "max": last}
    return {"absences": len(times), **{name: round(times[at], 2) for name, at in nth.items()}}


@pytest.mark.long
def test_no_trouble_loses_a_move(cluster: PostgresServer) -> None:
    figures = play_through_failures(
        cluster, 3, ["crash", "lose_database", "restart"]
    )  # (test_servers.py has a frozen one)
    assert figures["acknowledged"] > 3 * MOVES_BETWEEN_FAILURES
    assert (figures["lost"], figures["doubled"]) == (0, 0)


def test_the_proxy_hides_the_operators_pages_however_their_path_is_written(server: Server) -> None:
    with run_haproxy([server, server]) as door:
        for path in ("/metrics", "/%6detrics", "/admin/tables", "/%61dmin%2ftables", "/admin%2Fbans"):
            assert door.request(path).status == 404, path
        assert door.request("/").status == 200


def test_the_proxy_closes_unfinished_requests(server: Server, tmp_path: Path) -> None:
    text = CONFIGURATION.read_text()
    assert "timeout http-request 10s\n" in text
    (tmp_path / "haproxy.cfg").write_text(text.replace("timeout http-request 10s", "timeout http-request 200ms"))
    with (
        run_haproxy([server, server], tmp_path / "haproxy.cfg") as door,
        socket.create_connection(("127.0.0.1", door.port), TIMEOUT) as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: silver.example\r\n")
        assert slow.recv(1000).startswith(b"HTTP/1.1 408")
        assert slow.recv(1000) == b""
