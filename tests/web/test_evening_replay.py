"""The replay: it plays and pauses, has a link to each move, and shows what one seat saw."""

from playwright.sync_api import Browser

from tests.web.browsing import PHONE, chromium, visiting
from tests.web.serving import Server, finish, server

__all__ = ["chromium", "server"]


def test_a_replay_plays_by_itself_and_has_links_to_moves(chromium: Browser, server: Server) -> None:
    table, key = server.new_table(boxes="coin", bots="1")
    finish(server, table, key)
    with visiting(chromium, server) as ann:
        ann.open(f"/table/{table}?at=7#{key}").wait_for("reveal")
        ann.page.click("[data-send*=seen]")
        ann.page.wait_for_selector("#replay[data-at='7']")
        known = ann.page.locator(".village .spot.known").count()
        ann.page.select_option("#replay-eyes", "A")
        fewer = "known => document.querySelectorAll('.village .spot.known').length < known"
        ann.page.wait_for_function(fewer, arg=known)
        assert ann.page.locator("#replay[data-at='7']").count() == 1
        assert ann.offers().count() == 0
        ann.page.select_option("#replay-speed", "400")
        ann.page.click("[aria-label=Play]")
        ann.page.wait_for_selector("#replay[data-at='10']")
        ann.page.click("[aria-label=Pause]")
        ann.page.wait_for_selector("[aria-label=Play]")
        assert ann.violations() == []
        assert "?at=1" in ann.page.url
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        move = str(ann.page.get_attribute("[data-copy-move]", "data-copy-move"))
        ann.page.click("text=Result")
        ann.wait_for("over")
        assert "at=" not in ann.page.url
        with visiting(chromium, server) as eve:  # the link of a move is for anybody, and opens no seat
            eve.open(move.replace("#", "?at=3#")).page.wait_for_selector("#replay[data-at='3']")
