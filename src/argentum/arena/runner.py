"""Run jobs in this process, in worker processes or on a Ray cluster, and cache their results in a JSONL file."""

import json
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from importlib import import_module
from itertools import islice
from multiprocessing import active_children, get_context
from os import SEEK_END, cpu_count, environ
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any, Final

from argentum.arena.jobs import ArenaDeal, Job, PlayedJob, SeatResult, play_job

QUEUED_PER_WORKER: Final = 4  # jobs submitted per worker


def run_jobs(jobs: Sequence[Job], processes: int = 0, ray: str = "") -> Generator[PlayedJob, None, None]:
    """Play jobs and yield each with its result when it is done, in any order.

    With `processes=0`, use one process per core; if `ray` is given, use the Ray cluster at that address instead.
    """
    processes = min(processes or cpu_count() or 1, len(jobs))
    if ray:
        yield from run_on_ray(jobs, ray)
    elif processes > 1:
        yield from run_in_processes(jobs, processes)
    else:
        for job in jobs:
            yield job, play_job(job)


def run_in_processes(jobs: Sequence[Job], processes: int) -> Generator[PlayedJob, None, None]:
    """Play games in worker processes; closing the generator terminates them."""
    other_children = set(active_children())
    # Workers ignore Ctrl-C, so that only this process handles it and terminates them.
    executor = ProcessPoolExecutor(processes, get_context("spawn"), signal, (SIGINT, SIG_IGN))
    pending = iter(jobs)
    running: dict[Future[Any], Job] = {}
    try:
        while True:
            for job in islice(pending, QUEUED_PER_WORKER * processes - len(running)):
                running[executor.submit(play_job, job)] = job
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        if running:
            for child in set(active_children()) - other_children:
                child.terminate()
        executor.shutdown(cancel_futures=True)


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
        ahead = QUEUED_PER_WORKER * max(int(ray.cluster_resources().get("CPU", 1)), 1)
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
