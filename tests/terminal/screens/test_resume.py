"""Saved games in the terminal: they are offered at the start, and continued or abandoned."""

import asyncio
from pathlib import Path
from random import Random

from argentum import records
from argentum.rooms.log.file import unfinished_games
from argentum.terminal.app import TableApp
from argentum.terminal.run import LocalGameApp
from argentum.terminal.screens.resume import ResumeScreen
from tests.support.terminal import SMALL, press_random_key, screen_text, wait_for_player, wait_for_text
from tests.support.terminal_tables import SavedTable, open_source


def test_the_terminal_offers_and_resumes_a_saved_game(games: Path) -> None:
    async def go() -> None:
        app = LocalGameApp(open_source(games))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            await pilot.press("1", "2", "o")
            for _ in range(6):
                await wait_for_player(app, pilot)
                await press_random_key(app, pilot, Random(1))
            await wait_for_player(app, pilot)
            await pilot.press("ctrl+c")
        assert app.local_source.room.game is not None
        before = app.local_source.room.game.text()

        saved = unfinished_games(games)
        app = LocalGameApp(open_source(games, seed=5), saved)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "You have an unfinished game.")
            assert isinstance(app.screen, ResumeScreen)
            assert "Bramble (steady)" in screen_text(app)
            await pilot.press("enter")
            await wait_for_player(app, pilot)
            assert app.local_source.room.game is not None
            assert app.local_source.room.game.text() == before
            assert "Round 1 of 4" in screen_text(app)
            await pilot.press("q")
            await wait_for_text(app, pilot, "The game is saved")
            await pilot.press("y")
        assert app.return_value == ""

    asyncio.run(go())


def test_a_saved_game_can_be_kept_for_later_or_abandoned(games: Path) -> None:
    SavedTable(games).play(20, Random(1))

    async def go() -> None:
        app = LocalGameApp(open_source(games), unfinished_games(games))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("n")
            await wait_for_player(app, pilot)
            assert "Look at two of your cards" in screen_text(app)
        assert len(unfinished_games(games)) == 1, "the old game; the new one has no move yet"
        app = LocalGameApp(open_source(games), unfinished_games(games))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("g")
            await wait_for_player(app, pilot)
        assert unfinished_games(games) == []
        assert len(list(games.iterdir())) == 1, "its record stays"

    asyncio.run(go())


def test_a_saved_game_that_has_disappeared_cannot_be_abandoned(games: Path) -> None:
    SavedTable(games).play(20, Random(1))

    async def go() -> None:
        app = LocalGameApp(open_source(games), unfinished_games(games))
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_text(app, pilot, "You have an unfinished game.")
            for file in games.iterdir():
                file.unlink()
            await pilot.press("g")
            await wait_for_text(app, pilot, "The game cannot be given up: No such file or directory.")
            await wait_for_player(app, pilot)

    asyncio.run(go())


def test_pressing_r_saves_the_record(games: Path, tmp_path: Path) -> None:
    async def go() -> None:
        app = TableApp(open_source(games))
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_player(app, pilot)
            for name in ("game.silver", "game-2.silver"):
                await pilot.press("r")
                await wait_for_text(app, pilot, f"saved as {name}")
                assert records.read_file(tmp_path / name).players == 3

    asyncio.run(go())
