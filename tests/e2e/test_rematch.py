"""From one game to the next in a real Chromium: the lobby of a phone, a bot that filled in, and a loser's swap."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from tests.support.browser import PHONE, BrowserPlayer, open_player
from tests.support.server import Server, play_game_to_end

PATIENT = "from argentum.rooms import clock; clock.REMATCH_SECONDS = 3600.0"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Its rematches wait for an hour, as this machine may be slow."""
    one = Server(str(tmp_path / "tables.db"), startup_code=PATIENT)
    one.start()
    yield one
    one.stop()


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def seats_come_first(lobby: BrowserPlayer) -> None:
    """On a phone: the invitation, the seats, then what is folded up; the button is always in sight."""
    page = lobby.page
    for width, height in (PHONE, (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        order = ["#invite", ".seats", ".fold-deck", ".fold-ways"]
        shown = [one for one in order if page.locator(one).count()]
        tops = [top(page.locator(one)) for one in shown]
        assert tops == sorted(tops)
        start = page.locator(".start").bounding_box()
        assert start is not None
        assert start["y"] + start["height"] <= height
        assert not lobby.scrolls_sideways()
        for tap in page.locator("#stage :is(button, select, .segments label, .fold):visible").all():
            box = tap.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 43.5, tap.inner_text()


def test_an_evening_goes_on_with_a_losers_swap(chromium: Browser, server: Server) -> None:
    """Two friends and a free seat, in which a bot fills in."""
    with open_player(chromium, server) as ann, open_player(chromium, server, PHONE) as bo:
        ann.open("/").page.fill("[name=name]", "Ann")
        ann.page.click("text=Set a table")
        ann.wait_for("gathering")
        bo.open(str(ann.page.get_attribute("[data-copy-link]", "data-copy-link")))
        bo.page.fill("[data-guest-name]", "Bo")
        bo.page.click("[data-take=B]")
        bo.wait_for("gathering")
        ann.page.check("#seats-3", force=True)
        bo.page.wait_for_selector("#seat-C")
        seats_come_first(bo)
        bo.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        bo.wait_for("table")
        seats = {one.page.url: one for one in (ann, bo)}
        for one in seats.values():
            one.page.goto("about:blank")  # drawing every move on two pages takes long
        table = next(iter(seats)).partition("/table/")[2].partition("#")[0]
        play_game_to_end(server, table, *[url.partition("#")[2] for url in seats])
        for url, one in seats.items():
            one.page.goto(url)
            one.wait_for("reveal")
            one.leave_round_end()
            one.wait_for("over")
            rows = one.page.locator(".standings tbody tr").all_inner_texts()
            assert ["a bot filled in" in row for row in rows] == ["Cinder" in row for row in rows]
            assert not one.scrolls_sideways()
            assert one.accessibility_violations() == []
        a_replay_fits(bo)
        winner = ann.page.locator(".standings .winner .name").inner_text().split()[0]
        ann.page.click("text=Rematch")
        ann.wait_for("gathering")
        bo.page.click("text=Join the rematch")
        bo.wait_for("gathering")
        bo.page.click("text=review of the last game")
        bo.wait_for("over")
        a_replay_fits(bo)
        bo.page.click("text=Join the rematch")
        bo.wait_for("gathering")
        host, loser, name = (ann, bo, "Bo") if winner != "Bo" else (bo, ann, "Ann")
        if host is bo:
            ann.page.click(".party-head [data-open=talk-sheet]")
            ann.page.click("[aria-label='Make host: Bo']")
            ann.page.keyboard.press("Escape")
        the_game_waits(host, loser, name)


def a_replay_fits(phone: BrowserPlayer) -> None:
    """Held either way, the whole table is in sight over the bar."""
    phone.page.click("text=Replay")
    phone.wait_for("replay")
    for width, height in (PHONE, (844, 390), (667, 375)):
        phone.page.set_viewport_size({"width": width, "height": height})
        assert phone.page.evaluate("document.documentElement.scrollHeight") <= height
        assert not phone.scrolls_sideways()
    phone.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    phone.page.click("#replay >> text=Result")
    phone.wait_for("over")


def the_game_waits(host: BrowserPlayer, loser: BrowserPlayer, name: str) -> None:
    """The host cannot start before the loser has chosen; then the new resident plays."""
    note = f".start p:has-text('{name} may still replace a number')"
    host.page.wait_for_selector(note)
    host.page.wait_for_function("() => / s$/.test(document.querySelector('.start [data-clock]').textContent)")
    assert host.accessibility_violations("#party") == []
    host.page.click("text=Start the game")
    host.page.wait_for_selector("#toast:has-text('may still replace a number')")
    if loser.page.locator(".box-tabs").is_visible():  # on the phone
        loser.page.check("#tab-coin", force=True)
    loser.page.check("#number-7-c", force=True)
    host.page.wait_for_selector(f".swaps >> text={name}: Nostro for Elusive Seer, the 7")
    host.page.wait_for_selector(note, state="detached")
    assert loser.accessibility_violations("#gathering") == []
    host.page.click("text=Start the game")
    for one in (host, loser):
        one.wait_for("table")
        assert one.page.locator(".cast [data-help=C7]").count() == 1
