"""Talk at the table: emotes, lines, muting, nudges, limits."""

import pytest
from playwright.sync_api import Browser

from argentum.tableside.refusals import Refused
from argentum.tableside.sitting import WATCH
from argentum.web.talk import BURST, LONGEST_LINE, Talk
from tests.web.browsing import PHONE, chromium, visiting
from tests.web.serving import Server, server

__all__ = ["chromium", "server"]


def test_people_talk_emote_mute_and_nudge(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann, visiting(chromium, server, PHONE) as bo:
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("gathering")
        bo.open(str(ann.page.get_attribute("[data-copy-link]", "data-copy-link"))).page.click("[data-take=B]")
        bo.wait_for("gathering")
        bo.page.click("[data-open=talk-sheet]")
        assert bo.violations() == []
        bo.page.click("#talk-sheet [aria-label=Close]")
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        bo.wait_for("table")
        bo.page.click("[data-open=talk-sheet]")
        bo.page.fill("#talk-text", "<img src=x onerror=alert(1)> hello")
        bo.page.press("#talk-text", "Enter")
        ann.page.wait_for_selector(".bubble:has-text('onerror')")
        assert ann.page.locator(".bubble img").count() == 0
        bo.page.click("[aria-label='Well played']")
        ann.page.wait_for_selector(".bubble:has-text('👏')")
        assert not bo.scrolls_sideways()
        bo.page.click("#nudges button")
        ann.page.wait_for_selector("#toast:has-text('asks you to play on')")
        ann.page.click("[data-open=talk-sheet]")
        assert ann.page.locator("#talk-lines p").count() == 2
        ann.page.locator("#talk-lines button").first.click()
        assert ann.page.locator("#talk-lines p").count() == 0
        ann.page.check("#talk-off")
        bo.page.wait_for_selector("#talk-note:has-text('switched talking off')")
        assert bo.page.is_disabled("#talk-text")


def test_talk_is_short_slow_and_stays_where_it_belongs() -> None:
    talk = Talk()
    talk.say("A", "Ann", "x" * 500)
    assert len(talk.lines[0].text) == LONGEST_LINE
    for _ in range(BURST - 1):
        talk.emote("A", "Ann", "👍")
    with pytest.raises(Refused, match="too much"):
        talk.say("A", "Ann", "more")
    with pytest.raises(Refused, match="emote is one of"):
        talk.emote("B", "Bo", "<b>")
    with pytest.raises(Refused, match="letters"):
        talk.say("B", "Bo", "\u202e\u0000 ")
    talk.say(WATCH, "An onlooker", "psst")
    news, heard = talk.news("B", (0, False))
    assert "psst" not in news[0]
    assert "psst" in talk.news(WATCH, (0, False))[0][0]
    assert talk.news("B", heard) == ([], heard)
    talk.nudge("B", "Bo", "A")
    assert "nudge" in talk.news("A", heard)[0][0]
    assert "nudge" not in talk.news("C", heard)[0][0]
    talk.off = True
    with pytest.raises(Refused, match="switched talking off"):
        talk.say("B", "Bo", "hello")
