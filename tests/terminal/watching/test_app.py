import asyncio
from random import Random

import pytest

from argentum import Game, records
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import RoundEndScreen
from argentum.terminal.sources import OnMessage
from argentum.terminal.sources.server import ServerSource
from argentum.terminal.watching import app as app_module
from argentum.terminal.watching.app import NullSource, WatchApp
from argentum.terminal.watching.recordings import LiveGame, ReplayedGame
from tests.random_games import random_move
from tests.support.terminal import SMALL, TIMEOUT, screen_text, wait_for_player, wait_for_text
from tests.support.terminal_tables import FixedSource, has_drawn_card, updates_until


@pytest.fixture(scope="module")
def game() -> Game:
    random = Random(2)
    new_game = Game.new("bullet", 2, 2, names=["Ann", "Bo"])
    while not new_game.over:
        calls = [move for move in new_game.legal() if str(move) == "call"]
        new_game.play(calls[0] if calls else random_move(new_game, random))
    return records.read(records.write(new_game))


def test_keys_step_through_moves_and_rounds(game: Game) -> None:
    async def main() -> None:
        recording = ReplayedGame(game)
        starts = recording.rounds()
        assert list(starts) == [1, 2, 3, 4]
        app = WatchApp(recording, NullSource())
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, f"Step 0 of {len(recording) - 1}")
            await pilot.press("right", "right", "left")
            assert app.index == 1
            await pilot.press("3")
            assert app.index == starts[3]
            await pilot.press("up")
            assert app.index == starts[2]
            await pilot.press("down", "down")
            assert app.index == starts[4]
            await pilot.press("end")
            assert app.index == len(recording) - 1
            await wait_for_text(app, pilot, f"Step {app.index} of {app.index}")
            await pilot.press("home", "b")
            assert app.index == 0

    asyncio.run(main())


def test_automatic_playback_stops_at_the_scoring_of_a_round(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "STEP_SECONDS", 0.01)

    async def main() -> None:
        recording = ReplayedGame(game)
        app = WatchApp(recording, NullSource())
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("2", "left", "left", "p")
            async with asyncio.timeout(TIMEOUT):
                while not (
                    isinstance(app.screen, RoundEndScreen) and "Round 1: " in screen_text(app)
                ):  # open and drawn
                    await pilot.pause(0.01)
            assert app.index == recording.rounds()[2]
        app._tick()  # The timer may fire once more after the screens are gone.
        assert app.index == recording.rounds()[2]

    asyncio.run(main())


def test_a_spectator_leaves_without_the_note_about_a_bot_filling_in() -> None:
    async def main() -> None:
        source = FixedSource(updates_until(has_drawn_card)[-1:])
        source.leave_text = ServerSource.leave_text
        for app, has_note in ((WatchApp(LiveGame(), source), False), (TableApp(source), True)):
            async with app.run_test(size=SMALL) as pilot:
                await wait_for_player(app, pilot)
                await pilot.press("q")
                await wait_for_text(app, pilot, "Leave the table?")
                assert ("A bot fills in for you" in screen_text(app)) == has_note

    asyncio.run(main())


def test_the_app_connects_once() -> None:
    # Textual calls the `on_ready` of every base class, so connecting there would make two connections.

    class CountingSource(NullSource):
        runs = 0

        async def run(self, on_message: OnMessage) -> None:
            self.runs += 1
            await super().run(on_message)

    async def main() -> None:
        source = CountingSource()
        app = WatchApp(LiveGame(), source)
        async with app.run_test(size=SMALL) as pilot, asyncio.timeout(TIMEOUT):
            while not source.runs:
                await pilot.pause()
            await pilot.pause()
        assert source.runs == 1

    asyncio.run(main())
