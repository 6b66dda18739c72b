"""The tables and results that the landing page lists for this browser, and quick seats."""

import json
import re
from functools import partial
from random import Random

import pytest
from playwright.sync_api import Browser

from tests.support.browser import (
    PHONE,
    BrowserPlayer,
    SocketRelay,
    create_table,
    invitation_link,
    leave_last_round_end,
    open_player,
)
from tests.support.server import Server, play_game_to_end, shared_server

__all__ = ["shared_server"]


@pytest.fixture(scope="module")
def finished_game(server: Server) -> tuple[str, str]:
    """Play a game to the end; return its table and the host's key."""
    table, key = server.new_table(boxes="coin", bots="1")
    play_game_to_end(server, table, key)
    return table, key


def test_the_landing_page_lists_the_browsers_tables_and_games(
    chromium: Browser, server: Server, finished_game: tuple[str, str]
) -> None:
    finished_table, finished_key = finished_game
    with open_player(chromium, server, (1366, 768)) as ann:
        leave_last_round_end(ann.open(f"/table/{finished_table}#{finished_key}"))
        ann.wait_for("game_end")
        ann.open("/")
        ann.page.fill("[name=name]", "Ann")
        ann.page.click("text=Set a table")
        ann.wait_for("lobby")
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.open("/")
        rows = ann.page.locator("#own-tables li")
        rows.first.wait_for()
        assert rows.count() == 3
        assert [rows.nth(index).locator(".state").inner_text() for index in (0, 1)] == [
            "your turn",
            "waiting for 3 friends",
        ]
        assert "finished, you came" in rows.nth(2).inner_text()
        games = ann.page.locator("#own-games tbody tr")
        assert games.count() == 1
        assert games.first.inner_text().split()[:2] == ["Coin", "1"]
        assert ann.accessibility_violations() == []
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        ann.page.click(f"[aria-label='Forget {finished_table}']")
        assert rows.count() == 2
        ann.page.click("text=Take your seat")
        ann.wait_for("table")


def test_a_quick_seat_waits_for_players_and_is_found_by_the_next_visitor(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann, open_player(chromium, server) as bo:
        relay = SocketRelay(ann.page)
        ann.page.clock.install()
        ann.open("/").page.click("text=Quick seat")
        ann.wait_for("lobby")
        ann.page.wait_for_selector("#toast:has-text('Waiting for somebody')")
        waited = float(ann.page.get_attribute("body", "data-lobby-seconds") or "")
        ann.page.reload()
        ann.wait_for("lobby")
        assert float(ann.page.get_attribute("body", "data-lobby-seconds") or "") > waited, (
            "a reload does not restart the wait"
        )
        for seconds, text in ((40.2, "in 5 seconds."), (4000, "in 1 second.")):
            relay.change = partial(re.sub, r'"lobby_seconds":[\d.]+', f'"lobby_seconds":{seconds}')
            ann.page.reload()
            ann.page.wait_for_selector(f"#toast:has-text('plays along {text}')")
        ann.page.clock.run_for(6_000)
        ann.wait_for("table")  # nobody sat down, so a bot plays
        bo.open("/").page.click("text=Quick seat")
        bo.wait_for("table")
        assert bo.page.url.partition("#")[0] == ann.page.url.partition("#")[0].partition("?")[0]
        assert len(json.loads(ann.stored("tables") or "")) == 1


def test_the_landing_page_says_whose_turn_it_is_where_people_may_take_days(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann, open_player(chromium, server) as bo:
        create_table(ann)
        ann.page.check("#seats-2", force=True)
        ann.page.check("#seconds-2", force=True)
        ann.page.wait_for_selector(".away-notice:has-text('when the time is up')")
        ann.page.check("#away-3", force=True)
        ann.page.wait_for_selector(".away-notice:has-text('waits for everybody')")
        assert ann.page.is_checked("#seconds-1"), "there is no clock"
        assert ann.accessibility_violations() == []
        bo.open(invitation_link(ann)).wait_for("invitation")
        bo.page.fill("[data-guest-name]", "Bo")
        bo.page.click("[data-claim-seat=B]")
        bo.wait_for("lobby")
        assert bo.page.inner_text(".options").count("Never") == 1
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        assert "No bot fills in" in ann.page.inner_text("#table-footer")
        assert ann.page.title().startswith("Your turn · Argentum, ")
        table_link = ann.page.url.removeprefix(server.origin)
        ann.page.clock.install()
        ann.open("/")
        state = ann.page.locator("#own-tables .state")
        state.filter(has_text="your turn").wait_for()
        assert ann.page.title().startswith("Your turn · ")
        ann.open(table_link).wait_for("table")
        look_at_two_cards(ann)
        assert not ann.page.title().startswith("Your turn")
        ann.open("/")
        state.filter(has_text="waiting for Bo").wait_for()
        assert not ann.page.title().startswith("Your turn")
        bo.wait_for("table")
        look_at_two_cards(bo)
        while bo.choice_number() is not None:
            bo.play_random_move(Random(1))
        ann.page.clock.run_for(61_000)
        state.filter(has_text="your turn").wait_for()
        assert ann.page.title().startswith("Your turn · ")


def look_at_two_cards(player: BrowserPlayer) -> None:
    """Finish the first look; wait until the next choice, if it is this player's."""
    before = player.choice_number()
    for key in "12":
        player.page.keyboard.press(key)
        player.page.keyboard.press("Enter")
    player.page.keyboard.press("k")
    player.page.wait_for_function("before => (document.body.dataset.choiceNumber ?? null) !== before", arg=before)
