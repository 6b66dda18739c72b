"""Somebody at the terminal's table, who plays by keys or by the mouse."""

import asyncio
from random import Random

from textual.pilot import Pilot
from textual.widget import Widget

from argentum import bots
from argentum.display.session import play_bot
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import GameEndScreen
from argentum.terminal.screens.page import ButtonScreen
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.sources.local import LocalSource
from argentum.terminal.widgets.buttons import KeyButton
from argentum.terminal.widgets.cards import CardWidget

SMALL = (80, 24)
LARGE = (130, 36)
MOST_STEPS = 4000
PATIENCE = 60.0  # seconds until a test gives up waiting, on a busy machine


def table_app(players: int = 4, boxes: str = "dagger", seed: int = 3, memory: bool = False) -> TableApp:
    """A game against bots that do not pause; good ones, so that rounds are short."""
    return TableApp(LocalSource("Ann", ["steady"] * (players - 1), boxes, seed, memory, pause=0))


def last_round_app(players: int, boxes: str, seed: int) -> TableApp:
    """A game of which bots have played all rounds but the last."""
    table = LocalSource("Ann", ["steady"] * (players - 1), boxes, seed, pause=0)
    minds = {letter: bots.make("steady", seed) for letter in table.game.seats}
    while table.game.rounds_finished < 3:
        letter = next(one for one in table.game.seats if table.game.legal(one))
        table.session.commit(play_bot(table.game, letter, minds[letter]), table.session.revision + 1)
    return TableApp(table)


def shown(app: TableApp) -> str:
    """All that is on the screen, as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def settled(app: TableApp, pilot: "Pilot[str]") -> None:
    """Wait until it is the person's choice, or a page is to be read."""
    async with asyncio.timeout(PATIENCE):
        await pilot.pause()
        while not waiting(app):
            assert app.is_running, "the app has stopped"
            await pilot.pause()


async def until(app: TableApp, pilot: "Pilot[str]", words: str) -> None:
    """Wait until the screen says something."""
    async with asyncio.timeout(PATIENCE):
        while words not in shown(app):
            assert app.is_running, "the app has stopped"
            await pilot.pause(0.02)


def waiting(app: TableApp) -> bool:
    """Whether everything is drawn, and somebody is to do something."""
    if isinstance(app.screen, ButtonScreen):
        ready = bool(app.screen.query(KeyButton))  # what lies below it may be asked still, before the page is drawn
    else:
        asked = app.table_state is not None and app.table_state.choice not in (None, app.answered_choice)
        ready = asked and app.table.key_filter.drawn_at is not None
    return ready and app.messages.empty() and not app.table.draw_lock.locked()


async def play_on(app: TableApp, pilot: "Pilot[str]", random: Random, mouse: bool = False) -> int:
    """Play until the game is over; how many times something was pressed."""
    pressed = 0
    while not isinstance(app.screen, GameEndScreen):
        await settled(app, pilot)
        if isinstance(app.screen, GameEndScreen):
            break
        if isinstance(app.screen, ButtonScreen):
            await (pilot.click(app.screen.query(KeyButton).first()) if mouse else pilot.press("enter"))
        else:
            assert isinstance(app.screen, TableScreen), app.screen
            await (click_some(app, pilot, random) if mouse else press_some(app, pilot, random))
        pressed += 1
        assert pressed < MOST_STEPS, shown(app)
    return pressed


async def press_some(app: TableApp, pilot: "Pilot[str]", random: Random) -> None:
    """Press a key that does something: a call if there is one, else a button's or a card's."""
    ready = {button.key for button in app.table.query(KeyButton) if button.ready}
    cards = [card.key for card in app.table.query(CardWidget) if card.has_action and card.key and not card.is_selected]
    calls = [button.key for button in app.table.query(KeyButton) if button.move == "call"]
    quick = sorted({"d", "x"} & ready) if random.random() < 0.6 else []  # draw and discard, so that games are short
    keys = calls or quick or sorted(ready) + (cards if not ready or random.random() < 0.2 else [])
    await pilot.press(random.choice(keys or ["tab", "enter"]))


async def click_some(app: TableApp, pilot: "Pilot[str]", random: Random) -> None:
    """Click something that does something."""
    ready: list[Widget] = [button for button in app.table.query(KeyButton) if button.ready]
    cards: list[Widget] = [card for card in app.table.query(CardWidget) if card.has_action and not card.is_selected]
    calls = [button for button in app.table.query(KeyButton) if button.move == "call"]
    quick = [button for button in app.table.query(KeyButton) if button.key in "dx" and random.random() < 0.7]
    widget = random.choice(calls or quick or (cards if random.random() < 0.3 else ready) or ready or cards)
    assert app.size.region.contains_region(widget.region), f"{widget} is not on the screen:\n{shown(app)}"
    assert await pilot.click(widget)
