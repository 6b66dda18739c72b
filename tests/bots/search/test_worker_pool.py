"""The seer thinks elsewhere: in time, until told to stop, and whatever becomes of the process."""

import os
import signal
from collections.abc import Iterator
from threading import Thread
from time import monotonic

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.search import worker_pool
from argentum.bots.search.search_bot import PROCESSES_VARIABLE
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
def crew(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerPool]:
    """One thinker, for this test alone, who is not given up because the machine is slow."""
    one = WorkerPool(1)
    monkeypatch.setattr(worker_pool, "POOL", one)
    monkeypatch.setattr(worker_pool, "GRACE_SECONDS", PATIENCE)
    yield one
    one.shutdown()


def to_choose() -> Game:
    """A position with something to think about: seat A may draw, take or call."""
    position = {"boxes": "coin", "deck": "6 9 7 10 3 5 12 2 8", "discard": "4"}
    villages = {"villages": {"A": "3 5 2 6", "B": "5 6 7 8"}, "seen": {"A": "A1 A2 A3", "B": "B1 B2"}}
    return Game.at(position | villages)


def order(seconds: float = 0.05, deals: int = 0) -> SearchRequest:
    """What a seer would ask there."""
    game = to_choose()
    return SearchRequest(game.text(), "A", game.legal_moves(), 1, seconds, deals)


def only(crew: WorkerPool) -> SearchWorker:
    """The thinker at work."""
    (thinker,) = crew.all
    return thinker


def test_it_thinks_in_another_process_which_stays(crew: WorkerPool) -> None:
    bot = SeerBot(1, seconds=0.02)
    game = to_choose()
    assert ask(bot, game, "A") in game.legal()
    first = only(crew)
    assert first.process.pid != os.getpid()
    assert ask(bot, game, "A") in game.legal()
    assert only(crew) is first


def test_the_answer_is_the_same_here_and_elsewhere(crew: WorkerPool) -> None:
    assert SearchTask().run(order(deals=6)) == order(deals=6).best(lambda: False)


def test_it_keeps_its_time(crew: WorkerPool) -> None:
    began = monotonic()
    SearchTask().run(order(0.1))
    assert monotonic() - began < PATIENCE  # there are deals for days


def test_it_stops_when_told(crew: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0)
    game = to_choose()
    SearchTask().run(order(0.0))
    answers = []
    thread = Thread(target=lambda: answers.append(ask(bot, game, "A")))
    thread.start()
    while not bot.search_task.workers:
        thread.join(0.005)
    bot.close()
    thread.join(PATIENCE)
    assert answers[0] in game.legal()


def test_a_killed_thinker_costs_one_thought_and_is_replaced(crew: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0)
    game = to_choose()
    SearchTask().run(order(0.0))
    killed = only(crew)
    answers = []
    thread = Thread(target=lambda: answers.append(ask(bot, game, "A")))
    thread.start()
    while not bot.search_task.workers:
        thread.join(0.005)
    os.kill(killed.process.pid, signal.SIGKILL)
    thread.join(PATIENCE)
    assert answers == [make("steady").choose(game.view("A"))]
    assert SearchTask().run(order(deals=3)) == order(deals=3).best(lambda: False)
    assert only(crew) is not killed


def test_a_thinker_that_died_unnoticed_is_replaced(crew: WorkerPool) -> None:
    SearchTask().run(order(0.0))
    killed = only(crew)
    os.kill(killed.process.pid, signal.SIGKILL)
    killed.process.wait()
    assert SearchTask().run(order(deals=3)) == order(deals=3).best(lambda: False)


def test_no_answer_in_time_is_steadys(crew: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    SearchTask().run(order(0.0))
    monkeypatch.setattr(worker_pool, "GRACE_SECONDS", 0.0)
    os.kill(only(crew).process.pid, signal.SIGSTOP)
    assert SearchTask().run(order(0.01)) == order().candidates[0]
    assert not crew.all


def test_where_none_can_be_started_steady_plays(crew: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    bot, game = SeerBot(1), to_choose()
    assert ask(bot, game, "A") == make("steady").choose(game.view("A"))


def test_where_the_thinker_fails_steady_plays(crew: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "WORKER_COMMAND", "raise SystemExit(3)")
    bot, game = SeerBot(1), to_choose()
    assert ask(bot, game, "A") == make("steady").choose(game.view("A"))


def test_where_all_are_busy_steady_plays(crew: WorkerPool) -> None:
    crew.free.get()
    assert SearchTask().run(order(0.01)) == order().candidates[0]


def test_a_process_that_forks_does_not_share_its_thinkers(crew: WorkerPool) -> None:
    SearchTask().run(order(0.0))
    theirs = only(crew)
    crew.reset()  # as it happens in the child
    assert SearchTask().run(order(deals=3)) == order(deals=3).best(lambda: False)
    assert only(crew) is not theirs
    theirs.terminate()


def test_it_sits_at_a_table_in_the_browser(crew: WorkerPool) -> None:
    assert "seer" in [name for name, _, _ in bot_menu()]
    game, bot = to_choose(), SeerBot(1, seconds=0.02)
    steps = play_bot(game, "A", bot).steps
    assert steps
    assert crew.all


@pytest.mark.parametrize("budget", ["", "many", "1m", "s", "0", "-2", "nans"])
def test_a_budget_that_is_none_is_refused(budget: str) -> None:
    with pytest.raises(ValueError, match="is not a budget: write 200"):
        make(f"seer:{budget}")


@pytest.fixture
def team(crew: WorkerPool) -> WorkerPool:
    """Three thinkers, who have started."""
    crew.grow(3)
    SearchTask().run(order(deals=3), 3)
    return crew


def waiting(crew: WorkerPool) -> list[SearchWorker | None]:
    """The thinkers that have nothing to do."""
    return list(crew.free.queue)


def test_however_many_think_together_the_answer_is_the_same(team: WorkerPool) -> None:
    """Also over the points at which candidates are dropped, and where a share is longer than what is left."""
    for deals in (2, 12, 29, 150):
        alone = order(deals=deals).best(lambda: False)
        assert [SearchTask().run(order(deals=deals), processes) for processes in (2, 3)] == [alone, alone]
    assert len(team.all) == len(waiting(team)) == 3


def test_all_rows_of_a_team_are_those_of_one_in_the_same_order(team: WorkerPool) -> None:
    mates: list[WorkerLink] = [team.acquire(PATIENCE) for _ in range(3)]
    asked = order(deals=9)
    moves = asked.candidates
    alone = asked.sampled_deals()
    together = ParallelSearch(mates, asked, PATIENCE, lambda: 3)
    for last, left in ((7, moves), (8, moves), (110, moves[1:])):  # on from the seventh: shares begin anywhere
        assert together.play(left, last) == alone.run(left, last, lambda: False)


def test_a_team_keeps_its_time_and_stops_when_told(team: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0, processes=3)
    game = to_choose()
    assert SearchTask().run(order(0.05), 3) in order().candidates
    answers = []
    thread = Thread(target=lambda: answers.append(ask(bot, game, "A")))
    thread.start()
    while len(bot.search_task.workers) < 3:
        thread.join(0.005)
    bot.close()
    thread.join(PATIENCE)
    assert answers[0] in game.legal()
    assert len(waiting(team)) == 3


def test_of_a_team_all_but_one_go_where_they_are_wanted(team: WorkerPool) -> None:
    bot = SeerBot(1, seconds=600.0, processes=3)
    thread = Thread(target=lambda: ask(bot, to_choose(), "A"))
    thread.start()
    while len(bot.search_task.workers) < 3:
        thread.join(0.005)
    with team.waiting(), team.waiting():
        assert SearchTask().run(order(PATIENCE, 3)) == order(deals=3).best(lambda: False)
        assert not team.acquire_more(3)
        while len(bot.search_task.workers) > 1:
            thread.join(0.005)
    bot.close()
    thread.join(PATIENCE)
    assert len(waiting(team)) == 3


def test_what_a_lost_thinker_of_a_team_had_to_do_is_done_here(team: WorkerPool) -> None:
    lost = next(iter(team.all))
    os.kill(lost.process.pid, signal.SIGSTOP)
    answers = []
    thread = Thread(target=lambda: answers.append(SearchTask().run(order(deals=40), 3)))
    thread.start()
    os.kill(lost.process.pid, signal.SIGKILL)
    thread.join(PATIENCE)
    assert answers == [order(deals=40).best(lambda: False)]
    assert SearchTask().run(order(deals=3), 3) == order(deals=3).best(lambda: False)


def test_a_seer_may_be_given_cores(crew: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    game = to_choose()
    assert ask(make("seer:9@3", 1), game, "A") == ask(make("seer:9", 1), game, "A")
    made = make("seer:0.5s@4")
    assert isinstance(made, SeerBot)
    assert (made.seconds, made.deals, made.processes) == (0.5, 0, 4)
    monkeypatch.setenv(PROCESSES_VARIABLE, "2")
    assert SeerBot(1).processes == 2
    monkeypatch.setenv(PROCESSES_VARIABLE, "0")
    assert SeerBot(1).processes == 1
    for cores in ("", "0", "x", "1.5", "1000"):
        with pytest.raises(ValueError, match="is not a number of cores"):
            make(f"seer:200@{cores}")
