"""The tables and results that the landing page lists for this browser, and quick seats."""

import json
import re
from functools import partial

import pytest
from playwright.sync_api import Browser

from tests.support.browser import PHONE, SocketRelay, leave_last_round_end, open_player
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
