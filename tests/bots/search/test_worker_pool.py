"""Searches in worker processes: time limits, stopping, failures and parallel searches."""

import os
import signal
from collections.abc import Iterator
from threading import Thread
from time import monotonic

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.search import worker_pool
from argentum.bots.search.search_bot import OLD_PROCESSES_VARIABLE, PROCESSES_VARIABLE
from argentum.bots.search.worker_pool import (
    ParallelSearch,
    SearchRequest,
    SearchTask,
    SearchWorker,
    WorkerLink,
    WorkerPool,
)
from argentum.bots.seer import SeerBot
from argentum.display.session import play_bot
from argentum.web.pages.lobby import bot_menu

PATIENCE = 60.0  # seconds


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerPool]:
    """Replace the worker pool of the process with a pool of one worker."""
    pool = WorkerPool(1)
    monkeypatch.setattr(worker_pool, "POOL", pool)
    monkeypatch.setattr(worker_pool, "GRACE_SECONDS", PATIENCE)
    yield pool
    pool.shutdown()


def open_position() -> Game:
    position = {"boxes": "coin", "deck": "6 9 7 10 3 5 12 2 8", "discard": "4"}
    villages = {"villages": {"A": "3 5 2 6", "B": "5 6 7 8"}, "seen": {"A": "A1 A2 A3", "B": "B1 B2"}}
    return Game.at(position | villages)


def make_request(seconds: float = 0.05, deals: int = 0) -> SearchRequest:
    game = open_position()
    return SearchRequest(game.position().known_to("A"), "A", [*game.legal()], 1, seconds, deals)


def only_worker(pool: WorkerPool) -> SearchWorker:
    (worker,) = pool.workers
    return worker


def test_a_search_reuses_its_worker_process(pool: WorkerPool) -> None:
    bot = SeerBot(1, seconds=0.02)
    game = open_position()
    assert ask(bot, game, "A") in game.legal()
    first = only_worker(pool)
    assert first.process.pid != os.getpid()
    assert ask(bot, game, "A") in game.legal()
    assert only_worker(pool) is first


def test_a_worker_gives_the_same_result_as_this_process(pool: WorkerPool) -> None:
    assert SearchTask().search_in_workers(make_request(deals=6)) == make_request(deals=6).search(lambda: False)


def test_a_search_ends_at_its_time_limit(pool: WorkerPool) -> None:
    started = monotonic()
    SearchTask().search_in_workers(make_request(0.1))
    assert monotonic() - started < PATIENCE  # Without a time limit, the search would take days.


def test_closing_the_bot_stops_its_search(pool: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0)
    game = open_position()
    SearchTask().search_in_workers(make_request(0.0))
    answers = []
    thread = Thread(target=lambda: answers.append(ask(bot, game, "A")))
    thread.start()
    while not bot.search_task.workers:
        thread.join(0.005)
    bot.close()
    thread.join(PATIENCE)
    assert answers[0] in game.legal()


def test_a_worker_killed_during_a_search_is_replaced(pool: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0)
    game = open_position()
    SearchTask().search_in_workers(make_request(0.0))
    killed = only_worker(pool)
    answers = []
    thread = Thread(target=lambda: answers.append(ask(bot, game, "A")))
    thread.start()
    while not bot.search_task.workers:
        thread.join(0.005)
    os.kill(killed.process.pid, signal.SIGKILL)
    thread.join(PATIENCE)
    assert answers == [make("steady").choose(game.view("A"))]
    assert SearchTask().search_in_workers(make_request(deals=3)) == make_request(deals=3).search(lambda: False)
    assert only_worker(pool) is not killed


def test_a_worker_that_died_while_idle_is_replaced(pool: WorkerPool) -> None:
    SearchTask().search_in_workers(make_request(0.0))
    killed = only_worker(pool)
    os.kill(killed.process.pid, signal.SIGKILL)
    killed.process.wait()
    assert SearchTask().search_in_workers(make_request(deals=3)) == make_request(deals=3).search(lambda: False)


def test_a_worker_that_does_not_answer_is_discarded(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    SearchTask().search_in_workers(make_request(0.0))
    monkeypatch.setattr(worker_pool, "GRACE_SECONDS", 0.0)
    os.kill(only_worker(pool).process.pid, signal.SIGSTOP)
    assert SearchTask().search_in_workers(make_request(0.01)) == make_request().candidates[0]
    assert not pool.workers


def test_steadys_move_is_played_if_no_worker_can_be_started(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    bot, game = SeerBot(1), open_position()
    assert ask(bot, game, "A") == make("steady").choose(game.view("A"))


def test_steadys_move_is_played_if_the_worker_fails(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "WORKER_COMMAND", "raise SystemExit(3)")
    bot, game = SeerBot(1), open_position()
    assert ask(bot, game, "A") == make("steady").choose(game.view("A"))


def test_the_first_candidate_is_played_if_all_workers_are_busy(pool: WorkerPool) -> None:
    pool.idle_workers.get()
    assert SearchTask().search_in_workers(make_request(0.01)) == make_request().candidates[0]


def test_a_forked_process_starts_its_own_workers(pool: WorkerPool) -> None:
    SearchTask().search_in_workers(make_request(0.0))
    inherited = only_worker(pool)
    pool.reset()  # as os.register_at_fork does in the child
    assert SearchTask().search_in_workers(make_request(deals=3)) == make_request(deals=3).search(lambda: False)
    assert only_worker(pool) is not inherited
    inherited.terminate()


def test_seer_plays_in_a_browser_session(pool: WorkerPool) -> None:
    assert "seer" in [name for name, _, _ in bot_menu()]
    game, bot = open_position(), SeerBot(1, seconds=0.02)
    steps = play_bot(game, "A", bot).steps
    assert steps
    assert pool.workers


@pytest.mark.parametrize("budget", ["", "many", "1m", "s", "0", "-2", "nans"])
def test_invalid_budgets_are_refused(budget: str) -> None:
    with pytest.raises(ValueError, match="is not a budget: write 200"):
        make(f"seer:{budget}")


@pytest.fixture
def pool_of_three(pool: WorkerPool) -> WorkerPool:
    pool.grow(3)
    SearchTask().search_in_workers(make_request(deals=3), 3)
    return pool


def list_idle_workers(pool: WorkerPool) -> list[SearchWorker | None]:
    return list(pool.idle_workers.queue)


def test_the_result_does_not_depend_on_the_number_of_workers(pool_of_three: WorkerPool) -> None:
    for deals in (2, 12, 29, 150):  # before and after the checks that drop candidates
        alone = make_request(deals=deals).search(lambda: False)
        assert [SearchTask().search_in_workers(make_request(deals=deals), processes) for processes in (2, 3)] == [
            alone,
            alone,
        ]
    assert len(pool_of_three.workers) == len(list_idle_workers(pool_of_three)) == 3


def test_a_parallel_search_gives_the_rows_of_a_single_process_in_the_same_order(pool_of_three: WorkerPool) -> None:
    workers: list[WorkerLink] = [pool_of_three.acquire(PATIENCE) for _ in range(3)]
    search_request = make_request(deals=9)
    moves = search_request.candidates
    runner = search_request.make_runner()
    parallel_search = ParallelSearch(workers, search_request, PATIENCE, lambda: 3)
    for last, candidates in ((7, moves), (8, moves), (110, moves[1:])):  # Slices begin at any deal.
        assert parallel_search.play_deals(candidates, last) == runner.run(candidates, last, lambda: False)


def test_a_parallel_search_keeps_its_time_limit_and_can_be_stopped(pool_of_three: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0, processes=3)
    game = open_position()
    assert SearchTask().search_in_workers(make_request(0.05), 3) in make_request().candidates
    answers = []
    thread = Thread(target=lambda: answers.append(ask(bot, game, "A")))
    thread.start()
    while len(bot.search_task.workers) < 3:
        thread.join(0.005)
    bot.close()
    thread.join(PATIENCE)
    assert answers[0] in game.legal()
    assert len(list_idle_workers(pool_of_three)) == 3


def test_a_parallel_search_releases_workers_that_others_wait_for(pool_of_three: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0, processes=3)
    thread = Thread(target=lambda: ask(bot, open_position(), "A"))
    thread.start()
    while len(bot.search_task.workers) < 3:
        thread.join(0.005)
    with pool_of_three.count_waiting_bot(), pool_of_three.count_waiting_bot():
        assert SearchTask().search_in_workers(make_request(PATIENCE, 3)) == make_request(deals=3).search(lambda: False)
        assert not pool_of_three.acquire_more(3)
        while len(bot.search_task.workers) > 1:
            thread.join(0.005)
    bot.close()
    thread.join(PATIENCE)
    assert len(list_idle_workers(pool_of_three)) == 3


def test_the_calling_process_searches_if_a_worker_is_lost(pool_of_three: WorkerPool) -> None:
    lost = next(iter(pool_of_three.workers))
    os.kill(lost.process.pid, signal.SIGSTOP)
    answers = []
    thread = Thread(target=lambda: answers.append(SearchTask().search_in_workers(make_request(deals=40), 3)))
    thread.start()
    os.kill(lost.process.pid, signal.SIGKILL)
    thread.join(PATIENCE)
    assert answers == [make_request(deals=40).search(lambda: False)]
    assert SearchTask().search_in_workers(make_request(deals=3), 3) == make_request(deals=3).search(lambda: False)


def test_a_budget_can_have_a_number_of_processes(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    game = open_position()
    assert ask(make("seer:9@3", 1), game, "A") == ask(make("seer:9", 1), game, "A")
    bot = make("seer:0.5s@4")
    assert isinstance(bot, SeerBot)
    assert (bot.seconds, bot.deals, bot.processes) == (0.5, 0, 4)
    monkeypatch.setenv(PROCESSES_VARIABLE, "2")
    assert SeerBot(1).processes == 2
    monkeypatch.setenv(PROCESSES_VARIABLE, "0")
    assert SeerBot(1).processes == 1
    for cores in ("", "0", "x", "1.5", "1000"):
        with pytest.raises(ValueError, match="is not a number of cores"):
            make(f"seer:200@{cores}")


def test_the_old_variable_for_the_number_of_processes_is_read_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PROCESSES_VARIABLE, raising=False)
    monkeypatch.setenv(OLD_PROCESSES_VARIABLE, "2")
    with pytest.warns(FutureWarning, match=PROCESSES_VARIABLE):
        assert SeerBot(1).processes == 2
