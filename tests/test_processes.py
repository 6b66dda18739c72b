"""Worker processes: pools that hold objects, and executors for single tasks."""

import os
import signal
import time
from itertools import count
from multiprocessing import active_children

import pytest

from argentum.processes import ProcessPool, WorkerLost, run_tasks


class Counter:
    """An object to be held by worker processes."""

    def __init__(self, start: int) -> None:
        if start < 0:
            raise ValueError(f"{start} is below 0")
        self.value = start

    def add(self, amount: int) -> int:
        if not amount:
            raise ValueError("nothing to add")
        self.value += amount
        return self.value


def test_each_process_holds_its_own_objects() -> None:
    pool = ProcessPool(2, "test")
    low, high = pool.add(Counter, [(0,), (10,)]), pool.add(Counter, [(100,), (200,)])
    low.send("add", 1)
    high.send("add", 5)
    low.send("add", 1)
    assert high.receive() == [105, 205], "results of one object can be received before those of another"
    assert low.receive() == [1, 11]
    assert low.receive() == [2, 12]
    with pytest.raises(ValueError, match="already started"):
        pool.add(Counter, [(0,), (0,)])
    pool.close()
    assert not active_children()


def test_a_failed_call_is_reported_with_the_traceback_of_the_process() -> None:
    pool = ProcessPool(1, "test")
    counters = pool.add(Counter, [(0,)])
    counters.send("add", 0)
    with pytest.raises(WorkerLost, match=r'(?s)worker process 1 of 1 of the test failed:.*in add\n.*"nothing to add"'):
        counters.receive()
    pool.close()


def test_an_object_that_cannot_be_created_is_reported() -> None:
    pool = ProcessPool(1, "test")
    counters = pool.add(Counter, [(-3,)])
    counters.send("add", 1)
    with pytest.raises(WorkerLost, match="ValueError: -3 is below 0"):
        counters.receive()
    pool.close()


def test_processes_ignore_interrupts_and_end_when_they_are_killed() -> None:
    pool = ProcessPool(1, "test")
    counters = pool.add(Counter, [(0,)])
    counters.send("add", 1)
    assert counters.receive() == [1]
    (worker,) = pool.workers
    os.kill(worker.pid, signal.SIGINT)
    counters.send("add", 1)
    assert counters.receive() == [2]
    os.kill(worker.pid, signal.SIGKILL)
    while active_children():
        time.sleep(0.01)
    with pytest.raises(WorkerLost, match=r"is gone \(exit code -9\)"):
        counters.send("add", 1)
    pool.close()


def square_slowly(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0.0)
    return number * number


def test_tasks_are_taken_as_they_can_be_run() -> None:
    tasks = count()
    results = run_tasks(square_slowly, ((number,) for number in tasks), 2, in_order=True)
    assert [next(results) for _ in range(20)] == [((number,), number * number) for number in range(20)]
    results.close()
    assert next(tasks) < 40
    assert not active_children()


def test_results_come_as_they_are_done() -> None:
    results = list(run_tasks(square_slowly, [(number,) for number in range(6)], 2))
    assert sorted(results) == [((number,), number * number) for number in range(6)]


def test_an_error_in_a_task_ends_the_others() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_tasks(divmod, [(1, number) for number in (1, 0, *range(1, 50))], 2))
    assert not active_children()
