"""Players of the terminal app, by keys or by mouse."""

import asyncio
from random import Random

from textual.pilot import Pilot
from textual.widget import Widget

from argentum import Game, bots
from argentum.display.session import play_bot
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import GameEndScreen
from argentum.terminal.screens.page import ButtonScreen
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.sources.local import LocalSource
from argentum.terminal.widgets.buttons import KeyButton
from argentum.terminal.widgets.cards import CardWidget
from tests.support.terminal_tables import saved_game

SMALL = (80, 24)
LARGE = (130, 36)
MAX_STEPS = 4000
TIMEOUT = 60.0  # seconds


def table_app(players: int = 4, boxes: str = "dagger", seed: int = 3, memory: bool = False) -> TableApp:
    """Return the app with a game against bots that do not pause. Strong bots keep rounds short."""
    return TableApp(LocalSource("Ann", ["steady"] * (players - 1), boxes, seed, memory, pause=0))


def last_round_app(players: int, boxes: str, seed: int) -> TableApp:
    """Return the app with a game at the beginning of its last round."""
    game = Game.new(boxes, players, seed, names=["Ann", "Bramble", "Cinder", "Drift"][:players])
    bot_by_seat = {letter: bots.make("steady", seed) for letter in game.seats}
    while game.rounds_finished < 3:
        letter = next(seat for seat in game.seats if game.legal(seat))
        game = play_bot(game, letter, bot_by_seat[letter]).game
    source = LocalSource("Ann", ["steady"], pause=0)
    source.saved_game = saved_game(game, "steady", seed)
    return TableApp(source)


def screen_text(app: TableApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def wait_for_player(app: TableApp, pilot: "Pilot[str]") -> None:
    """Wait until the player has to choose or to close a page."""
    async with asyncio.timeout(TIMEOUT):
        await pilot.pause()
        while not is_waiting_for_player(app):
            assert app.is_running, "the app has stopped"
            await pilot.pause()


async def wait_for_text(app: TableApp, pilot: "Pilot[str]", text: str) -> None:
    """Wait until the screen contains a text."""
    async with asyncio.timeout(TIMEOUT):
        while text not in screen_text(app):
            assert app.is_running, "the app has stopped"
            await pilot.pause(0.02)


def is_waiting_for_player(app: TableApp) -> bool:
    """Whether the screen is completely drawn and the player has to act."""
    if isinstance(app.screen, ButtonScreen):
        # Without buttons, the page is not drawn yet, and keys would reach the screen below.
        ready = bool(app.screen.query(KeyButton))
    else:
        asked = app.table_state is not None and app.table_state.choice not in (None, app.answered_choice)
        ready = asked and app.table.key_filter.drawn_at is not None
    return ready and app.messages.empty() and not app.table.draw_lock.locked()


async def play_to_end(app: TableApp, pilot: "Pilot[str]", random: Random, mouse: bool = False) -> int:
    """Play until the game is over; return the number of keys or clicks."""
    action_count = 0
    while not isinstance(app.screen, GameEndScreen):
        await wait_for_player(app, pilot)
        if isinstance(app.screen, GameEndScreen):
            break
        if isinstance(app.screen, ButtonScreen):
            await (pilot.click(app.screen.query(KeyButton).first()) if mouse else pilot.press("enter"))
        else:
            assert isinstance(app.screen, TableScreen), app.screen
            await (click_random_widget(app, pilot, random) if mouse else press_random_key(app, pilot, random))
        action_count += 1
        assert action_count < MAX_STEPS, screen_text(app)
    return action_count


async def press_random_key(app: TableApp, pilot: "Pilot[str]", random: Random) -> None:
    """Press the key of a call if it is legal, or else of a random button or card."""
    ready = {button.key for button in app.table.query(KeyButton) if button.is_ready}
    cards = [card.key for card in app.table.query(CardWidget) if card.has_action and card.key and not card.is_selected]
    calls = [button.key for button in app.table.query(KeyButton) if button.move == "call"]
    quick = sorted({"d", "x"} & ready) if random.random() < 0.6 else []  # Drawing and discarding keeps games short.
    keys = calls or quick or sorted(ready) + (cards if not ready or random.random() < 0.2 else [])
    await pilot.press(random.choice(keys or ["tab", "enter"]))


async def click_random_widget(app: TableApp, pilot: "Pilot[str]", random: Random) -> None:
    """Click a call if it is legal, or else a random button or card."""
    ready: list[Widget] = [button for button in app.table.query(KeyButton) if button.is_ready]
    cards: list[Widget] = [card for card in app.table.query(CardWidget) if card.has_action and not card.is_selected]
    calls = [button for button in app.table.query(KeyButton) if button.move == "call"]
    quick = [button for button in app.table.query(KeyButton) if button.key in "dx" and random.random() < 0.7]
    widget = random.choice(calls or quick or (cards if random.random() < 0.3 else ready) or ready or cards)
    assert app.size.region.contains_region(widget.region), f"{widget} is not on the screen:\n{screen_text(app)}"
    assert await pilot.click(widget)
