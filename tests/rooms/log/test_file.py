"""Saving and resuming local games as record files."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from argentum import Game, records
from argentum.display.session import PlayedMove
from argentum.rooms.log.file import (
    GameFile,
    GameFiles,
    SavedGame,
    default_directory,
    record_text,
    unfinished_games,
    unused_path,
)
from argentum.terminal.sources import ProtocolMessage
from argentum.terminal.sources.local import LocalSource
from tests.random_games import random_move
from tests.support.terminal_tables import games, open_source, play_moves

__all__ = ["games"]


def finish_game(source: LocalSource) -> None:
    """Finish the source's game with random moves, and save it."""
    game, random = source.game.copy(), Random(1)
    while not game.over:
        game.play(random_move(game, random))
    source.has_moved = True
    source.commit(PlayedMove(game, "", []))


def test_every_move_is_saved_at_once(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    source = open_source(games, copy)
    play_moves(source, 3, Random(1))  # These are the first looks; nothing is saved before Ann has moved.
    for _ in range(40):
        play_moves(source, 1, Random(1))
        [saved] = games.iterdir()
        assert saved.read_text() == copy.read_text() == record_text(source.game, source.arrangement, source.seed)
        assert records.write(records.read_file(copy)) == records.write(source.game)
    finish_game(source)
    assert records.read_file(copy).over
    assert unfinished_games(games) == []


@pytest.mark.parametrize("moves", [3, 30])
def test_a_saved_game_continues_where_it_stopped(games: Path, moves: int) -> None:
    source = open_source(games, memory=moves == 30)
    play_moves(source, moves, Random(1))
    [saved] = unfinished_games(games)
    resumed = open_source(games, seed=99)
    resumed.resume(saved)
    assert resumed.arrangement == source.arrangement
    assert [seat.bot for seat in resumed.arrangement.seats] == ["", "steady", "novice"]
    assert resumed.game.text() == source.game.text()
    for current in (source, resumed):
        current.game_files = GameFiles()
        play_moves(current, 150, Random(2))
    assert resumed.game.rounds_finished
    assert records.write(resumed.game) == records.write(source.game), "later deals are the same"


def test_a_resumed_game_is_saved_in_its_own_files(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    source = open_source(games, copy)
    play_moves(source, 20, Random(1))
    resumed = open_source(games, copy, seed=99)
    resumed.resume(unfinished_games(games)[0])
    play_moves(resumed, 5, Random(2))
    assert len(list(games.iterdir())) == 1
    assert resumed.game_files.written_copies == [copy]
    assert records.write(records.read_file(copy)) == records.write(resumed.game)


def test_other_files_are_never_overwritten(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    copy.write_text("something of mine")
    source = open_source(games, copy)
    finish_game(source)
    assert copy.read_text() == "something of mine"
    first = tmp_path / "mine-2.silver"
    finished = first.read_text()
    asyncio.run(source.send({"type": "rematch"}))
    asyncio.run(source.send({"type": "start"}))
    play_moves(source, 20, Random(1))
    assert first.read_text() == finished
    assert source.game_files.written_copies == [first, tmp_path / "mine-3.silver"]
    assert len(list(games.iterdir())) == 2
    assert len(unfinished_games(games)) == 1


def test_a_game_resumed_twice_is_saved_in_two_files(games: Path) -> None:
    source = open_source(games)
    play_moves(source, 20, Random(1))
    first, second = open_source(games), open_source(games)
    for resumed in (first, second):
        resumed.resume(unfinished_games(games)[0])
    play_moves(first, 3, Random(2))
    play_moves(second, 6, Random(3))
    saved = {SavedGame.read(file, file.read_text()).game.text() for file in games.iterdir()}
    assert saved == {first.game.text(), second.game.text()}


def test_a_failed_save_is_reported_once_and_the_game_continues(games: Path) -> None:
    games.write_text("no folder")
    source = open_source(games)
    messages: list[ProtocolMessage] = []
    source.on_message = messages.append
    play_moves(source, 10, Random(1))
    errors = [message["message"] for message in messages if message["type"] == "error"]
    assert len(errors) == 1
    assert "cannot be saved" in errors[0]


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
