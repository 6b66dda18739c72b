"""Contestants that take turns: each has processes of its own that are told when to run, and the median counts.

Whatever else the machine does falls on all of them. A benchmark is a script that is also each of its contestants.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

# A contestant runs for so many seconds: what it counted, and last the seconds that it took.
Contestant = Callable[[float], tuple[float, ...]]
CONTEST = "--contest"


def options(description: str | None) -> argparse.ArgumentParser:
    """What the command line of a benchmark takes: where the two builds are."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--plain", default="src", help="where the plain build is")
    parser.add_argument("--compiled", default="build/compiled", help="where the compiled build is")
    return parser


def contest(kinds: Mapping[str, Callable[..., Contestant]], seconds: float) -> bool:
    """Be the contestant that the command line names, if it names one, until nobody asks any more.

    A line on standard input starts a run, a line on standard output reports it.
    """
    if sys.argv[1:2] != [CONTEST]:
        return False
    run = kinds[sys.argv[2]](*[int(arg) if arg.isdigit() else arg for arg in sys.argv[3:]])
    run(seconds)  # warm up
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(run(seconds)), flush=True)
    return True


class Lane:
    """A contestant, in as many processes as it needs to use the cores; with the build that lies at a path."""

    def __init__(self, title: str, path: str, kind: str, *args: object, processes: int = 1) -> None:
        self.title = title
        self.rates: list[list[float]] = []  # by turn, of each thing that is counted
        command = [sys.executable, sys.argv[0], CONTEST, kind, *map(str, args)]
        environment = {**os.environ, "PYTHONPATH": str(Path(path).resolve())} if path else dict(os.environ)
        self.processes = [
            subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
            )
            for _ in range(processes)
        ]
        if any(line != "ready" for line in self._lines()):
            raise SystemExit(f"{title} did not start; to see why: PYTHONPATH={path} {' '.join(command)}")

    def _lines(self) -> list[str]:
        """The next line of each process."""
        return [process.stdout.readline().strip() for process in self.processes if process.stdout is not None]

    def run(self) -> None:
        """One turn."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        rates = [[count / seconds for count in counts] for *counts, seconds in map(json.loads, self._lines())]
        self.rates.append([sum(rate) for rate in zip(*rates, strict=True)])

    def close(self) -> list[float]:
        """The median rates."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
        return [statistics.median(rates) for rates in zip(*self.rates, strict=True)]


def measure(lanes: Iterable[Lane], turns: int) -> dict[str, list[float]]:
    """Let the contestants take turns; their median rates by title."""
    lanes = list(lanes)
    for _ in range(turns):
        for lane in lanes:
            lane.run()
    return {lane.title: lane.close() for lane in lanes}
