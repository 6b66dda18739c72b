"""Failover test: games on several servers with HAProxy and PostgreSQL, while each part fails in turn.

`make test-failover` runs it. It fails if a move is lost or played twice, or a player is disconnected for too long. For
each number of servers it prints a table of the times until players were back.
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tests.support.databases import PostgresServer, postgres_binaries
from tests.support.failover import play_through_failures

FAILURES = {
    "crash": "`kill -9` of a server",
    "freeze": "a server frozen for 10 s (SIGSTOP)",
    "lose_database": "`pg_ctl -m immediate stop` of PostgreSQL, and its start",
    "restart": "rolling restart of all servers",
    "misroute": "a proxy that does not route by table (`balance roundrobin`), and back",
}
MAX_RECONNECT_SECONDS = 5.0


def table_lines(figures: dict[str, Any]) -> list[str]:
    """Return the figures of a run as lines of Markdown."""
    head = "{servers} servers, {players} players, {failures} failures, {acknowledged:,} acknowledged moves:"
    lines = [
        f"{head} {{lost}} lost, {{doubled}} doubled".format_map(figures),
        "",
        "| failure | disconnections | back after: median | 99th percentile | maximum |",
        "| --- | --- | --- | --- | --- |",
    ]
    for failure, times in figures["seconds_to_reconnect"].items():
        seconds = " | ".join([f"{times[name]:.1f} s" for name in ("p50", "p99", "max")])
        lines.append(f"| {FAILURES[failure]} | {times['absences']} | {seconds} |")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, nargs="+", default=[2, 3], help="numbers of servers to test")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5, help="number of times that each kind of failure is caused")
    parser.add_argument("--failures", nargs="+", choices=FAILURES, default=list(FAILURES))
    options = parser.parse_args()
    for servers in options.servers:
        with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
            if os.geteuid() == 0:
                shutil.chown(folder, "postgres")
            cluster = PostgresServer(postgres_binaries(), Path(folder))
            try:
                figures = play_through_failures(cluster, options.tables, options.failures * options.rounds, servers)
            finally:
                cluster.stop()
        print("\n".join(table_lines(figures)), flush=True)
        assert figures["lost"] == figures["doubled"] == 0, "moves were lost or doubled"
        longest = max([times["max"] for times in figures["seconds_to_reconnect"].values()])
        assert longest < MAX_RECONNECT_SECONDS, f"a player was disconnected for {longest} s"


if __name__ == "__main__":
    main()
