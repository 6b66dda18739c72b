"""Who plays the games: the results are the same."""

from multiprocessing import active_children

import pytest

from argentum.arena.contest import Cell, jobs_of
from argentum.arena.jobs import Job, Result, deals
from argentum.arena.runner import played

JOBS = jobs_of(Cell(("novice", "steady"), "random", 2), deals("random", 2, 2, 1))


def without_time(games: dict[Job, tuple[Result, ...]]) -> dict[Job, list[Result]]:
    return {job: [seat._replace(seconds=0.0) for seat in seats] for job, seats in games.items()}


@pytest.fixture(scope="module")
def alone() -> dict[Job, list[Result]]:
    """The games, played by this process."""
    return without_time(dict(played(JOBS, 1)))


def test_two_processes_come_to_the_same(alone: dict[Job, list[Result]]) -> None:
    assert without_time(dict(played(JOBS, 2))) == alone
    assert not active_children()


def test_leaving_early_ends_the_processes() -> None:
    games = played(JOBS * 50, 2)
    next(games)
    assert len(active_children()) == 2
    games.close()
    assert not active_children()


@pytest.mark.long
def test_a_cluster_of_two_workers_comes_to_the_same(alone: dict[Job, list[Result]]) -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        assert without_time(dict(played(JOBS, ray=cluster.address))) == alone
    finally:
        cluster.shutdown()


def test_no_cluster_is_said_in_words() -> None:
    with pytest.raises(ValueError, match="there is no Ray cluster at 'nowhere'"):
        dict(played(JOBS, ray="nowhere"))
