"""The static edition in a real Chromium: whole games, reloads, and no network."""

from pathlib import Path
from random import Random
from typing import cast

import pytest
from playwright.sync_api import Browser, Page

from argentum import records
from tests.static.conftest import Host
from tests.web.browsing import Visitor, visiting
from tests.web.serving import Server

START = 90_000  # milliseconds for Python to start, on a busy machine
PARTS = ("#prompt", "#piles", ".village.yours")
INSTALLED = "navigator.serviceWorker.ready.then(() => true)"


def begin(visitor: Visitor, boxes: str = "dagger", bots: int = 1) -> None:
    """A new game from the first page, against bots that do not pause."""
    visitor.open("/")
    visitor.page.evaluate("localStorage.setItem('pace', 'instant')")
    visitor.page.fill("input[name=name]", "Ann")
    visitor.page.check(f"input[name=bots][value='{bots}']", force=True)
    visitor.page.check(f"input[name=boxes][value={boxes}]", force=True)
    visitor.page.click("text=Play now")
    opened(visitor.page)


def opened(page: Page) -> None:
    page.wait_for_selector("#stage[data-kind=table]", timeout=START)


def at(host: Host) -> Server:
    """What `visiting` wants to know of a server is its address."""
    return cast(Server, host)


@pytest.mark.parametrize("boxes", ["amulet", "bullet", "coin", "dagger", "random"])
def test_a_whole_game_and_its_record(chromium: Browser, host: Host, tmp_path: Path, boxes: str) -> None:
    with visiting(chromium, at(host)) as ann:
        begin(ann, boxes)
        ann.play_on(Random(boxes))
        assert ann.page.locator(".standings tbody tr").count() == 2
        with ann.page.expect_download() as waiting:
            ann.page.click("[data-send*=record]")
        path = tmp_path / "game.silver"
        waiting.value.save_as(path)
        game = records.read(path.read_text(encoding="utf-8"))
        assert game.over
        assert "Ann" in game.names


def test_a_reload_in_mid_game_brings_everything_back(chromium: Browser, host: Host) -> None:
    random = Random(2)
    with visiting(chromium, at(host)) as ann:
        begin(ann, bots=2)
        for _ in range(6):
            ann.wait_for_offer()
            if ann.kind == "table" and ann.choice() is not None:
                ann.play_some(random)
        ann.page.wait_for_function("choice !== null")
        before = [ann.page.inner_text(part) for part in PARTS]
        ann.page.reload()
        opened(ann.page)
        assert [ann.page.inner_text(part) for part in PARTS] == before


def test_kept_games_are_on_the_first_page(chromium: Browser, host: Host) -> None:
    with visiting(chromium, at(host)) as ann:
        begin(ann)
        before = ann.page.url
        ann.open("/")
        ann.page.click("#kept a")
        opened(ann.page)
        assert ann.page.url == before


def test_it_plays_offline(chromium: Browser, host: Host) -> None:
    random = Random(3)
    with visiting(chromium, at(host)) as ann:
        ann.open("/")
        assert ann.page.evaluate(INSTALLED)
        host.stop()
        begin(ann)
        for _ in range(4):
            ann.wait_for_offer()
            if ann.kind == "table" and ann.choice() is not None:
                ann.play_some(random)
        ann.page.reload()
        opened(ann.page)
        ann.open("/rules/")
        assert ann.page.locator("#G10").count() == 1


def test_progress_is_shown_and_seer_is_not_offered(chromium: Browser, host: Host) -> None:
    with visiting(chromium, at(host)) as ann:
        ann.open("/")
        levels = ann.page.locator("select[name=level] option").all_inner_texts()
        assert [level.partition(":")[0] for level in levels] == ["random", "novice", "quick", "steady"]
        ann.page.click("text=Your first game")
        ann.page.wait_for_selector(".opening progress")
        opened(ann.page)


def test_two_people_play_in_two_windows_of_one_browser(chromium: Browser, host: Host) -> None:
    with visiting(chromium, at(host)) as ann:
        ann.open("/")
        ann.page.click("text=Set a table")
        ann.page.wait_for_selector("#stage[data-kind=gathering]", timeout=START)
        link = ann.page.get_attribute("#invite [data-copy-link]", "data-copy-link")
        bo = Visitor(ann.page.context.new_page(), at(host))
        bo.page.goto(host.origin + "/table/" + str(link))
        bo.page.wait_for_selector("#stage[data-kind=invite]", timeout=START)
        bo.page.fill("#guest-name", "Bo")
        bo.page.click("[data-take=B]")
        bo.page.wait_for_selector("#stage[data-kind=gathering]", timeout=START)
        ann.page.wait_for_selector("#seat-B >> text=Bo")
        ann.page.click("text=Start the game")
        for one in (ann, bo):
            opened(one.page)
            assert one.choice() is not None  # the first look
