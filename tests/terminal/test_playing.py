"""Games in the terminal: by keys, by the mouse, at eighty columns, without colour."""

import asyncio
from random import Random

import pytest
from rich.color import ColorType

from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import ResultScreen
from argentum.terminal.widgets.buttons import Choice
from argentum.terminal.widgets.cards import CardWidget
from tests.terminal.playing import LARGE, SMALL, last_round_app, play_on, settled, shown, table_app, until


def colours(app: TableApp) -> set[ColorType]:
    """The kinds of colours that are sent to the terminal."""
    strips = [
        strip.apply_filter(one, app.screen.styles.background)
        for strip in app.screen._compositor.render_strips()
        for one in app._filters
        if one.enabled
    ]
    styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
    return {colour.type for style in styles for colour in (style.color, style.bgcolor) if colour is not None}


def test_the_last_round_by_keys_at_eighty_columns_without_colour_and_another_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def play() -> None:
        app = last_round_app(2, "coin", 3)
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            assert colours(app) <= {ColorType.DEFAULT}
            await play_on(app, pilot, Random(3))
            assert isinstance(app.screen, ResultScreen)
            assert "★" in shown(app)
            await pilot.press("p")
            await until(app, pilot, "Another game.")
            await pilot.press("s")
            await until(app, pilot, "Round 1 of 4")

    asyncio.run(play())


def test_the_last_round_for_four_by_the_mouse_at_eighty_columns() -> None:
    async def play() -> None:
        app = last_round_app(4, "dagger", 5)
        async with app.run_test(size=SMALL) as pilot:
            await play_on(app, pilot, Random(5), mouse=True)
            assert isinstance(app.screen, ResultScreen)
            await pilot.press("q")
        assert app.return_code == 0

    asyncio.run(play())


def test_arrows_tab_and_enter_lead_to_every_choice() -> None:
    async def play() -> None:
        app = table_app(3, "dagger", 2)
        async with app.run_test(size=LARGE) as pilot:
            await settled(app, pilot)
            await pilot.press("tab")
            first = app.focused
            assert isinstance(first, CardWidget)
            assert first.place == "A2"  # the first card has the focus from the beginning
            await pilot.press("enter", "right", "right", "space")
            assert app.table.picks == ["A2", "A4"]
            assert isinstance(app.focused, Choice), "all is chosen: Enter does not take a card back, it confirms"
            await pilot.press("up", "down", "enter")
            await settled(app, pilot)
            assert app.moment is not None
            assert app.moment.view is not None
            assert [card.number is not None for card in app.moment.view.villages["A"]] == [
                False,
                True,
                False,
                True,
                False,
            ]

    asyncio.run(play())


def test_a_card_tells_what_it_does_and_a_game_is_not_left_by_one_key() -> None:
    async def play() -> None:
        app = table_app(2, "dagger", 2)
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            app.table.query_one("#card-pile", CardWidget).focus()
            await pilot.press("i")
            assert "The discard pile, from the top" in shown(app)
            await pilot.press("escape", "q")
            assert "Leave the table?" in shown(app)
            await pilot.press("n")
            await pilot.press("q", "y")
        assert app.return_value == ""

    asyncio.run(play())
