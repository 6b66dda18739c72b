"""Jobs run in one process, in several and on a cluster, with cached results."""

from multiprocessing import active_children
from pathlib import Path

import pytest

from argentum.arena import runner
from argentum.arena.contest import Cell, make_jobs
from argentum.arena.jobs import Job, SeatResult, make_deals
from argentum.arena.runner import run_jobs
from tests.arena.fake_results import fake_results

JOBS = make_jobs(Cell(("novice", "steady"), "random", 2), make_deals("random", 2, 2, 1))


def without_time(games: dict[Job, tuple[SeatResult, ...]]) -> dict[Job, list[SeatResult]]:
    return {job: [seat._replace(seconds=0.0) for seat in seats] for job, seats in games.items()}


@pytest.fixture(scope="module")
def expected_results() -> dict[Job, list[SeatResult]]:
    """Return the results of `JOBS` played in this process."""
    return without_time(dict(run_jobs(JOBS, 1)))


def test_two_processes_give_the_same_results(expected_results: dict[Job, list[SeatResult]]) -> None:
    assert without_time(dict(run_jobs(JOBS, 2))) == expected_results
    assert not active_children()


def test_closing_the_generator_ends_the_processes() -> None:
    games = run_jobs(JOBS * 50, 2)
    next(games)
    assert len(active_children()) == 2
    games.close()
    assert not active_children()


@pytest.mark.long
def test_a_cluster_of_two_workers_gives_the_same_results(expected_results: dict[Job, list[SeatResult]]) -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        assert without_time(dict(run_jobs(JOBS, ray=cluster.address))) == expected_results
    finally:
        cluster.shutdown()


def test_a_missing_cluster_is_reported() -> None:
    with pytest.raises(ValueError, match="there is no Ray cluster at 'nowhere'"):
        dict(run_jobs(JOBS, ray="nowhere"))


CACHED_JOBS = make_jobs(Cell(("novice", "random"), "dagger", 2), make_deals("dagger", 2, 3, 1))


def refuse_to_play(jobs: list[Job], *_: object) -> None:
    raise AssertionError(f"{len(jobs)} games are played a second time")


def test_cached_games_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    first = dict(runner.run_jobs_cached(CACHED_JOBS[:4], file, 1))
    assert dict(runner.run_jobs_cached(CACHED_JOBS, file, 1)).keys() == set(CACHED_JOBS)
    assert len(file.read_text().splitlines()) == len(CACHED_JOBS)
    monkeypatch.setattr(runner, "run_jobs", refuse_to_play)
    replayed = dict(runner.run_jobs_cached(CACHED_JOBS, file))
    assert {job: replayed[job] for job in first} == first  # including the measured seconds


def test_the_game_of_an_incomplete_line_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    results = "".join([runner.format_result_line(played) + "\n" for played in fake_results(CACHED_JOBS).items()])
    file.write_text(results[:-30])
    assert len(runner.read_results(file)) == len(CACHED_JOBS) - 1
    assert len(dict(runner.run_jobs_cached(CACHED_JOBS, file, 1))) == len(CACHED_JOBS)
    assert len(runner.read_results(file)) == len(CACHED_JOBS)


def test_a_file_without_results_is_refused_and_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann,\n")
    with pytest.raises(ValueError, match=r"letter\.txt, line 1: this is not a game of the arena"):
        dict(runner.run_jobs_cached(CACHED_JOBS, file, 1))
    assert file.read_text() == "Dear Ann,\n"
