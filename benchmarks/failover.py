"""Two servers, HAProxy and PostgreSQL: games go on while each is killed, frozen and restarted, again and again.

Run it from the repository's root: `make test-failover`. It fails if a move is lost or doubled, or somebody is
away for long.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

from tests.failover.test_proxy import evening
from tests.support.databases import Cluster, binaries

TROUBLES = ["crash", "freeze", "lose_database", "restart"]
BACK_WITHIN = 5.0  # seconds


def main() -> None:
    """Run the proof."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5, help="of all kinds of trouble")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Cluster(binaries(), Path(folder))
        try:
            figures = evening(cluster, options.tables, TROUBLES * options.rounds)
        finally:
            cluster.stop()
    print(json.dumps(figures, indent=2))
    assert figures["lost"] == figures["doubled"] == 0, "moves were lost or doubled"
    longest = max([times["max"] for times in figures["seconds until back"].values()])
    assert longest < BACK_WITHIN, f"somebody was away for {longest} s"


if __name__ == "__main__":
    main()
