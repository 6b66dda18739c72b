import asyncio

import pytest

from argentum.rules.game import Game
from argentum.terminal.app import TableApp
from argentum.terminal.sources import ProtocolMessage
from argentum.terminal.watching.app import NullSource, WatchApp
from argentum.terminal.watching.recordings import ReplayedGame
from tests.support.snapshots import assert_snapshot
from tests.support.terminal import LARGE, SMALL, TIMEOUT, wait_for_player, wait_for_text
from tests.support.terminal_tables import FixedSource, has_drawn_card, updates_until

LOBBY: ProtocolMessage = {
    "type": "update", "protocol": 2, "table": "proud-nettle", "seq": 3, "stage": "gathering", "seat": "B",
    "seats": [
        {"letter": "A", "name": "Ann", "bot": "", "here": True, "stand_in": ""},
        {"letter": "B", "name": "Bo", "bot": "", "here": True, "stand_in": ""},
        {"letter": "C", "name": "Cinder", "bot": "steady", "here": False, "stand_in": ""},
    ],
    "arrangement": {"boxes": "dddddddcdcddcd", "token": "dagger", "memory": True, "seconds": 0, "listed": False},
}  # fmt: skip


@pytest.fixture(autouse=True)
def true_colour_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


def assert_screen(app: TableApp, name: str, *keys: str, size: tuple[int, int] = SMALL) -> None:
    """Press keys, then compare the screen with the snapshot `name`."""

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await (wait_for_text(app, pilot, "Step 0") if isinstance(app, WatchApp) else wait_for_player(app, pilot))
            for key in keys:
                await pilot.press(key)
            async with asyncio.timeout(TIMEOUT):
                while app.queued_redraws or app.table.draw_lock.locked():
                    await pilot.pause()
            await pilot.pause()
            assert_snapshot(app, name)

    asyncio.run(main())


def app_after(updates: list[ProtocolMessage]) -> TableApp:
    """Return an app that shows the last update, with the events of all updates."""
    events = [event for update in updates for event in update["events"]]
    return TableApp(FixedSource([{**updates[-1], "events": events}], is_local=True))


@pytest.fixture(scope="module")
def updates() -> list[ProtocolMessage]:
    return updates_until(has_drawn_card)


def test_the_table_in_a_small_window_matches_its_snapshot(updates: list[ProtocolMessage]) -> None:
    assert_screen(app_after(updates), "small", "1")


def test_the_table_in_a_large_window_with_hints_matches_its_snapshot(updates: list[ProtocolMessage]) -> None:
    assert_screen(app_after(updates), "large", "h", "2", size=LARGE)


def test_the_light_theme_matches_its_snapshot(updates: list[ProtocolMessage]) -> None:
    assert_screen(app_after(updates), "light", "v")


def test_the_table_in_sixteen_colours_matches_its_snapshot(
    updates: list[ProtocolMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM")
    assert_screen(app_after(updates), "sixteen", "1")


def test_the_table_without_colour_matches_its_snapshot(
    updates: list[ProtocolMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert_screen(app_after(updates), "colourless", "1")


@pytest.mark.parametrize(
    ("name", "key"), [("help", "question_mark"), ("card", "i"), ("deck", "k"), ("log", "l"), ("scores", "s")]
)
def test_a_sheet_matches_its_snapshot(updates: list[ProtocolMessage], name: str, key: str) -> None:
    assert_screen(app_after(updates), name, key)


def test_the_round_end_matches_its_snapshot() -> None:
    assert_screen(app_after(updates_until(lambda game: game.rounds_finished == 1)), "round_end")


def test_the_game_end_matches_its_snapshot() -> None:
    assert_screen(app_after(updates_until(lambda game: game.over)), "result", "enter")


def test_the_lobby_matches_its_snapshot() -> None:
    assert_screen(TableApp(FixedSource([LOBBY])), "lobby")


def test_a_watched_record_matches_its_snapshot() -> None:
    game = Game.new("coin", 2, 3, names=["Ann", "Bo"])
    for move in ("peek A1 A2", "peek B1 B2", "draw"):
        game.play(move)
    assert_screen(WatchApp(ReplayedGame(game), NullSource()), "watch", "end")
