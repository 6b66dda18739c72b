"""Rematches in a real Chromium: the lobby on a phone, a bot that filled in, and a loser's swap."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from tests.support.browser import PHONE, BrowserPlayer, open_player
from tests.support.server import Server, play_game_to_end

LONG_REMATCH_WAIT = "from argentum.rooms import clock; clock.REMATCH_SECONDS = 3600.0"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Run a server whose rematches wait for an hour, so that slow machines do not time out."""
    server = Server(str(tmp_path / "tables.db"), startup_code=LONG_REMATCH_WAIT)
    server.start()
    yield server
    server.stop()


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def check_phone_lobby(lobby: BrowserPlayer) -> None:
    """Check the order of the lobby's parts on a phone, the visible start button, and the sizes of controls."""
    page = lobby.page
    for width, height in (PHONE, (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        order = ["#invitation", ".seats", ".fold-deck", ".fold-options"]
        shown = [selector for selector in order if page.locator(selector).count()]
        tops = [top(page.locator(selector)) for selector in shown]
        assert tops == sorted(tops)
        start = page.locator(".start").bounding_box()
        assert start is not None
        assert start["y"] + start["height"] <= height
        assert not lobby.scrolls_sideways()
        for control in page.locator("#stage :is(button, select, .segments label, .fold):visible").all():
            box = control.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 43.5, control.inner_text()


def test_a_rematch_waits_for_a_losers_swap(chromium: Browser, server: Server) -> None:
    """There are two players and an open seat, which a bot fills."""
    with open_player(chromium, server) as ann, open_player(chromium, server, PHONE) as bo:
        ann.open("/").page.fill("[name=name]", "Ann")
        ann.page.click("text=Set a table")
        ann.wait_for("lobby")
        bo.open(str(ann.page.get_attribute("[data-copy-link]", "data-copy-link")))
        bo.page.fill("[data-guest-name]", "Bo")
        bo.page.click("[data-claim-seat=B]")
        bo.wait_for("lobby")
        ann.page.check("#seats-3", force=True)
        bo.page.wait_for_selector("#seat-C")
        check_phone_lobby(bo)
        bo.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        bo.wait_for("table")
        seats = {visitor.page.url: visitor for visitor in (ann, bo)}
        for visitor in seats.values():
            visitor.page.goto("about:blank")  # rendering every move on two pages is slow
        table = next(iter(seats)).partition("/table/")[2].partition("#")[0]
        play_game_to_end(server, table, *[url.partition("#")[2] for url in seats])
        for url, visitor in seats.items():
            visitor.page.goto(url)
            visitor.wait_for("round_end")
            visitor.leave_round_end()
            visitor.wait_for("game_end")
            rows = visitor.page.locator(".standings tbody tr").all_inner_texts()
            assert ["a bot filled in" in row for row in rows] == ["Cinder" in row for row in rows]
            assert not visitor.scrolls_sideways()
            assert visitor.accessibility_violations() == []
        check_replay_fits(bo)
        winner = ann.page.locator(".standings .winner .standing-name").inner_text().split()[0]
        ann.page.click("text=Rematch")
        ann.wait_for("lobby")
        bo.page.click("text=Join the rematch")
        bo.wait_for("lobby")
        bo.page.click("text=review of the last game")
        bo.wait_for("game_end")
        check_replay_fits(bo)
        bo.page.click("text=Join the rematch")
        bo.wait_for("lobby")
        host, loser, name = (ann, bo, "Bo") if winner != "Bo" else (bo, ann, "Ann")
        if host is bo:
            ann.page.click(".players-head [data-open=chat-sheet]")
            ann.page.click("[aria-label='Make host: Bo']")
            ann.page.keyboard.press("Escape")
        swap_and_start(host, loser, name)


def check_replay_fits(phone: BrowserPlayer) -> None:
    """Check that the table fits above the replay bar, in portrait and landscape orientation."""
    phone.page.click("text=Replay")
    phone.wait_for("replay")
    for width, height in (PHONE, (844, 390), (667, 375)):
        phone.page.set_viewport_size({"width": width, "height": height})
        assert phone.page.evaluate("document.documentElement.scrollHeight") <= height
        assert not phone.scrolls_sideways()
    phone.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    phone.page.click("#replay >> text=Result")
    phone.wait_for("game_end")


def swap_and_start(host: BrowserPlayer, loser: BrowserPlayer, name: str) -> None:
    """Check that the host can start only after the loser has replaced a resident; then start."""
    waiting_note = f".start p:has-text('{name} may still replace a number')"
    host.page.wait_for_selector(waiting_note)
    host.page.wait_for_function("() => / s$/.test(document.querySelector('.start [data-clock]').textContent)")
    assert host.accessibility_violations("#players") == []
    host.page.click("text=Start the game")
    host.page.wait_for_selector("#toast:has-text('may still replace a number')")
    if loser.page.locator(".box-tabs").is_visible():  # on the phone
        loser.page.check("#tab-coin", force=True)
    loser.page.check("#number-7-c", force=True)
    host.page.wait_for_selector(f".swaps >> text={name}: Nostro for Elusive Seer, the 7")
    host.page.wait_for_selector(waiting_note, state="detached")
    assert loser.accessibility_violations("#lobby") == []
    host.page.click("text=Start the game")
    for visitor in (host, loser):
        visitor.wait_for("table")
        assert visitor.page.locator(".cast [data-help=C7]").count() == 1
