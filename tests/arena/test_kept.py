"""Games that are kept in a file."""

from pathlib import Path

import pytest

from argentum.arena import runner
from argentum.arena.contest import Cell, jobs_of
from argentum.arena.jobs import Job, deals
from tests.arena.made_up import made_up

JOBS = jobs_of(Cell(("novice", "random"), "dagger", 2), deals("dagger", 2, 3, 1))


def forbid(jobs: list[Job], *_: object) -> None:
    raise AssertionError(f"{len(jobs)} games are played again")


def test_games_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    first = dict(runner.played_once(JOBS[:4], file, 1))
    assert dict(runner.played_once(JOBS, file, 1)).keys() == set(JOBS)
    assert len(file.read_text().splitlines()) == len(JOBS)
    monkeypatch.setattr(runner, "played", forbid)
    again = dict(runner.played_once(JOBS, file))
    assert {job: again[job] for job in first} == first  # to the last digit of the time that they took


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = "".join([runner.written(one) + "\n" for one in made_up(JOBS).items()])
    file.write_text(whole[:-30])
    assert len(runner.read(file)) == len(JOBS) - 1
    assert len(dict(runner.played_once(JOBS, file, 1))) == len(JOBS)
    assert len(runner.read(file)) == len(JOBS)


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann,\n")
    with pytest.raises(ValueError, match=r"letter\.txt, line 1: this is not a game of the arena"):
        dict(runner.played_once(JOBS, file, 1))
    assert file.read_text() == "Dear Ann,\n"
