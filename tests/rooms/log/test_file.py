"""Saving and resuming local games as record files."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from argentum import Game, records
from argentum.display.session import PlayedMove, play_text
from argentum.rooms.log.file import (
    GameFile,
    GameFiles,
    SavedGame,
    default_directory,
    record_text,
    unfinished_games,
    unused_path,
)
from argentum.rules.engine import random_move
from argentum.terminal.app import TableApp
from argentum.terminal.run import LocalGameApp
from argentum.terminal.screens.resume import ResumeScreen
from argentum.terminal.sources import ProtocolMessage
from argentum.terminal.sources.local import LocalSource
from tests.support.terminal import SMALL, press_random_key, screen_text, wait_for_player, wait_for_text
from tests.support.terminal_tables import choose_move
from tests.terminal.conftest import games

__all__ = ["games"]


def source_in(folder: Path, copy: Path | None = None, seed: int = 3, memory: bool = False) -> LocalSource:
    source = LocalSource("Ann", ["steady", "novice"], "dddddddcdcddcb", seed, memory, 0, GameFiles(folder, copy))
    source.on_message = lambda message: None
    return source


def play(source: LocalSource, moves: int, random: Random) -> None:
    """Play some moves of all seats."""
    for _ in range(moves):
        letter = next((seat for seat in source.game.seats if source.game.legal(seat)), "")
        if letter:
            source.has_moved = source.has_moved or letter == "A"
            source.commit(play_text(source.game, letter, choose_move(source.game.view(letter), random)))


def finish(source: LocalSource) -> None:
    """Play the game to its end, and save it."""
    game, random = source.game.copy(), Random(1)
    while not game.over:
        game.play(random_move(game.legal_moves(), random))
    source.has_moved = True
    source.commit(PlayedMove(game, "", []))


def test_every_move_is_saved_at_once(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    source = source_in(games, copy)
    play(source, 3, Random(1))  # the first looks
    for _ in range(40):
        play(source, 1, Random(1))
        [saved] = games.iterdir()
        assert saved.read_text() == copy.read_text() == record_text(source.game, source.arrangement, source.seed)
        assert records.write(records.read_file(copy)) == records.write(source.game)
    finish(source)
    assert records.read_file(copy).over
    assert unfinished_games(games) == []


@pytest.mark.parametrize("moves", [3, 30])
def test_a_saved_game_continues_where_it_stopped(games: Path, moves: int) -> None:
    source = source_in(games, memory=moves == 30)
    play(source, moves, Random(1))
    [saved] = unfinished_games(games)
    resumed = source_in(games, seed=99)
    resumed.resume(saved)
    assert resumed.arrangement == source.arrangement
    assert [seat.bot for seat in resumed.arrangement.seats] == ["", "steady", "novice"]
    assert resumed.game.text() == source.game.text()
    for each in (source, resumed):
        each.game_files = GameFiles()
        play(each, 150, Random(2))
    assert resumed.game.rounds_finished
    assert records.write(resumed.game) == records.write(source.game), "later deals are the same, too"


def test_a_resumed_game_is_saved_in_its_own_files(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    source = source_in(games, copy)
    play(source, 20, Random(1))
    resumed = source_in(games, copy, seed=99)
    resumed.resume(unfinished_games(games)[0])
    play(resumed, 5, Random(2))
    assert len(list(games.iterdir())) == 1
    assert resumed.game_files.written_copies == [copy]
    assert records.write(records.read_file(copy)) == records.write(resumed.game)


def test_other_files_are_never_overwritten(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.silver"
    copy.write_text("something of mine")
    source = source_in(games, copy)
    finish(source)
    assert copy.read_text() == "something of mine"
    first = tmp_path / "mine-2.silver"
    finished = first.read_text()
    asyncio.run(source.send({"type": "rematch"}))
    asyncio.run(source.send({"type": "start"}))
    play(source, 20, Random(1))
    assert first.read_text() == finished
    assert source.game_files.written_copies == [first, tmp_path / "mine-3.silver"]
    assert len(list(games.iterdir())) == 2
    assert len(unfinished_games(games)) == 1


def test_a_game_resumed_twice_is_saved_in_two_files(games: Path) -> None:
    source = source_in(games)
    play(source, 20, Random(1))
    first, second = source_in(games), source_in(games)
    for source_ in (first, second):
        source_.resume(unfinished_games(games)[0])
    play(first, 3, Random(2))
    play(second, 6, Random(3))
    saved = {SavedGame.read(file, file.read_text()).game.text() for file in games.iterdir()}
    assert saved == {first.game.text(), second.game.text()}


def test_a_failed_save_is_reported_once_and_the_game_continues(games: Path) -> None:
    games.write_text("no folder")
    source = source_in(games)
    messages: list[ProtocolMessage] = []
    source.on_message = messages.append
    play(source, 10, Random(1))
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
    monkeypatch.setenv("XDG_STATE_HOME", "relative")  # to be ignored by the XDG specification
    assert default_directory() == tmp_path / ".local" / "state" / "argentum" / "games"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert default_directory() == tmp_path / "local" / "argentum" / "games"
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_directory() == tmp_path / "Library" / "Application Support" / "argentum" / "games"


def test_a_failed_write_leaves_the_old_record_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = GameFile(tmp_path / "game.silver")
    file.write("first\n")

    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        file.write("second\n")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["game.silver"]
    assert (tmp_path / "game.silver").read_text() == "first\n"
    assert unused_path(tmp_path / "game.silver") == tmp_path / "game-2.silver"


def test_the_terminal_offers_and_resumes_a_saved_game(games: Path) -> None:
    async def go() -> None:
        app = LocalGameApp(source_in(games))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            await pilot.press("1", "2", "o")
            for _ in range(6):
                await wait_for_player(app, pilot)
                await press_random_key(app, pilot, Random(1))
            await wait_for_player(app, pilot)
            await pilot.press("ctrl+c")
        before = app.local_source.game.text()

        saved = unfinished_games(games)
        app = LocalGameApp(source_in(games, seed=5), saved)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "You have an unfinished game.")
            assert isinstance(app.screen, ResumeScreen)
            assert "Bramble (steady)" in screen_text(app)
            await pilot.press("enter")
            await wait_for_player(app, pilot)
            assert app.local_source.game.text() == before
            assert "Round 1 of 4" in screen_text(app)
            await pilot.press("q")
            await wait_for_text(app, pilot, "The game is saved")
            await pilot.press("y")
        assert app.return_value == ""

    asyncio.run(go())


def test_a_saved_game_can_be_kept_for_later_or_abandoned(games: Path) -> None:
    source = source_in(games)
    play(source, 20, Random(1))

    async def go() -> None:
        app = LocalGameApp(source_in(games), unfinished_games(games))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("n")
            await wait_for_player(app, pilot)
            assert "Look at two of your cards" in screen_text(app)
        assert len(unfinished_games(games)) == 1, "the old game; the new one has no move yet"
        app = LocalGameApp(source_in(games), unfinished_games(games))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("g")
            await wait_for_player(app, pilot)
        assert unfinished_games(games) == []
        assert len(list(games.iterdir())) == 1, "its record stays"

    asyncio.run(go())


def test_pressing_r_saves_the_record(games: Path, tmp_path: Path) -> None:
    async def go() -> None:
        app = TableApp(source_in(games))
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_player(app, pilot)
            for name in ("game.silver", "game-2.silver"):
                await pilot.press("r")
                await wait_for_text(app, pilot, f"saved as {name}")
                assert records.read_file(tmp_path / name).players == 3

    asyncio.run(go())
