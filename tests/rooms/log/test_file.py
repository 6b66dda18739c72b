"""Saving and resuming local games as record files."""

from pathlib import Path
from random import Random
from shutil import copyfile

import pytest

from argentum import Game, records
from argentum.rooms.log.file import (
    GameFile,
    SavedGame,
    default_directory,
    record_text,
    unfinished_games,
    unused_path,
)
from tests.support.terminal_tables import SavedTable, games

__all__ = ["games"]


DATA = Path(__file__).parent / "data"


def test_every_move_is_saved_at_once(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    table = SavedTable(games, copy)
    table.play(3, Random(1))  # These are the first looks.
    for _ in range(40):
        table.play(1, Random(1))
        [saved] = games.iterdir()
        assert saved.read_text() == copy.read_text() == record_text(table.game, table.arrangement, table.seed)
        assert records.write(records.read_file(copy)) == records.write(table.game)
    table.play(10_000, Random(1))
    assert records.read_file(copy).over
    assert unfinished_games(games) == []


def test_nothing_is_saved_before_the_player_has_moved(games: Path) -> None:
    table, resumable = SavedTable(games), []
    resumable.append(table.journal.is_resumable)
    table.play(1, Random(1))  # Ann's first look
    resumable.append(table.journal.is_resumable)
    table.play(10_000, Random(1))
    table.start_game()
    resumable.append(table.journal.is_resumable)
    assert resumable == [False, True, False]
    assert len(list(games.iterdir())) == 1


@pytest.mark.parametrize("moves", [3, 30])
def test_a_saved_game_continues_where_it_stopped(games: Path, tmp_path: Path, moves: int) -> None:
    table = SavedTable(games, memory=moves == 30)
    table.play(moves, Random(1))
    [saved] = unfinished_games(games)
    assert saved.arrangement == table.arrangement
    resumed = SavedTable.resumed(saved, tmp_path / "other")
    assert resumed.game.text() == table.game.text()
    assert resumed.journal.arrangement == table.arrangement
    for current in (table, resumed):
        current.play(150, Random(2))
    assert resumed.game.rounds_finished
    assert records.write(resumed.game) == records.write(table.game), "later deals are the same"


def test_a_game_saved_by_an_earlier_version_continues(games: Path) -> None:
    games.mkdir()
    copyfile(DATA / "saved_rc1.silver", games / "2026-11-01-120000.silver")
    [saved] = unfinished_games(games)
    assert (saved.game.round, saved.game.cast.code, saved.commitment) == (2, "dbddcacdcddcab", None)
    assert [(seat.name, seat.bot) for seat in saved.arrangement.seats] == [
        ("Ann", ""), ("Bramble", "steady"), ("Cinder", "novice"), ("Drift", "quick"),
    ]  # fmt: skip
    assert saved.arrangement.memory
    finished = records.read_file(DATA / "saved_rc1_finished.silver")
    table = SavedTable.resumed(saved, games)
    table.repeat(finished.history()[len(saved.game.history()) :])
    assert records.write(table.game) == records.write(finished), "later deals are the same as in that version"
    assert records.read_file(games / "2026-11-01-120000.silver").over


def test_a_resumed_game_is_saved_in_its_own_files(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    SavedTable(games, copy).play(20, Random(1))
    resumed = SavedTable.resumed(unfinished_games(games)[0], games, copy)
    resumed.play(5, Random(2))
    assert len(list(games.iterdir())) == 1
    assert resumed.journal.files.written_copies == [copy]
    assert records.write(records.read_file(copy)) == records.write(resumed.game)


def test_other_files_are_never_overwritten(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    copy.write_text("something of mine")
    table = SavedTable(games, copy)
    table.play(10_000, Random(1))
    assert copy.read_text() == "something of mine"
    first = tmp_path / "mine-2.silver"
    finished = first.read_text()
    table.start_game()
    table.play(20, Random(1))
    assert first.read_text() == finished
    assert table.journal.files.written_copies == [first, tmp_path / "mine-3.silver"]
    assert len(list(games.iterdir())) == 2
    assert len(unfinished_games(games)) == 1


def test_a_game_resumed_twice_is_saved_in_two_files(games: Path) -> None:
    SavedTable(games).play(20, Random(1))
    [saved] = unfinished_games(games)
    first, second = SavedTable.resumed(saved, games), SavedTable.resumed(saved, games)
    first.play(3, Random(2))
    second.play(6, Random(3))
    texts = {SavedGame.read(file, file.read_text()).game.text() for file in games.iterdir()}
    assert texts == {first.game.text(), second.game.text()}


def test_a_failed_save_is_reported_once_and_the_game_continues(games: Path) -> None:
    games.write_text("no folder")
    table = SavedTable(games)
    table.play(10, Random(1))
    assert len(table.errors) == 1
    assert "cannot be saved" in table.errors[0]


def test_a_full_disk_is_reported(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_disk_full(path: Path, *_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", raise_disk_full)
    table = SavedTable(games)
    table.play(10, Random(1))
    assert table.errors == ["The game cannot be saved: No space left on device."]


def test_files_that_are_not_games_are_not_offered(games: Path) -> None:
    games.mkdir()
    (games / "torn.silver").write_text("Argentum record 1\nboxes: dagger\n")
    (games / "bytes.silver").write_bytes(b"\xff\xfe\x00")
    (games / "notes.txt").write_text("hello")
    assert unfinished_games(games) == []
    assert unfinished_games(games / "none") == []


def test_a_record_without_comments_can_be_resumed(games: Path) -> None:
    game = Game.new("coin", 2, 5, names=["Ann", "Bo"])
    for move in ("peek A1 A2", "peek B1 B2"):
        game.play(move, move[5])
    games.mkdir()
    (games / "game.silver").write_text(records.write(game))
    [saved] = unfinished_games(games)
    assert records.write(saved.game) == records.write(game)
    assert saved.arrangement.seats[1].bot == "novice"


def test_games_are_saved_in_the_platforms_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert default_directory() == tmp_path / ".local" / "state" / "argentum" / "games"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_directory() == tmp_path / "state" / "argentum" / "games"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")  # The XDG specification says to ignore relative paths.
    assert default_directory() == tmp_path / ".local" / "state" / "argentum" / "games"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert default_directory() == tmp_path / "local" / "argentum" / "games"
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_directory() == tmp_path / "Library" / "Application Support" / "argentum" / "games"


def test_a_failed_write_leaves_the_old_record_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = GameFile(tmp_path / "game.silver")
    file.write("first\n")

    def raise_disk_full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "replace", raise_disk_full)
    with pytest.raises(OSError, match="No space"):
        file.write("second\n")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["game.silver"]
    assert (tmp_path / "game.silver").read_text() == "first\n"
    assert unused_path(tmp_path / "game.silver") == tmp_path / "game-2.silver"
