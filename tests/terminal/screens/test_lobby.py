import asyncio
from typing import Any

import pytest
from textual.pilot import Pilot

from argentum import Game
from argentum.terminal.app import TableApp
from argentum.terminal.run import LocalGameApp
from argentum.terminal.screens.lobby import LobbyOptions, LobbyScreen
from argentum.terminal.sources import ProtocolMessage
from argentum.terminal.sources.local import LocalSource
from argentum.terminal.state import UpdateReader
from argentum.terminal.widgets.options import OptionRow
from tests.support.terminal import SMALL, TIMEOUT, wait_for_text
from tests.support.terminal_tables import FixedSource, TableUpdates, saved_game


def table_in_lobby(*bots: str, seed: int = 1) -> LocalSource:
    table = LocalSource("Ann", bots or ["novice", "novice"], seed=seed, pause=0)
    table.begins_in_lobby = True
    return table


def table_after_game(bot: str) -> LocalSource:
    """Return a table with a game that is over, in which everybody has called as soon as possible."""
    game = Game.new("dagger", 2, 2, names=["Ann", "Bramble"])
    while not game.over:
        letter = next(seat for seat in game.seats if game.legal(seat))
        moves = game.legal(letter)
        calls = [move for move in moves if move.verb == "call"]
        game.play((calls or moves)[0] if not game.in_first_look else f"peek {letter}1 {letter}2", letter)
    assert game.winner == "B"
    table = LocalSource("Ann", [bot], pause=0)
    table.saved_game = saved_game(game, bot, seed=2)
    return table


async def change_option(app: TableApp, pilot: "Pilot[str]", name: str, key: str) -> OptionRow:
    """Focus an option and press a key; return the option's row."""
    row = next(row for row in app.screen.query(OptionRow) if row.option.name == name)
    row.focus()
    await pilot.press(key)
    return row


async def wait_for(pilot: "Pilot[str]", condition: Any) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await pilot.pause()


def test_the_host_changes_all_options_by_keys_and_starts() -> None:
    async def main() -> None:
        table = table_in_lobby()
        app = LocalGameApp(table)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "The table is being set.")
            await change_option(app, pilot, "deck", "left")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code == "c" * 14)
            await change_option(app, pilot, "number 7", "right")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code == "c" * 7 + "d" + "c" * 6)
            await change_option(app, pilot, "seats", "right")
            await wait_for(pilot, lambda: len(table.room.arrangement.seats) == 4)
            await wait_for_text(app, pilot, "Seat D  ◂ Drift, bot novice ▸")
            await change_option(app, pilot, "seat D", "right")
            await wait_for(pilot, lambda: table.room.arrangement.seats[3].bot == "quick")
            await change_option(app, pilot, "memory", "enter")
            await wait_for(pilot, lambda: table.room.arrangement.memory)
            await change_option(app, pilot, "token", "right")
            await wait_for(pilot, lambda: table.room.arrangement.token == "dagger")
            await wait_for_text(app, pilot, "Coin with Dagger's 7")
            row = next(row for row in app.screen.query(OptionRow) if row.option.name == "deck")
            await pilot.click(row)
            await wait_for(pilot, lambda: table.room.arrangement.deck_code != "c" * 7 + "d" + "c" * 6)
            await pilot.press("s")
            await wait_for_text(app, pilot, "Look at two of your cards")
            assert table.room.game is not None
            assert len(table.room.game.seats) == 4
            assert table.room.game.cast.token == "dagger"
            assert app.table_state is not None
            assert app.table_state.memory_mode

    asyncio.run(main())


def test_a_loser_swaps_a_resident_and_takes_the_swap_back() -> None:
    async def main() -> None:
        table = table_after_game("steady")
        app = LocalGameApp(table)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "The fewest points win.")
            await pilot.press("p")
            await wait_for_text(app, pilot, "Another game.")
            before = table.room.arrangement.deck_code
            await change_option(app, pilot, "number 3", "right")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code != before)
            await wait_for_text(app, pilot, "your swap")
            await change_option(app, pilot, "number 5", "left")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code[5] != before[5])
            assert table.room.arrangement.deck_code[3] == before[3], "a second swap replaces the first"
            await change_option(app, pilot, "number 5", "right")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code == before)
            await change_option(app, pilot, "number 5", "left")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code != before)
            await pilot.press("s")
            await wait_for_text(app, pilot, "Look at two of your cards")
            assert table.room.game is not None
            assert table.room.game.cast.code[5] != before[5]

    asyncio.run(main())


@pytest.mark.parametrize(("winner", "swaps"), [("A", False), ("B", True)])
def test_only_a_loser_may_swap(winner: str, swaps: bool) -> None:
    lobby = LobbyOptions(state_before_rematch(winner=winner, swaps={}), "A", True)
    assert all([bool(option.messages) is swaps for option in lobby.number_options()])
    assert ("You won" in lobby.headline) is not swaps


def test_a_loser_cannot_change_the_swap_of_another() -> None:
    lobby = LobbyOptions(state_before_rematch(winner="A", swaps={"C": [4, "coin"]}), "B", False)
    options = lobby.number_options()
    assert not options[4].messages
    assert "Cinder, swapped" in options[4].value
    assert options[5].messages
    assert not lobby.table_options()[0].messages, "only the host arranges"


@pytest.mark.parametrize("seat", ["A", "B"])
def test_the_host_at_a_server_chooses_when_a_bot_fills_in(seat: str) -> None:
    update = update_before_rematch(winner="C", swaps={})
    del update["arrangement"]["rematch"]
    update["arrangement"]["away"] = "day"
    options = LobbyOptions(UpdateReader().read(update)[0], seat, False).table_options()
    [option] = [option for option in options if option.name == "away"]
    assert (option.value, option.index) == ("a bot plays after a day, but never calls", 1)
    assert [message["away"] for message in option.messages] == (["minute", "day", "never"] if seat == "A" else [])
    del update["arrangement"]["away"]
    options = LobbyOptions(UpdateReader().read(update)[0], seat, False).table_options()
    assert "away" not in [option.name for option in options], "a server of an earlier version has no such setting"


def update_before_rematch(**rematch_fields: Any) -> ProtocolMessage:
    names = ["Ann", "Bramble", "Cinder"]
    update = TableUpdates(Game.new("dagger", 3, 1, names=names)).next()
    arrangement = {**update["arrangement"], "rematch": {"base": "d" * 14, **rematch_fields}}
    return {**update, "stage": "gathering", "arrangement": arrangement}


def state_before_rematch(**rematch_fields: Any) -> Any:
    return UpdateReader().read(update_before_rematch(**rematch_fields))[0]


def test_a_new_table_can_be_arranged_after_a_game() -> None:
    async def main() -> None:
        table = table_after_game("novice")
        app = LocalGameApp(table)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "The fewest points win.")
            await pilot.press("a")
            await wait_for_text(app, pilot, "The table is being set.")
            assert isinstance(app.screen, LobbyScreen)
            await change_option(app, pilot, "deck", "left")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code == "c" * 14)
            await pilot.press("i")
            await pilot.press("q")
        assert app.return_value == ""

    asyncio.run(main())


def test_a_loser_on_a_server_may_keep_the_deck() -> None:
    source = FixedSource([{**update_before_rematch(winner="C", swaps={}), "seat": "B"}])

    async def main() -> None:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "Keep the deck (k)")
            await pilot.press("k")
            await wait_for(pilot, lambda: source.sent)
            assert source.sent == [{"type": "swap", "number": None}]
            await wait_for_text(app, pilot, "Another game. Cinder won the last one.")

    asyncio.run(main())
