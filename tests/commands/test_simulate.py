import hashlib
import json
from pathlib import Path

import pytest

from argentum import records
from tests.commands.invoke import error_message, run


def simulate_records(folder: Path, *options: str) -> dict[str, str]:
    """Run a simulation; return the records that it writes, by file name."""
    assert run("simulate", "--records", str(folder), *options).exit_code == 0
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def test_simulate_prints_a_summary() -> None:
    result = run("simulate", "--games", "3", "--players", "3")
    assert result.exit_code == 0
    counted, wins, means = result.stdout.splitlines()
    assert counted.startswith("3 games, ")
    assert sum(int(won.split()[1]) for won in wins.removeprefix("wins ").split(", ")) == 3
    assert [mean.split()[0] for mean in means.removeprefix("mean points ").split(", ")] == ["A", "B", "C"]


def test_simulate_writes_a_record_of_each_game(tmp_path: Path) -> None:
    games = simulate_records(tmp_path / "new" / "folder", "--games", "3", "--players", "4", "--boxes", "coin")
    assert list(games) == ["game-00001.silver", "game-00002.silver", "game-00003.silver"]
    for record in games.values():
        game = records.read(record)
        assert game.over
        assert game.players == 4
        assert game.cast.code == "c" * 14
    assert len(set(games.values())) == 3


@pytest.mark.parametrize("boxes", ["dagger", "bullet", "random", "dcbdcbdcbdcbdc"])
def test_simulate_is_reproducible(boxes: str, tmp_path: Path) -> None:
    options = ["--boxes", boxes, "--games", "2", "--seed", "7"]
    games = simulate_records(tmp_path / "one", *options)
    assert simulate_records(tmp_path / "two", *options) == games
    assert simulate_records(tmp_path / "three", *options[:-1], "8") != games
    assert simulate_records(tmp_path / "four", *options[:-3], "1", "--seed", "7") == dict([min(games.items())])


def test_simulate_does_not_overwrite_another_record(tmp_path: Path) -> None:
    games = simulate_records(tmp_path, "--games", "1")
    assert len(simulate_records(tmp_path, "--games", "2")) == 2  # the first game is the same
    message = error_message("simulate", "--records", str(tmp_path), "--games", "1", "--seed", "2")
    assert message == f"{tmp_path / 'game-00001.silver'} is another game's record; name another folder."
    assert (tmp_path / "game-00001.silver").read_text(encoding="utf-8") == games["game-00001.silver"]


def test_simulate_with_random_boxes_takes_a_new_deck_each_game(tmp_path: Path) -> None:
    games = simulate_records(tmp_path, "--boxes", "random", "--games", "5")
    assert len({records.read(record).cast.code for record in games.values()}) == 5


def test_simulate_uses_the_given_token(tmp_path: Path) -> None:
    games = simulate_records(tmp_path, "--token", "Bullet", "--games", "1")
    assert records.read(games["game-00001.silver"]).cast.token == "bullet"


def test_simulate_rotates_the_bots_seats(tmp_path: Path) -> None:
    options = ["--bots", "quick,novice", "--players", "3", "--games", "2", "--boxes", "random", "--seed", "5"]
    games = simulate_records(tmp_path / "one", *options)
    assert simulate_records(tmp_path / "two", *options) == games
    names_by_game = [list(records.read(record).names) for record in games.values()]
    assert names_by_game == [["quick A", "novice B", "quick C"], ["novice A", "quick B", "novice C"]]
    summary = json.loads(run("simulate", *options, "--json", "--records", str(tmp_path / "two")).stdout)
    assert summary["bots"] == ["quick", "novice"]
    assert summary["sha256"] == hashlib.sha256("".join(games.values()).encode()).hexdigest()
    assert error_message("simulate", "--bots", "stedy").startswith("There is no bot 'stedy'")


def test_simulate_prints_its_summary_as_json() -> None:
    result = run("simulate", "--games", "4", "--boxes", "random", "--seed", "3", "--json")
    summary = json.loads(result.stdout)
    assert list(summary) == ["games", "boxes", "players", "seed", "decisions", "seconds", "wins", "mean_points"]
    assert (summary["games"], summary["boxes"], summary["players"], summary["seed"]) == (4, "random", 2, 3)
    assert sum(summary["wins"].values()) == 4
    assert set(summary["mean_points"]) == {"A", "B"}
    assert summary["decisions"] > 400


def test_simulate_counts_the_decisions_in_its_records(tmp_path: Path) -> None:
    result = run("simulate", "--games", "1", "--json", "--records", str(tmp_path))
    game = records.read_file(tmp_path / "game-00001.silver")
    assert json.loads(result.stdout)["decisions"] == len(game.history())


def test_simulate_refuses_an_unknown_deck_or_token() -> None:
    assert error_message("simulate", "--boxes", "gold").startswith(
        "'gold' names no deck: give a box (amulet, bullet, coin, dagger)"
    )
    assert error_message("simulate", "--boxes", "ddd").startswith("'ddd' names no deck")
    assert (
        error_message("simulate", "--token", "gold")
        == "'gold' is not a token: choose one of amulet, bullet, coin, dagger."
    )


@pytest.mark.parametrize("options", [["--games", "0"], ["--players", "5"], ["--players", "1"], ["--seed", "x"]])
def test_simulate_refuses_numbers_out_of_range(options: list[str]) -> None:
    result = run("simulate", *options)
    assert result.exit_code == 2
    assert f"Invalid value for '{options[0]}'" in result.stderr


def test_simulate_refuses_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in error_message("simulate", "--records", str(tmp_path / "file" / "folder"))
