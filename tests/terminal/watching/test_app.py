"""Going through a recorded game."""

import asyncio
from random import Random

import pytest

from argentum import Game, records
from argentum.rules.engine import random_move
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import RoundEndScreen
from argentum.terminal.sources import OnMessage
from argentum.terminal.sources.server import ServerSource
from argentum.terminal.watching import app as app_module
from argentum.terminal.watching.app import NullSource, WatchApp
from argentum.terminal.watching.recordings import LiveGame, ReplayedGame
from tests.support.terminal import PATIENCE, SMALL, settled, shown, until
from tests.support.terminal_tables import Still, in_hand, played_until


@pytest.fixture(scope="module")
def game() -> Game:
    random = Random(2)
    one = Game.new("bullet", 2, 2, names=["Ann", "Bo"])
    while not one.over:
        calls = [move for move in one.legal() if str(move) == "call"]
        one.play(calls[0] if calls else random_move(one.legal_moves(), random))
    return records.read(records.write(one))


def test_steps_rounds_and_the_end(game: Game) -> None:
    async def go() -> None:
        game_positions = ReplayedGame(game)
        starts = game_positions.rounds()
        assert list(starts) == [1, 2, 3, 4]
        app = WatchApp(game_positions, NullSource())
        async with app.run_test(size=SMALL) as pilot:
            await until(app, pilot, f"Step 0 of {len(game_positions) - 1}")
            await pilot.press("right", "right", "left")
            assert app.index == 1
            await pilot.press("3")
            assert app.index == starts[3]
            await pilot.press("up")
            assert app.index == starts[2]
            await pilot.press("down", "down")
            assert app.index == starts[4]
            await pilot.press("end")
            assert app.index == len(game_positions) - 1
            await until(app, pilot, f"Step {app.index} of {app.index}")
            await pilot.press("home", "b")
            assert app.index == 0

    asyncio.run(go())


def test_it_plays_by_itself_and_stops_to_show_how_a_round_was_scored(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "STEP_SECONDS", 0.01)

    async def go() -> None:
        game_positions = ReplayedGame(game)
        app = WatchApp(game_positions, NullSource())
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("2", "left", "left", "p")
            async with asyncio.timeout(PATIENCE):
                while not (isinstance(app.screen, RoundEndScreen) and "Round 1: " in shown(app)):  # there, and drawn
                    await pilot.pause(0.01)
            assert app.index == game_positions.rounds()[2]
        app._tick()  # the last one may come after the screens are gone
        assert app.index == game_positions.rounds()[2]

    asyncio.run(go())


def test_who_only_watches_is_not_told_that_a_bot_fills_in_for_them() -> None:
    async def go() -> None:
        source = Still(played_until(in_hand)[-1:])
        source.leave_text = ServerSource.leave_text
        for app, told in ((WatchApp(LiveGame(), source), False), (TableApp(source), True)):
            async with app.run_test(size=SMALL) as pilot:
                await settled(app, pilot)
                await pilot.press("q")
                await until(app, pilot, "Leave the table?")
                assert ("A bot fills in for you" in shown(app)) == told

    asyncio.run(go())


def test_a_table_is_sat_down_at_once() -> None:
    """Of `on_ready` Textual calls each class's own, so who watched had two lines to the server."""

    class Counted(NullSource):
        runs = 0

        async def run(self, tell: OnMessage) -> None:
            self.runs += 1
            await super().run(tell)

    async def go() -> None:
        source = Counted()
        app = WatchApp(LiveGame(), source)
        async with app.run_test(size=SMALL) as pilot, asyncio.timeout(PATIENCE):
            while not source.runs:
                await pilot.pause()
            await pilot.pause()
        assert source.runs == 1

    asyncio.run(go())
