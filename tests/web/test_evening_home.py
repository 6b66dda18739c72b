"""The first page: your tables, your games, and a quick seat."""

import json

from playwright.sync_api import Browser

from tests.web.browsing import PHONE, chromium, visiting
from tests.web.serving import Server, finish, server

__all__ = ["chromium", "server"]


def test_your_tables_and_games_are_on_the_first_page(chromium: Browser, server: Server) -> None:
    done, done_key = server.new_table(boxes="coin", bots="1")
    finish(server, done, done_key)
    with visiting(chromium, server, (1366, 768)) as ann:
        ann.open(f"/table/{done}#{done_key}").wait_for("reveal")
        ann.page.click("[data-send*=seen]")
        ann.wait_for("over")
        ann.open("/")
        ann.page.fill("[name=name]", "Ann")
        ann.page.click("text=Set a table")
        ann.wait_for("gathering")
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.open("/")
        rows = ann.page.locator("#own-tables li")
        rows.first.wait_for()
        assert rows.count() == 3
        assert [rows.nth(nth).locator(".state").inner_text() for nth in (0, 1)] == ["your turn", "waits for 1 friend"]
        assert "finished, you came" in rows.nth(2).inner_text()
        games = ann.page.locator("#own-games tbody tr")
        assert games.count() == 1
        assert games.first.inner_text().split()[:2] == ["Coin", "1"]
        assert ann.violations() == []
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        ann.page.click(f"[aria-label='Forget {done}']")
        assert rows.count() == 2
        ann.page.click("text=Take your seat")
        ann.wait_for("table")


def test_tables_that_are_gone_or_not_yours_are_not_told(server: Server) -> None:
    name, key = server.new_table()
    answer = server.ask("/mine", {"tables": f"{name} {key} {name} wrong no-such {key} odd"})
    assert [one["name"] for one in json.loads(answer.text)] == [name]
    assert server.ask("/mine", {"tables": ""}).text == "[]"


def test_a_quick_seat_waits_and_then_is_found_by_the_next(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann, visiting(chromium, server) as bo:
        ann.page.clock.install()
        ann.open("/").page.click("text=Quick seat")
        ann.wait_for("gathering")
        ann.page.wait_for_selector("#toast:has-text('Waiting for somebody')")
        ann.page.clock.run_for(46_000)
        ann.wait_for("table")  # nobody came: a bot keeps the seat
        bo.open("/").page.click("text=Quick seat")
        bo.wait_for("table")
        assert bo.page.url.partition("#")[0] == ann.page.url.partition("#")[0].partition("?")[0]
        assert ann.page.evaluate("JSON.parse(localStorage.tables).length") == 1
