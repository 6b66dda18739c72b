import asyncio
from random import Random

import pytest
from rich.color import ColorType
from textual.widgets import Static

from argentum import Game, words
from argentum.display.guide import guide_advice
from argentum.rules.boxes import BOX_NAMES
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import GameEndScreen
from argentum.terminal.screens.sheets import HelpSheet
from argentum.terminal.screens.table import choosable_buttons, shorten_to_fit
from argentum.terminal.screens.too_small import TooSmallScreen
from argentum.terminal.sources.local import LocalSource
from argentum.terminal.widgets.buttons import KeyButton
from argentum.terminal.widgets.cards import CardWidget
from tests.random_games import random_move
from tests.support.scenes import game_at, seat_scene
from tests.support.terminal import (
    LARGE,
    SMALL,
    TIMEOUT,
    is_waiting_for_player,
    last_round_app,
    play_to_end,
    screen_text,
    table_app,
    wait_for_player,
    wait_for_text,
)
from tests.support.terminal_tables import FixedSource, has_drawn_card, updates_until


def test_help_shows_the_game_first_and_the_selected_card_second() -> None:
    async def main() -> None:
        app = TableApp(FixedSource(updates_until(has_drawn_card)[-1:]))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            app.table.query_one("#card-hand", CardWidget).focus()
            await pilot.press("question_mark")
            assert isinstance(app.screen, HelpSheet)
            await wait_for_text(app, pilot, "You drew")
            assert "the fewest points win" in screen_text(app)
            await pilot.press("question_mark")
            hand = app.table.scene.hand
            assert hand is not None
            assert hand.resident is not None
            await wait_for_text(app, pilot, f"Silver {hand.resident.box.title()}")
            await pilot.press("question_mark")
            assert app.visible_screen is app.table

    asyncio.run(main())


@pytest.mark.parametrize(
    ("link", "text"),
    [("help", "Help"), ("deck", "In this deck"), ("log", "What happened"), ("leave", "Leave the table?")],
)
def test_shortcuts_in_the_top_bar_can_be_clicked(link: str, text: str) -> None:
    async def main() -> None:
        app = TableApp(FixedSource(updates_until(has_drawn_card)[-1:]))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            line = screen_text(app).split("\n")[0]
            await pilot.click(offset=(line.index(link), 0))
            await wait_for_text(app, pilot, text)

    asyncio.run(main())


def test_every_hint_fits_beside_the_piles_at_eighty_columns() -> None:
    hints = set()
    for seed, box in enumerate(BOX_NAMES):
        game, random = Game.new(box, 2, seed, rounds=2), Random(seed)
        while not game.over:
            views = [game.view(seat) for seat in game.seats if game.legal(seat)]
            hints |= {(words.advice_text(view, guide_advice(view)), view.hand is not None) for view in views}
            game.play(random_move(game, random))
    assert len(hints) > 40
    for hint, has_hand in hints:
        shortened = shorten_to_fit(hint, 80 - 2 - 12 * (2 + has_hand), 6)
        assert shortened == hint or shortened.endswith(". (? for more)"), f"{hint!r} does not fit"


def test_a_hint_is_shown_in_full() -> None:
    async def main() -> None:
        app = TableApp(FixedSource(updates_until(has_drawn_card)[-1:]), guided=True)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            info = app.table.query_one("#info", Static)
            assert info.content_size.height == 6
            hint = app.table.hint
            assert hint
            visible_hint = " ".join(line[info.region.x :].strip() for line in screen_text(app).split("\n")[6:12])
            assert " ".join(visible_hint.split()) == shorten_to_fit(hint, *app.table._hint_size())

    asyncio.run(main())


def test_a_small_window_shows_the_required_size_until_it_is_large_enough() -> None:
    async def main() -> None:
        app = table_app(2, "coin", 3)
        async with app.run_test(size=(70, 24)) as pilot:
            await wait_for_text(app, pilot, "The table needs 80 columns and 24 rows.")
            await pilot.resize_terminal(79, 20)
            await wait_for_text(app, pilot, "This window has 79 and 20.")
            await pilot.resize_terminal(80, 24)
            await wait_for_text(app, pilot, "Look at two of your cards")
            await pilot.resize_terminal(80, 23)
            await wait_for_text(app, pilot, "This window has 80 and 23.")
            assert isinstance(app.screen, TooSmallScreen)
            await pilot.press("q")
        assert app.return_value == ""

    asyncio.run(main())


def test_the_pace_of_bots_can_be_changed_and_skipped() -> None:
    async def main() -> None:
        app = TableApp(LocalSource("Ann", ["novice"], seed=1, pause=10**6))
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_player(app, pilot)
            await pilot.press("1", "2", "o")
            async with asyncio.timeout(TIMEOUT):
                while not is_waiting_for_player(app):
                    await pilot.press("f")
            for text in ("fast", "at once", "slowly", "at a normal speed"):
                await pilot.press("b")
                await wait_for_text(app, pilot, f"Bots move {text}.")

    asyncio.run(main())


def test_instant_bots_do_not_wait() -> None:
    async def main() -> None:
        app = TableApp(LocalSource("Ann", ["novice"], seed=1, pause=10**6), pace="instant")
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            await pilot.press("1", "2", "o")
            await wait_for_text(app, pilot, "It is your turn")

    asyncio.run(main())


def colour_types(app: TableApp) -> set[ColorType]:
    """Return the types of the colours that are sent to the terminal."""
    strips = [
        strip.apply_filter(line_filter, app.screen.styles.background)
        for strip in app.screen._compositor.render_strips()
        for line_filter in app._filters
        if line_filter.enabled
    ]
    styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
    return {colour.type for style in styles for colour in (style.color, style.bgcolor) if colour is not None}


def test_the_last_round_and_a_rematch_are_played_by_keys_without_colour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def main() -> None:
        app = last_round_app(2, "coin", 3)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            assert colour_types(app) <= {ColorType.DEFAULT}
            await play_to_end(app, pilot, Random(3))
            assert isinstance(app.screen, GameEndScreen)
            assert "★" in screen_text(app)
            await pilot.press("p")
            await wait_for_text(app, pilot, "Another game.")
            await pilot.press("s")
            await wait_for_text(app, pilot, "Round 1 of 4")

    asyncio.run(main())


def test_the_last_round_of_four_players_is_played_with_the_mouse() -> None:
    async def main() -> None:
        app = last_round_app(4, "dagger", 5)
        async with app.run_test(size=SMALL) as pilot:
            await play_to_end(app, pilot, Random(5), mouse=True)
            assert isinstance(app.screen, GameEndScreen)
            await pilot.press("q")
        assert app.return_code == 0

    asyncio.run(main())


def test_cards_and_buttons_are_reached_by_arrows_and_tab() -> None:
    async def main() -> None:
        app = table_app(3, "dagger", 2)
        async with app.run_test(size=LARGE) as pilot:
            await wait_for_player(app, pilot)
            await pilot.press("tab")
            first = app.focused
            assert isinstance(first, CardWidget)
            assert first.slot == "A2"  # A1 had the focus before
            await pilot.press("enter", "right", "right", "space")
            assert app.table.selection == ["A2", "A4"]
            assert isinstance(app.focused, KeyButton), "Enter confirms the complete selection"
            await pilot.press("up", "down", "enter")
            await wait_for_player(app, pilot)
            assert app.table_state is not None
            assert app.table_state.view is not None
            assert [card.number is not None for card in app.table_state.view.villages["A"]] == [
                False,
                True,
                False,
                True,
                False,
            ]

    asyncio.run(main())


def test_the_rules_of_a_card_are_shown_and_leaving_is_confirmed() -> None:
    async def main() -> None:
        app = table_app(2, "dagger", 2)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            app.table.query_one("#card-pile", CardWidget).focus()
            await pilot.press("i")
            assert "The discard pile, from the top" in screen_text(app)
            await pilot.press("escape", "q")
            assert "Leave the table?" in screen_text(app)
            await pilot.press("n")
            await pilot.press("q", "y")
        assert app.return_value == ""

    asyncio.run(main())


def test_cards_to_choose_from_are_offered_as_buttons() -> None:
    scene = seat_scene(game_at(["A draw", "A use"], boxes="coin", deck="10 2", discard="9 1 7 4"))
    assert [(button.text, button.move) for button in choosable_buttons(scene)] == [
        ("●9 Psychic", "take 1"), ("●1 Con Artist", "take 2"), ("●7 Nostro", "take 3"),
        ("Use ●9 Psychic", "use 1"), ("Use ●7 Nostro", "use 3"),
    ]  # fmt: skip
