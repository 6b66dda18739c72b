"""Failover test: games on two servers with HAProxy and PostgreSQL, while servers are killed, frozen and restarted.

`make test-failover` runs it. It fails if a move is lost or played twice, or a player is disconnected for too long.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

from tests.support.databases import PostgresServer, postgres_binaries
from tests.support.failover import play_through_failures

FAILURES = ["crash", "freeze", "lose_database", "restart"]
MAX_RECONNECT_SECONDS = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5, help="number of times that each kind of failure is caused")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = PostgresServer(postgres_binaries(), Path(folder))
        try:
            figures = play_through_failures(cluster, options.tables, FAILURES * options.rounds)
        finally:
            cluster.stop()
    print(json.dumps(figures, indent=2))
    assert figures["lost"] == figures["doubled"] == 0, "moves were lost or doubled"
    longest = max([times["max"] for times in figures["seconds_to_reconnect"].values()])
    assert longest < MAX_RECONNECT_SECONDS, f"a player was disconnected for {longest} s"


if __name__ == "__main__":
    main()
