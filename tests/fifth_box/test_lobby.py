"""The lobby of the terminal and of the pages with a box that replaces some residents."""

import asyncio

from argentum.rooms.arrangement import check_number_and_box, new_arrangement, set_deck, set_token
from argentum.rules.boxes import cast_of, deck_code
from argentum.terminal.run import LocalGameApp
from argentum.terminal.sources.local import LocalSource
from argentum.web.pages.lobby import bot_menu, residents_by_number
from argentum.words.site_texts import BOT_LACKS_BOXES, deck_name
from tests.support.terminal import SMALL, wait_for_text
from tests.terminal.screens.test_lobby import change_option, wait_for

DAGGER = "d" * 14


def test_a_number_has_a_resident_of_the_box_only_if_the_box_defines_it() -> None:
    columns = [[resident.label if resident else "" for resident in row] for row in residents_by_number()]
    assert columns[7] == ["A7", "B7", "C7", "D7", "P7"]
    assert columns[8] == ["A8", "B8", "C8", "D8", ""]


def test_the_terminal_offers_the_box_where_it_has_a_resident() -> None:
    async def main() -> None:
        table = LocalSource("Ann", ["novice"], seed=1, pause=0)
        table.begins_in_lobby = True
        app = LocalGameApp(table)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "The table is being set.")
            await change_option(app, pilot, "number 7", "right")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code == "dddddddpdddddd")
            await change_option(app, pilot, "number 8", "right")
            await wait_for(pilot, lambda: table.room.arrangement.deck_code == "dddddddpaddddd")
            await change_option(app, pilot, "token", "right")
            await wait_for(pilot, lambda: table.room.arrangement.token == "pewter")
            row = await change_option(app, pilot, "deck", "right")
            assert row.option.value
            await pilot.press("s")
            await wait_for_text(app, pilot, "Look at two of your cards")
            assert table.room.game is not None
            assert table.room.game.cast.token == "pewter"

    asyncio.run(main())


def test_the_host_takes_the_whole_box_or_adds_it_to_random_decks() -> None:
    arrangement = set_deck(new_arrangement(), "pewter")
    assert (arrangement.deck_code, arrangement.token_in_play) == (deck_code("pewter"), "pewter")
    assert deck_name(arrangement.deck_code) == "Silver Pewter"
    assert {letter for _ in range(30) for letter in set_deck(arrangement, "random+pewter").deck_code} == set("abcdp")
    assert set_token(arrangement, "pewter").token == "pewter"
    assert check_number_and_box(7, "pewter") == 7


def test_the_menu_of_bots_says_which_do_not_know_the_deck() -> None:
    summaries = {name: summary for name, summary, _ in bot_menu(cast_of("pewter"))}
    assert [name for name, summary in summaries.items() if summary == BOT_LACKS_BOXES] == ["moon"]
