"""Run contestants alternately and report median rates, so that other load on the machine affects all of them equally.

Each contestant runs in processes of its own, started from the benchmark's script with the argument `--contest`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import process_time

# Runs for about the given seconds; returns one or more counts of operations, followed by the seconds taken.
Contestant = Callable[[float], tuple[float, ...]]
CONTEST = "--contest"


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options `--plain` and `--compiled`: the paths of the two builds."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--plain", default="src", help="path of the plain build")
    parser.add_argument("--compiled", default="build/compiled", help="path of the compiled build")
    return parser


def run_contestant(kinds: Mapping[str, Callable[..., Contestant]], seconds: float) -> bool:
    """If the command line has `--contest`, run as the process of a contestant and return True; else return False.

    Each line on standard input starts a run of about `seconds`. Its counts are printed as a line of JSON.
    """
    if sys.argv[1:2] != [CONTEST]:
        return False
    run = kinds[sys.argv[2]](*[int(arg) if arg.isdigit() else arg for arg in sys.argv[3:]])
    run(seconds)  # warm up
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(run(seconds)), flush=True)
    return True


def fastest_time(run: Callable[[], int], runs: int) -> float:
    """Return the CPU time per operation of the fastest run; `run` returns its number of operations."""
    times: list[float] = []
    for _ in range(runs):
        started = process_time()
        operations = run()
        times.append((process_time() - started) / operations)
    return min(times)


class ContestantProcesses:
    """The processes of one contestant, with the build at `path`."""

    def __init__(self, title: str, path: str, kind: str, *args: object, processes: int = 1) -> None:
        self.title = title
        self.rates: list[list[float]] = []  # by run: one rate per count, summed over the processes
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
        if any(line != "ready" for line in self._read_lines()):
            raise SystemExit(f"{title} did not start; to see why: PYTHONPATH={path} {' '.join(command)}")

    def _read_lines(self) -> list[str]:
        """Read a line from each process."""
        return [process.stdout.readline().strip() for process in self.processes if process.stdout is not None]

    def run(self) -> None:
        """Start a run in all processes at the same time, wait for them, and store their rates."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        rates = [[count / seconds for count in counts] for *counts, seconds in map(json.loads, self._read_lines())]
        self.rates.append([sum(rate) for rate in zip(*rates, strict=True)])

    def close(self) -> list[float]:
        """End the processes; return the median rates."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
        return [statistics.median(rates) for rates in zip(*self.rates, strict=True)]


def measure(contestants: Iterable[ContestantProcesses], turns: int) -> dict[str, list[float]]:
    """Run the contestants alternately, `turns` times each; return their median rates by title."""
    contestants = list(contestants)
    for _ in range(turns):
        for contestant in contestants:
            contestant.run()
    return {contestant.title: contestant.close() for contestant in contestants}
