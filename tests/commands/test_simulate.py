"""`argentum simulate`, `argentum verify` and `argentum replay`."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from argentum import Game, records, words
from argentum.cli import main


def run(*words: str, typed: str = "") -> Result:
    """Run a command; fail if it ends with a traceback."""
    result = CliRunner().invoke(main, words, input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def error_message(*words: str) -> str:
    """Run a command that must refuse its input with one line; return the message."""
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("Error: ").rstrip()


# simulate


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
    assert message == f"{tmp_path / 'game-00001.silver'} is another game's record; name another folder"
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
    assert error_message("simulate", "--bots", "stedy").startswith("there is no bot 'stedy'")


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
        == "'gold' is not a token: choose one of amulet, bullet, coin, dagger"
    )


@pytest.mark.parametrize("options", [["--games", "0"], ["--players", "5"], ["--players", "1"], ["--seed", "x"]])
def test_simulate_refuses_numbers_out_of_range(options: list[str]) -> None:
    result = run("simulate", *options)
    assert result.exit_code == 2
    assert f"Invalid value for '{options[0]}'" in result.stderr


def test_simulate_refuses_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in error_message("simulate", "--records", str(tmp_path / "file" / "folder"))


# verify


def test_verify_reports_unreadable_files(tmp_path: Path) -> None:
    file = tmp_path / "game.silver"
    assert error_message("verify", str(file)) == f"{file}: No such file or directory"
    file.write_bytes(b"\xff\xfe")
    assert error_message("verify", str(file)) == f"{file}: this is not a text file"
    file.write_text("Argentum record 1\n", encoding="utf-8")
    assert error_message("verify", str(file)).startswith(f"{file}: ")


# replay


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a finished game's record that has shuffles."""
    game = Game.new("bullet", 2, 4)
    game.rollout(Random(4))
    path = tmp_path_factory.mktemp("records") / "game.silver"
    path.write_text(records.write(game), encoding="utf-8")
    assert "[" in path.read_text(encoding="utf-8")
    return path


def test_replay_shows_a_game_move_by_move(record: Path) -> None:
    game = records.read_file(record)
    lines = run("replay", str(record)).stdout.splitlines()
    assert lines[0] == "Deck bbbbbbbbbbbbbb, silver bullet: A, B"
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2", "Round 3", "Round 4"]
    first, _ = records.written_moves(game)[0]
    seat = first[5]
    dealt = " ".join(map(str, game.deals[0].villages["AB".index(seat)]))
    assert lines[3] == f"  {seat}  {first:24} {dealt}   pile {game.deals[0].discard}"
    assert any("   in hand " in line for line in lines)
    assert sum(line.startswith(("  A  ", "  B  ")) for line in lines) == len(records.written_moves(game))
    assert len([line for line in lines if "the village is shuffled:" in line]) == record.read_text().count("[")
    assert len([line for line in lines if line.startswith("  scores ")]) == 4
    assert lines[-1] == f"Winner: {game.winner}"


def test_replay_prints_scores_and_token_after_each_round(record: Path) -> None:
    game = records.read_file(record)
    output = [line for line in run("replay", str(record)).stdout.splitlines() if line.startswith("  scores ")]
    ends = [game.round_end_view(number) for number in range(1, 5)]
    assert output == [
        f"  scores A {end.scores['A']}, B {end.scores['B']}; totals A {end.totals['A']}, B {end.totals['B']};"
        f" {end.token_seat} holds the bullet, {end.token_state}"
        for end in ends
    ]


def test_replay_explains_each_score(record: Path) -> None:
    game = records.read_file(record)
    output = run("replay", str(record)).stdout
    for number in range(1, 5):
        lines, end = game.explain(number), game.round_end_view(number)
        assert " ".join(words.round_result(lines, end)) in output
        for seat, account in words.score_texts(lines, end).items():
            assert all(f"      {seat} {line.amount:>4}  " in output and line.words in output for line in account)


def test_replay_shows_a_running_game(record: Path, tmp_path: Path) -> None:
    running = tmp_path / "running.silver"
    running.write_text("\n".join(record.read_text(encoding="utf-8").splitlines()[:20]), encoding="utf-8")
    assert run("replay", str(running)).stdout.endswith("\n(the game goes on)\n")
    kinds = [step_kind(step) for step in json_steps(running)]
    assert kinds[:2] == ["game", "deal"]
    assert kinds[-1] == "move"


KEYS = {
    "game": ["game"],
    "deal": ["deal"],
    "move": ["seat", "legal", "position", "sees", "move"],
    "shuffle": ["shuffle"],
    "scores": ["scores", "totals", "token"],
    "winner": ["winner"],
}
POSITION = [
    "villages", "deck", "discard", "shown", "guards", "private", "hand", "direction", "token", "caller", "deck_up",
]  # fmt: skip


def json_steps(path: Path) -> list[dict[str, Any]]:
    result = run("replay", str(path), "--json")
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def step_kind(step: dict[str, Any]) -> str:
    return next(kind for kind in KEYS if kind in step)


def test_replay_as_json_has_one_object_per_line(record: Path) -> None:
    objects = json_steps(record)
    assert all(list(step) == KEYS[step_kind(step)] for step in objects)
    kinds = [step_kind(step) for step in objects]
    assert kinds[:3] == ["game", "deal", "move"]
    assert kinds[-2:] == ["scores", "winner"]
    assert (kinds.count("deal"), kinds.count("scores"), kinds.count("winner")) == (4, 4, 1)
    assert kinds.count("shuffle") == record.read_text(encoding="utf-8").count("[")
    assert kinds.count("move") == len(records.written_moves(records.read_file(record)))


def test_replay_as_json_names_the_game_and_its_deals(record: Path) -> None:
    objects = json_steps(record)
    assert objects[0]["game"] == {"boxes": "b" * 14, "token": "bullet", "players": 2, "names": ["A", "B"]}
    for number, deal in enumerate([step["deal"] for step in objects if "deal" in step], 1):
        assert list(deal) == ["round", "start", "villages", "deck", "discard"]
        assert deal["round"] == number
        assert [len(deal["villages"][seat].split()) for seat in "AB"] == [5, 5]
        assert (len(deal["deck"].split()), len(deal["discard"].split())) == (31, 1)


def test_replay_as_json_has_each_position_before_its_move(record: Path) -> None:
    dealt: dict[str, str] = {}
    for step in json_steps(record):
        if "deal" in step:
            dealt = step["deal"]["villages"]
        if "move" in step:
            assert list(step["position"]) == POSITION
            assert not dealt or step["position"]["villages"] == dealt  # before the first look is over
            assert step["move"] in step["legal"] or " ".join(step["move"].split()[:2]) in step["legal"]
            assert step["seat"] in "AB"
            assert list(step["sees"]) == [step["seat"]]
            assert list(step["sees"][step["seat"]]) == ["A", "B"]
            dealt = {}


def test_replay_as_json_has_the_scores_of_the_game(record: Path) -> None:
    game = records.read_file(record)
    ends = [step for step in json_steps(record) if "scores" in step]
    assert [end["scores"] for end in ends] == game.scores
    assert ends[-1]["totals"] == game.totals
    assert all(end["token"].split()[0] == "bullet" for end in ends)
    assert json_steps(record)[-1] == {"winner": game.winner}


def test_replay_as_json_has_the_village_after_each_shuffle(record: Path) -> None:
    shuffles = [step["shuffle"] for step in json_steps(record) if "shuffle" in step]
    text = record.read_text(encoding="utf-8")
    assert all(f"[{shuffle['village']} {shuffle['cards']}]" in text for shuffle in shuffles)
    assert all(list(shuffle) == ["village", "cards"] for shuffle in shuffles)
