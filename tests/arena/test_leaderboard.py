"""The leaderboard: entries are verified, and results that cannot be reproduced are refused."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from argentum.arena import leaderboard
from argentum.arena.jobs import Job, PlayedJob, play_job
from argentum.arena.match import Match
from argentum.bots.moon import NETWORK_FILE
from argentum.cli import main
from tests.arena.fake_results import fake_results

DOCUMENTED_LEADERBOARD: Final = Path(__file__).parents[2] / "docs" / "leaderboard.json"


def run_arena(*words: str) -> Result:
    result = CliRunner().invoke(main, ["arena", *words, "--processes", "1"])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture(scope="module")
def leaderboard_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the text of a leaderboard with two entries, written by `argentum arena`."""
    file = tmp_path_factory.mktemp("leaderboard") / "board.json"
    result = run_arena("novice", "random", "--games", "2", "--boxes", "coin,random", "--leaderboard", str(file))
    assert result.exit_code == 0
    assert "2 entries" in result.stderr
    return file.read_text()


@pytest.fixture
def board(tmp_path: Path, leaderboard_text: str) -> Path:
    file = tmp_path / "board.json"
    file.write_text(leaderboard_text)
    return file


def change_first_entry(board: Path, **values: Any) -> str:
    """Change values of the first entry of a leaderboard file; return the name of the file."""
    data = json.loads(board.read_text())
    data["entries"][0].update(values)
    board.write_text(json.dumps(data))
    return str(board)


def test_the_leaderboard_is_printed_and_verified(board: Path) -> None:
    result = run_arena("--leaderboard", str(board), "--check", "1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["novice", "random"], ["random", "novice"]]
    assert lines[-2:] == [
        "reproduced: novice random, coin, 2 players, seed 1",
        "reproduced: novice random, random mixes, 2 players, seed 1",
    ]


def test_an_entry_is_verified_with_its_version_of_the_rulings() -> None:
    """These deals end differently with each version (C1, D10). An entry that states no version has version 1."""
    cell = {"bots": ["novice", "random"], "boxes": "dcdddddddddddd", "players": 2, "seed": 3, "deals": 5}
    header = {"version": "1.0.0rc1", "files": {}, "milliseconds": {}, "machine": "", "games": []}
    first = leaderboard.entry_from_json(cell | header)
    assert first.rulings == 1
    scores = {
        rulings: [leaderboard.game_score(play_job(job)) for job in first._replace(rulings=rulings).jobs]
        for rulings in (1, 2)
    }
    assert scores[1] != scores[2]
    entry = first._replace(games=tuple(scores[1]))
    assert leaderboard.verify_entry(entry, 99, Random(1), play_jobs) == []
    assert leaderboard.verify_entry(entry._replace(rulings=2), 99, Random(1), play_jobs) != []
    assert leaderboard.entry_to_json(entry)["rulings"] == 1


def play_jobs(jobs: list[Job]) -> Iterator[PlayedJob]:
    return ((job, play_job(job)) for job in jobs)


def test_the_leaderboard_is_printed_as_json(board: Path) -> None:
    entries = json.loads(run_arena("--leaderboard", str(board), "--json").stdout)["entries"]
    assert [(item["boxes"], item["seed"], "errors" in item) for item in entries] == [
        ("coin", 1, False),
        ("random", 1, False),
    ]
    assert {item["bot"] for item in entries[0]["standings"]} == {"novice", "random"}
    assert entries[0]["standings"][0]["wins"]["mean"] >= 0.5
    games = [[[seat[0] + 1, seat[1]] for seat in game] for game in json.loads(board.read_text())["entries"][0]["games"]]
    result = run_arena("--leaderboard", change_first_entry(board, games=games), "--check", "1", "--json")
    assert result.exit_code == 1
    assert [len(item["errors"]) for item in json.loads(result.stdout)["entries"]] == [1, 0]


def test_an_entry_identifies_its_games_version_and_machine(board: Path) -> None:
    entry = json.loads(board.read_text())["entries"][0]
    assert (entry["bots"], entry["boxes"], entry["players"], entry["seed"]) == (["novice", "random"], "coin", 2, 1)
    assert (entry["deals"], len(entry["games"])) == (1, 2)
    assert entry["milliseconds"]["novice"] > 0
    assert entry["machine"]
    assert entry["version"]


def test_an_entry_whose_replayed_games_differ_is_refused(board: Path) -> None:
    games = [[[seat[0] + 1, seat[1]] for seat in game] for game in json.loads(board.read_text())["entries"][0]["games"]]
    result = run_arena("--leaderboard", change_first_entry(board, games=games), "--check", "1")
    assert result.exit_code == 1
    assert "refused: novice random, coin" in result.stdout
    assert "replayed it is" in result.stdout
    assert "reproduced: novice random, random mixes" in result.stdout


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"won": {"novice": [0.5, 0, 1], "random": [0.5, 0, 1]}}, "are not those of its games"),
        ({"games": [[[1, 1]]]}, "must have 2 games of 2"),
        ({"deals": 2}, "must have 4 games of 2"),
        ({"games": [1, 2]}, "is not a leaderboard"),
    ],
)
def test_figures_that_contradict_the_games_are_refused(board: Path, values: dict[str, Any], message: str) -> None:
    result = run_arena("--leaderboard", change_first_entry(board, **values))
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("name", ["moon", "moon:100", "moon without C8", "exploiter of moon"])
def test_an_entry_has_the_digest_of_the_network_file(name: str) -> None:
    match = Match([name, "random"], ["coin"], [2], 2, 1)
    (entry,) = leaderboard.make_entries(match, 1, fake_results(match.jobs))
    assert entry.file_digests == {name: sha256(Path(NETWORK_FILE).read_bytes()).hexdigest()}


def test_the_entries_in_the_documentation_are_reproduced() -> None:
    """Games of networks are not replayed, because their results may differ between processors."""
    for entry in leaderboard.read_leaderboard(DOCUMENTED_LEADERBOARD):
        assert leaderboard.network_digests(entry.bots) == entry.file_digests
        if not entry.file_digests:
            assert leaderboard.verify_entry(entry, 2, Random(1), play_jobs) == []


def test_an_entry_of_another_network_file_is_refused(tmp_path: Path) -> None:
    match = Match(["moon", "random"], ["coin"], [2], 2, 1)
    (entry,) = leaderboard.make_entries(match, 1, fake_results(match.jobs))
    assert list(entry.file_digests) == ["moon"]
    board = tmp_path / "board.json"
    leaderboard.write_leaderboard(board, [entry._replace(file_digests={"moon": "0" * 64})])
    result = run_arena("--leaderboard", str(board), "--check", "1")
    assert result.exit_code == 1
    assert "moon is another network than the one that played" in result.stdout
    without_file = entry._replace(bots=("missing.npz", "random"), milliseconds={"missing.npz": 1.0, "random": 1.0})
    leaderboard.write_leaderboard(board, [without_file])
    assert "there is no file missing.npz" in run_arena("--leaderboard", str(board), "--check", "1").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["seer:0.1s", "steady", "--leaderboard", "board.json"], "has a time limit"),
        (["moon:0.1s", "steady", "--leaderboard", "board.json"], "has a time limit"),
        (["quick", "steady", "--check", "3"], "--check needs --leaderboard"),
        (["--abilities", "--leaderboard", "board.json"], "needs a match"),
        (["--leaderboard", "missing.json"], "There is no file missing.json"),
    ],
)
def test_games_that_a_leaderboard_cannot_contain_are_refused(words: list[str], message: str) -> None:
    result = run_arena(*words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_later_entry_of_the_same_games_replaces_an_earlier_one(tmp_path: Path) -> None:
    match = Match(["novice", "random"], ["coin"], [2], 4, 1)
    entries = leaderboard.make_entries(match, 1, fake_results(match.jobs))
    file = tmp_path / "board.json"
    leaderboard.write_leaderboard(file, [*entries, *entries, entries[0]._replace(seed=2)])
    assert [entry.seed for entry in leaderboard.read_leaderboard(file)] == [1, 2]
    assert leaderboard.read_leaderboard(file)[0] == entries[0]
