"""Games are kept as they go: nothing is lost, nothing is overwritten, and a game goes on as if it had never stopped."""

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


def table_in(folder: Path, record: Path | None = None, seed: int = 3, memory: bool = False) -> LocalSource:
    table = LocalSource("Ann", ["steady", "novice"], "dddddddcdcddcb", seed, memory, 0, GameFiles(folder, record))
    table.on_message = lambda message: None
    return table


def play(table: LocalSource, moves: int, random: Random) -> None:
    """Play some moves of everybody, as they are made at the table."""
    for _ in range(moves):
        letter = next((one for one in table.game.seats if table.game.legal(one)), "")
        if letter:
            table.has_moved = table.has_moved or letter == "A"
            table.commit(play_text(table.game, letter, choose_move(table.game.view(letter), random)))


def finish(table: LocalSource) -> None:
    """Play to the end, and write that down."""
    game, random = table.game.copy(), Random(1)
    while not game.over:
        game.play(random_move(game.legal_moves(), random))
    table.has_moved = True
    table.commit(PlayedMove(game, "", []))


def test_every_move_is_in_the_record_at_once(games: Path, tmp_path: Path) -> None:
    record = tmp_path / "mine.silver"
    table = table_in(games, record)
    play(table, 3, Random(1))  # the first looks
    for _ in range(40):
        play(table, 1, Random(1))
        [kept] = games.iterdir()
        assert kept.read_text() == record.read_text() == record_text(table.game, table.arrangement, table.seed)
        assert records.write(records.read_file(record)) == records.write(table.game)
    finish(table)
    assert records.read_file(record).over
    assert unfinished_games(games) == []


@pytest.mark.parametrize("moves", [3, 30])
def test_a_saved_game_continues_where_it_stopped(games: Path, moves: int) -> None:
    table = table_in(games, memory=moves == 30)
    play(table, moves, Random(1))
    [kept] = unfinished_games(games)
    again = table_in(games, seed=99)
    again.resume(kept)
    assert again.arrangement == table.arrangement
    assert [place.bot for place in again.arrangement.seats] == ["", "steady", "novice"]
    assert again.game.text() == table.game.text()
    for one in (table, again):
        one.game_files = GameFiles()
        play(one, 150, Random(2))
    assert again.game.rounds_finished
    assert records.write(again.game) == records.write(table.game), "also what was yet to be dealt"


def test_a_resumed_game_goes_on_in_its_own_files(games: Path, tmp_path: Path) -> None:
    record = tmp_path / "mine.silver"
    table = table_in(games, record)
    play(table, 20, Random(1))
    again = table_in(games, record, seed=99)
    again.resume(unfinished_games(games)[0])
    play(again, 5, Random(2))
    assert len(list(games.iterdir())) == 1
    assert again.game_files.written_copies == [record]
    assert records.write(records.read_file(record)) == records.write(again.game)


def test_nothing_else_is_ever_overwritten(games: Path, tmp_path: Path) -> None:
    record = tmp_path / "mine.silver"
    record.write_text("something of mine")
    table = table_in(games, record)
    finish(table)
    assert record.read_text() == "something of mine"
    first = tmp_path / "mine-2.silver"
    finished = first.read_text()
    asyncio.run(table.send({"type": "rematch"}))
    asyncio.run(table.send({"type": "start"}))
    play(table, 20, Random(1))
    assert first.read_text() == finished
    assert table.game_files.written_copies == [first, tmp_path / "mine-3.silver"]
    assert len(list(games.iterdir())) == 2
    assert len(unfinished_games(games)) == 1


def test_two_who_go_on_with_one_game_do_not_overwrite_each_other(games: Path) -> None:
    table = table_in(games)
    play(table, 20, Random(1))
    one, other = table_in(games), table_in(games)
    for each in (one, other):
        each.resume(unfinished_games(games)[0])
    play(one, 3, Random(2))
    play(other, 6, Random(3))
    kept = {SavedGame.read(file, file.read_text()).game.text() for file in games.iterdir()}
    assert kept == {one.game.text(), other.game.text()}


def test_a_game_that_cannot_be_saved_is_said_once_and_goes_on(games: Path) -> None:
    games.write_text("no folder")
    table = table_in(games)
    heard: list[ProtocolMessage] = []
    table.on_message = heard.append
    play(table, 10, Random(1))
    errors = [message["message"] for message in heard if message["type"] == "error"]
    assert len(errors) == 1
    assert "cannot be saved" in errors[0]


def test_what_is_not_a_game_is_not_offered(games: Path) -> None:
    games.mkdir()
    (games / "torn.silver").write_text("Argentum record 1\nboxes: dagger\n")
    (games / "bytes.silver").write_bytes(b"\xff\xfe\x00")
    (games / "notes.txt").write_text("hello")
    assert unfinished_games(games) == []
    assert unfinished_games(games / "none") == []


def test_a_record_from_elsewhere_can_be_gone_on_with(games: Path) -> None:
    game = Game.new("coin", 2, 5, names=["Ann", "Bo"])
    for move in ("peek A1 A2", "peek B1 B2"):
        game.play(move, move[5])
    games.mkdir()
    (games / "game.silver").write_text(records.write(game))
    [kept] = unfinished_games(games)
    assert records.write(kept.game) == records.write(game)
    assert kept.arrangement.seats[1].bot == "novice"


def test_games_are_saved_in_the_platforms_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert default_directory() == tmp_path / ".local" / "state" / "argentum" / "games"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_directory() == tmp_path / "state" / "argentum" / "games"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")  # which the rule says to ignore
    assert default_directory() == tmp_path / ".local" / "state" / "argentum" / "games"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert default_directory() == tmp_path / "local" / "argentum" / "games"
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_directory() == tmp_path / "Library" / "Application Support" / "argentum" / "games"


def test_a_file_is_whole_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_the_terminal_offers_to_go_on_and_does(games: Path) -> None:
    async def go() -> None:
        app = LocalGameApp(table_in(games))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            await pilot.press("1", "2", "o")
            for _ in range(6):
                await wait_for_player(app, pilot)
                await press_random_key(app, pilot, Random(1))
            await wait_for_player(app, pilot)
            await pilot.press("ctrl+c")
        before = app.local_source.game.text()

        kept = unfinished_games(games)
        app = LocalGameApp(table_in(games, seed=5), kept)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "You have a game that is not over.")
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


def test_a_game_may_be_left_for_another_or_given_up(games: Path) -> None:
    table = table_in(games)
    play(table, 20, Random(1))

    async def go() -> None:
        app = LocalGameApp(table_in(games), unfinished_games(games))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("n")
            await wait_for_player(app, pilot)
            assert "Look at two of your cards" in screen_text(app)
        assert len(unfinished_games(games)) == 1, "it is kept, and the new one has no move yet"
        app = LocalGameApp(table_in(games), unfinished_games(games))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("g")
            await wait_for_player(app, pilot)
        assert unfinished_games(games) == []
        assert len(list(games.iterdir())) == 1, "its record stays"

    asyncio.run(go())


def test_a_key_saves_the_record(games: Path, tmp_path: Path) -> None:
    async def go() -> None:
        app = TableApp(table_in(games))
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_player(app, pilot)
            for name in ("game.silver", "game-2.silver"):
                await pilot.press("r")
                await wait_for_text(app, pilot, f"saved as {name}")
                assert records.read_file(tmp_path / name).players == 3

    asyncio.run(go())
