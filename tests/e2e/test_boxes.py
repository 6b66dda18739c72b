"""The lobby's deck and a table with all four boxes, in a real Chromium."""

from random import Random

import pytest
from playwright.sync_api import Browser

from argentum.rules.boxes import BOX_NAMES
from tests.support.browser import PHONE, open_player, play_by_protocol
from tests.support.server import Server, shared_server

__all__ = ["shared_server"]

MIX = "dadabcacaabdac"
TRUNCATED_TEXTS = """[...document.querySelectorAll(".choice :is(strong, .quiet)")]
    .filter((words) => words.scrollWidth > words.clientWidth).map((words) => words.textContent)"""
VISIBLE_CHOICES = """[...document.querySelectorAll(".choice")].filter((choice) => {
    const box = choice.getBoundingClientRect();
    return box.width && box.top >= 0 && box.bottom <= innerHeight;
}).length"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_small_desktop_shows_all_residents_without_scrolling(chromium: Browser, server: Server, theme: str) -> None:
    name, token = server.new_table("/tables", name="Ann")
    with open_player(chromium, server, (1366, 768), theme) as ann:
        ann.open(f"/table/{name}#{token}").wait_for("lobby")
        assert ann.page.evaluate(VISIBLE_CHOICES) == 4 * 14
        assert ann.page.evaluate("document.documentElement.scrollHeight") == 768
        assert ann.page.evaluate(TRUNCATED_TEXTS) == []
        assert ann.accessibility_violations() == []


@pytest.mark.parametrize("size", [(390, 844), PHONE])
def test_a_phone_shows_one_box_at_a_time(chromium: Browser, server: Server, size: tuple[int, int]) -> None:
    name, token = server.new_table("/tables", name="Ann")
    with open_player(chromium, server, size) as ann:
        ann.open(f"/table/{name}#{token}").wait_for("lobby")
        assert ann.page.locator(".choice:visible, .token-choice:visible").count() == 0, "the sections are folded up"
        ann.page.click(".fold-deck")
        for box in BOX_NAMES:
            ann.page.locator(f".box-tabs label.of-{box}").click()
            assert ann.page.locator(".choice:visible").count() == 14
            assert ann.page.locator(f".choice.of-{box}:visible").count() == 14
        assert ann.page.evaluate(TRUNCATED_TEXTS) == []
        assert not ann.scrolls_sideways()
        ann.page.check("#tab-coin", force=True)
        ann.page.check("#number-3-c", force=True)
        ann.page.wait_for_selector(".fold-deck >> text=Dagger with Coin's 3")
        assert ann.page.is_visible(".choice.of-coin"), "an update does not fold the section up"
        ann.page.click(".fold-options")
        assert ann.page.is_visible(".token-choice")
        assert ann.accessibility_violations() == []


def test_a_round_with_all_four_boxes_is_played_by_clicks(chromium: Browser, server: Server) -> None:
    name, token = server.new_table("/play", name="Ann", bots="3", level="novice", boxes=MIX)
    with open_player(chromium, server, (1366, 768)) as ann:
        ann.open(f"/table/{name}#{token}").wait_for("table")
        ann.play_moves(Random(11), 20)
        play_by_protocol(server, [ann], rounds=1)
        assert ann.page.locator(".verdict").inner_text()
