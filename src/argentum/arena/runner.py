"""Run jobs in this process, in worker processes or on a Ray cluster, and cache their results in a JSONL file."""

import json
from collections.abc import Generator, Sequence
from contextlib import closing
from importlib import import_module
from itertools import islice
from os import SEEK_END, environ
from pathlib import Path
from typing import Any

from argentum.arena.jobs import ArenaDeal, Job, PlayedJob, SeatResult, play_job
from argentum.processes import TASKS_PER_PROCESS, process_count, run_tasks


def run_jobs(jobs: Sequence[Job], processes: int = 0, ray: str = "") -> Generator[PlayedJob, None, None]:
    """Play jobs and yield each with its result when it is done, in any order.

    With `processes=0`, use one process per core; if `ray` is given, use the Ray cluster at that address instead.
    """
    processes = min(process_count(processes), len(jobs))
    if ray:
        yield from run_on_ray(jobs, ray)
    elif processes > 1:
        with closing(run_tasks(play_job, [(job,) for job in jobs], processes)) as results:
            for (job,), seats in results:
                yield job, seats
    else:
        for job in jobs:
            yield job, play_job(job)


def run_on_ray(jobs: Sequence[Job], address: str) -> Generator[PlayedJob, None, None]:
    """Play games on a Ray cluster whose machines have Argentum installed; `local` starts one on this machine.

    Raise ValueError if Ray is not installed or there is no cluster at `address`.
    """
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise ValueError("a cluster needs Ray, which is not installed: pip install 'argentum[cluster]'") from None
    try:
        environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics
        ray.init(address, include_dashboard=False, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ValueError(f"there is no Ray cluster at {address!r}: {str(error).splitlines()[0]}") from None
    try:
        remote = ray.remote(play_job)
        ahead = TASKS_PER_PROCESS * max(int(ray.cluster_resources().get("CPU", 1)), 1)
        pending = iter(jobs)
        running: dict[Any, Job] = {}
        while True:
            for job in islice(pending, ahead - len(running)):
                running[remote.remote(job)] = job
            if not running:
                break
            done, _ = ray.wait(list(running))
            for played in done:
                yield running.pop(played), ray.get(played)
    finally:
        ray.shutdown()


def read_results(file: Path) -> dict[Job, tuple[SeatResult, ...]]:
    """Read the results in a file, one game per line; ignore an incomplete last line.

    Raise ValueError if another line is invalid.
    """
    results: dict[Job, tuple[SeatResult, ...]] = {}
    for line_number, line in enumerate(read_complete_lines(file).splitlines(), 1):
        try:
            played = json.loads(line)
            job = Job(ArenaDeal(*played["deal"]), tuple(played["seating"]))
            results[job] = tuple([SeatResult(*seat) for seat in played["seats"]])
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{file}, line {line_number}: this is not a game of the arena") from None
    return results


def read_complete_lines(file: Path) -> str:
    """Return the complete lines of a file; empty if there is no file."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text[: text.rfind("\n") + 1]


def format_result_line(played: PlayedJob) -> str:
    """Format a game as a line of the results file."""
    job, seats = played
    return json.dumps({"deal": job.deal, "seating": job.seating, "seats": seats}, separators=(",", ":"))


def run_jobs_cached(
    jobs: Sequence[Job], file: Path | None = None, processes: int = 0, ray: str = ""
) -> Generator[PlayedJob, None, None]:
    """Yield each job with its result: first those found in `file`, then the others as they are played.

    Newly played jobs are appended to `file`. Without a file, play all jobs.
    """
    jobs = list(dict.fromkeys(jobs))
    if file is None:
        yield from run_jobs(jobs, processes, ray)
        return
    cached = read_results(file)
    yield from [(job, cached[job]) for job in jobs if job in cached]
    missing = [job for job in jobs if job not in cached]
    if missing:
        with file.open("r+" if file.exists() else "w", encoding="utf-8") as out:
            out.truncate(len(read_complete_lines(file).encode()))
            out.seek(0, SEEK_END)
            for played in run_jobs(missing, processes, ray):
                print(format_result_line(played), file=out, flush=True)
                yield played
