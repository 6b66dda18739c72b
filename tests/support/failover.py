"""Games on several servers behind HAProxy, with failures of the servers, of PostgreSQL and of the routing."""

import asyncio
import os
import re
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

from tests.support.databases import PostgresServer
from tests.support.failures import FailurePlayer, FailureRun, compare_with_log, start_random_game
from tests.support.server import TIMEOUT, Server

HAPROXY_CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
MISSING = "HAProxy is not installed: `make test` installs the Debian package haproxy"
MOVES_BETWEEN_FAILURES = 30  # acknowledged moves
RECOVERY_SECONDS = 1.0  # after which players who lost their connection are expected back
MISROUTED_SECONDS = 4.0  # longer than a table stays after it was moved
FREEZE_SECONDS = 10.0  # long enough that other servers take the tables over
# The delays of pages (static/js/table.js): seconds before reconnecting, their growth factor, and their limit.
FIRST_DELAY, DELAY_FACTOR, MAX_DELAY = 0.4, 1.6, 8.0


def haproxy_program() -> str:
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.fail(MISSING)
    return program


class Proxy(Server):
    """HAProxy in front of some servers."""

    def __init__(self, servers: list[Server], folder: Path, configuration: str = "") -> None:
        super().__init__("")
        self.configuration = configuration or HAPROXY_CONFIGURATION.read_text()
        self.folder = folder
        self.servers = servers

    def start(self, balance: str = "") -> None:
        """Start HAProxy; `balance` replaces its routing by table."""
        lines = [
            f"    server server{number} 127.0.0.1:{server.port}\n" for number, server in enumerate(self.servers, 1)
        ]
        text = re.sub(r"(    server server\d .*\n)+", "".join(lines), self.configuration)
        file = self.folder / "haproxy.cfg"
        file.write_text(re.sub("balance .*", f"balance {balance}", text) if balance else text)
        environment = {**os.environ, "BIND": f"127.0.0.1:{self.port}"}
        self.process = subprocess.Popen(
            [haproxy_program(), "-q", "-f", str(file)], env=environment, stdout=subprocess.PIPE
        )
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "HAProxy did not start"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0 and self.request("/ready").status == 200:
                    return


@contextmanager
def run_haproxy(servers: list[Server], configuration: str = "") -> Iterator[Proxy]:
    """Run HAProxy in front of some servers, by default with deploy/haproxy.cfg."""
    with tempfile.TemporaryDirectory() as folder:
        proxy = Proxy(servers, Path(folder), configuration)
        for server in servers:
            server.request("/")  # On a busy machine the first page takes so long that a check of the proxy would fail.
        proxy.start()
        try:
            yield proxy
        finally:
            proxy.kill()


class ClusterFailureRun(FailureRun):
    """Games on several servers behind a proxy, during a sequence of failures."""

    has_long_games = True
    move_delay = 0.1

    def __init__(
        self, cluster: PostgresServer, servers: list[Server], proxy: Proxy, random: Random, failures: list[str]
    ) -> None:
        super().__init__(proxy, random)
        self.proxy = proxy
        self.cluster = cluster
        self.servers = servers
        self.moves = 0
        self.absent_since: dict[int, float] = {}  # by player: when the connection broke
        self.next_delays: dict[int, float] = {}  # by player: seconds until the next attempt to reconnect
        self.absences: defaultdict[str, list[float]] = defaultdict(list)  # by failure: seconds without a connection
        self.failure = ""
        self.failed_at: float | None = None  # None if the failure does not affect all players at once
        self.failures = failures
        self.failure_count = 0
        self.next_failure = asyncio.Event()

    @property
    def is_over(self) -> bool:
        return self.failure_count == len(self.failures)

    def on_connected(self, player: FailurePlayer) -> None:
        if id(player) in self.absent_since:
            self.absences[self.failure].append(time.monotonic() - self.absent_since.pop(id(player)))

    def on_disconnected(self, player: FailurePlayer) -> None:
        """Record the time of the failure, because a connection to a frozen server breaks only later."""
        self.absent_since.setdefault(id(player), self.failed_at or time.monotonic())

    def reconnect_delay(self, player: FailurePlayer, was_open: bool) -> float:
        """Return a delay that grows with each attempt until a socket opens, as in the page's script."""
        delay = FIRST_DELAY if was_open else self.next_delays.get(id(player), FIRST_DELAY)
        self.next_delays[id(player)] = min(delay * DELAY_FACTOR, MAX_DELAY)
        return delay

    def on_acknowledged(self) -> None:
        self.moves += 1
        if self.moves % MOVES_BETWEEN_FAILURES == 0:
            self.next_failure.set()

    async def cause_failures(self) -> None:
        """Cause each failure in turn, after some moves, and wait until all players have reconnected."""
        for failure in self.failures:
            self.next_failure.clear()
            await self.next_failure.wait()
            self.failure, self.failed_at = failure, time.monotonic()
            await getattr(self, failure)()
            while self.absent_since:
                await asyncio.sleep(0.05)
            self.failure_count += 1

    def next_server_to_fail(self) -> Server:
        """Take turns; return the server that has not failed for the longest time."""
        self.servers.append(self.servers.pop(0))
        return self.servers[-1]

    async def crash(self) -> None:
        """Kill a server with SIGKILL and start it again."""
        server = self.next_server_to_fail()
        server.kill()
        await asyncio.sleep(RECOVERY_SECONDS)
        await asyncio.to_thread(server.start)

    async def freeze(self) -> None:
        """Suspend a server until the others have taken its tables over, and resume it."""
        server = self.next_server_to_fail()
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(FREEZE_SECONDS)
        finally:
            server.process.send_signal(signal.SIGCONT)
        await asyncio.sleep(RECOVERY_SECONDS)

    async def lose_database(self) -> None:
        """Kill all processes of PostgreSQL and start it again."""
        await asyncio.to_thread(self.cluster.stop)
        await asyncio.to_thread(self.cluster.start)
        await asyncio.sleep(RECOVERY_SECONDS)

    async def misroute(self) -> None:
        """Replace the proxy by one that sends each connection to the next server, whatever its table."""
        self.failed_at = None  # Players are disconnected whenever another one takes the table to the wrong server.
        for balance in ("roundrobin", ""):
            self.proxy.kill()
            await asyncio.to_thread(self.proxy.start, balance)
            await asyncio.sleep(MISROUTED_SECONDS)
            while self.absent_since:
                await asyncio.sleep(0.05)

    async def restart(self) -> None:
        """Restart one server after the other, with time between for the proxy to notice that the first one is back."""
        self.failed_at = None  # Each player is disconnected for only a part of the restarts.
        for server in list(self.servers):
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(server._wait_for_exit)
            await asyncio.to_thread(server.start)
            await asyncio.sleep(1.5)


def play_through_failures(
    cluster: PostgresServer, tables: int, failures: list[str], server_count: int = 2, seed: int = 1
) -> dict[str, Any]:
    """Play games during failures; return counts, such as those of lost and doubled moves, and times to reconnect."""
    random = Random(seed)
    url = cluster.new_database()
    stderr = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the servers run)
    servers = [Server(url, stderr=stderr) for _ in range(server_count)]
    for server in servers:
        server.start()

    async def play(proxy: Proxy) -> tuple[list[FailurePlayer], ClusterFailureRun]:
        players = [player for _ in range(tables) for player in await start_random_game(proxy, random)]
        run = ClusterFailureRun(cluster, servers, proxy, random, failures)
        failing = asyncio.create_task(run.cause_failures())
        games = asyncio.gather(*[player.play(run) for player in players])
        await asyncio.wait_for(games, 300 + 60 * len(failures))
        assert failing.done(), f"the games were over before {run.failure}"
        await failing
        return players, run

    try:
        with run_haproxy(servers) as proxy:
            players, run = asyncio.run(play(proxy))
    finally:
        for server in servers:
            server.stop()
        stderr.seek(0)
        errors = stderr.read().decode()
        stderr.close()
    assert "Exception in ASGI application" not in errors, errors[-5000:]
    assert run.is_over
    comparison = compare_with_log(url, players, server_died=False)
    assert not comparison.differences, comparison
    return {
        "servers": server_count,
        "players": len(players),
        "failures": len(failures),
        "acknowledged": comparison.acknowledged,
        "lost": comparison.lost,
        "doubled": comparison.doubled,
        "broken_connections": run.broken_connections,
        "seconds_to_reconnect": {name: percentiles(sorted(times)) for name, times in run.absences.items()},
    }


def percentiles(times: list[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the maximum of sorted times."""
    last = len(times) - 1
    indices = {"p50": last // 2, "p99": round(last * 0.99), "max": last}
    return {"absences": len(times), **{name: round(times[index], 2) for name, index in indices.items()}}
