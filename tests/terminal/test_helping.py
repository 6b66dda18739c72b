"""Help, hints and room: what somebody new sees, also in a small window; and how fast bots move."""

import asyncio
from random import Random

import pytest
from textual.widgets import Static

from argentum import Game, words
from argentum.display.guide import advise
from argentum.rules.engine import random_move
from argentum.rules.residents import BOXES
from argentum.terminal.app import TableApp
from argentum.terminal.screens.sheets import HelpSheet
from argentum.terminal.screens.table import fitted
from argentum.terminal.screens.too_small import SmallScreen
from argentum.terminal.sources.local import LocalTable
from argentum.terminal.widgets.cards import CardWidget
from tests.terminal.playing import PATIENCE, SMALL, settled, shown, table_app, until
from tests.terminal.stills import Still, in_hand, played_until


def test_help_is_about_the_game_first_and_the_card_second() -> None:
    async def go() -> None:
        app = TableApp(Still(played_until(in_hand)[-1:]))
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            app.table.query_one("#card-hand", CardWidget).focus()
            await pilot.press("question_mark")
            assert isinstance(app.screen, HelpSheet)
            await until(app, pilot, "You drew")
            assert "the fewest points win" in shown(app)
            await pilot.press("question_mark")
            hand = app.table.scene.hand
            assert hand is not None
            assert hand.portrait is not None
            await until(app, pilot, f"Silver {hand.portrait.box.title()}")
            await pilot.press("question_mark")
            assert app.top is app.table

    asyncio.run(go())


@pytest.mark.parametrize(
    ("word", "says"),
    [("help", "Help"), ("deck", "In this deck"), ("log", "What happened"), ("leave", "Leave the table?")],
)
def test_the_top_line_can_be_clicked(word: str, says: str) -> None:
    async def go() -> None:
        app = TableApp(Still(played_until(in_hand)[-1:]))
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            line = shown(app).split("\n")[0]
            await pilot.click(offset=(line.index(word), 0))
            await until(app, pilot, says)

    asyncio.run(go())


def test_every_hint_fits_beside_the_piles_at_eighty_columns() -> None:
    """A long one is shortened by whole sentences, and says where the rest is."""
    hints = set()
    for nth, box in enumerate(BOXES):
        game, random = Game.new(box, 2, nth, rounds=2), Random(nth)
        while not game.over:
            views = [game.view(seat) for seat in game.seats if game.legal(seat)]
            hints |= {(words.coach(view, advise(view)), view.hand is not None) for view in views}
            game.play(random_move(game.choices(), random))
    assert len(hints) > 40
    for hint, held in hints:
        said = fitted(hint, 80 - 2 - 12 * (2 + held), 6)
        assert said == hint or said.endswith(". (? for more)"), f"{hint!r} does not fit"


def test_a_hint_stands_on_the_screen_whole() -> None:
    async def go() -> None:
        app = TableApp(Still(played_until(in_hand)[-1:]), coached=True)
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            news = app.table.query_one("#news", Static)
            assert news.content_size.height == 6
            hint = app.table.hint
            assert hint
            seen = " ".join(line[news.region.x :].strip() for line in shown(app).split("\n")[6:12])
            assert " ".join(seen.split()) == fitted(hint, *app.table._news_room())

    asyncio.run(go())


def test_a_window_that_is_too_small_says_so_until_it_is_not() -> None:
    async def go() -> None:
        app = table_app(2, "coin", 3)
        async with app.run_test(size=(70, 24)) as pilot:
            await until(app, pilot, "The table needs 80 columns and 24 rows.")
            await pilot.resize_terminal(79, 20)
            await until(app, pilot, "This window has 79 and 20.")
            await pilot.resize_terminal(80, 24)
            await until(app, pilot, "Look at two of your cards")
            await pilot.resize_terminal(80, 23)
            await until(app, pilot, "This window has 80 and 23.")
            assert isinstance(app.screen, SmallScreen)
            await pilot.press("q")
        assert app.return_value == ""

    asyncio.run(go())


def test_bots_wait_as_long_as_one_wants_and_no_longer() -> None:
    async def go() -> None:
        table = LocalTable("Ann", ["novice"], seed=1, pause=10**6)
        app = TableApp(table)
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await settled(app, pilot)
            await pilot.press("1", "2", "o")

            async def asked() -> None:
                """Go on until it is our turn, without pauses."""
                async with asyncio.timeout(PATIENCE):
                    while table.sitting.choice("A") is None:
                        await pilot.press("f")

            await asked()
            assert not table.ahead, "the next turn has its pauses again"
            for says in ("fast", "at once", "slowly", "at a normal speed"):
                await pilot.press("b")
                await until(app, pilot, f"Bots move {says}.")

    asyncio.run(go())


def test_instant_bots_do_not_wait() -> None:
    async def go() -> None:
        table = LocalTable("Ann", ["novice"], seed=1, pause=10**6)
        table.pace = "instant"
        running = asyncio.create_task(table.run(lambda message: None))
        await asyncio.sleep(0)
        await table.send({"type": "move", "choice": table.sitting.choice("A"), "move": "peek A1 A2"})
        async with asyncio.timeout(PATIENCE):
            while table.game.looking or not table.game.legal("A"):
                await asyncio.sleep(0)
        running.cancel()

    asyncio.run(go())
