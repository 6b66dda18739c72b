"""The static edition in a real Chromium: whole games, reloads, and no network."""

from pathlib import Path
from random import Random
from typing import cast

import pytest
from playwright.sync_api import Browser, Page

from argentum import records
from argentum.rules.boxes import BOX_NAMES, RANDOM_DECK
from tests.e2e.static_edition import StaticHost
from tests.support.browser import BrowserPlayer, open_player
from tests.support.server import Server

START_TIMEOUT = 90_000  # milliseconds for Python to start, on a busy machine
PARTS = ("#prompt", "#piles", ".village.yours")
ANSWERED = "body[data-choice-number]:not([data-choice-number='{}'])"
SERVICE_WORKER_READY = "navigator.serviceWorker.ready.then(() => true)"


def start_game(visitor: BrowserPlayer, boxes: str = "dagger", bots: int = 1) -> None:
    """Start a game from the landing page, against bots that do not pause."""
    visitor.open("/")
    visitor.store("pace", "instant")
    visitor.page.fill("input[name=name]", "Ann")
    visitor.page.check(f"input[name=bots][value='{bots}']", force=True)
    visitor.page.check(f"input[name=boxes][value={boxes}]", force=True)
    visitor.page.click("text=Play now")
    wait_for_table(visitor.page)


def wait_for_table(page: Page) -> None:
    page.wait_for_selector("#stage[data-page=table]", timeout=START_TIMEOUT)


def as_server(host: StaticHost) -> Server:
    """Cast a host to the type that `open_player` expects; only its origin is used."""
    return cast(Server, host)


@pytest.mark.parametrize("boxes", [*BOX_NAMES, RANDOM_DECK])
def test_a_whole_game_is_played_and_its_record_downloaded(
    chromium: Browser, host: StaticHost, tmp_path: Path, boxes: str
) -> None:
    with open_player(chromium, as_server(host)) as ann:
        start_game(ann, boxes)
        ann.play_to_end(Random(boxes))
        assert ann.page.locator(".standings tbody tr").count() == 2
        with ann.page.expect_download() as waiting:
            ann.page.click("[data-send*=record]")
        path = tmp_path / "game.silver"
        waiting.value.save_as(path)
        game = records.read(path.read_text(encoding="utf-8"))
        assert game.over
        assert "Ann" in game.names


def test_a_reload_restores_the_game(chromium: Browser, host: StaticHost) -> None:
    random = Random(2)
    with open_player(chromium, as_server(host)) as ann:
        start_game(ann, bots=2)
        for _ in range(6):
            ann.wait_for_action()
            if ann.kind == "table" and ann.choice_number() is not None:
                ann.play_random_move(random)
        ann.wait_for_choice()
        undo = ann.page.locator("#prompt .take-back")
        if undo.count():  # a move that can be undone is not saved yet
            undo.click()
            undo.wait_for(state="detached")
        before = [ann.page.inner_text(part) for part in PARTS]
        ann.page.reload()
        wait_for_table(ann.page)
        assert [ann.page.inner_text(part) for part in PARTS] == before


def test_saved_games_are_on_the_landing_page(chromium: Browser, host: StaticHost) -> None:
    with open_player(chromium, as_server(host)) as ann:
        start_game(ann)
        before = ann.page.url
        ann.open("/")
        ann.page.click("#saved-tables a")
        wait_for_table(ann.page)
        assert ann.page.url == before


def test_games_can_be_played_offline(chromium: Browser, host: StaticHost) -> None:
    random = Random(3)
    with open_player(chromium, as_server(host)) as ann:
        ann.open("/")
        assert ann.page.evaluate(SERVICE_WORKER_READY)
        host.stop()
        start_game(ann)
        for _ in range(4):
            ann.wait_for_action()
            if ann.kind == "table" and ann.choice_number() is not None:
                ann.play_random_move(random)
        ann.page.reload()
        wait_for_table(ann.page)
        ann.open("/rules/")
        assert ann.page.locator("#G10").count() == 1


def test_progress_is_shown_and_seer_is_not_offered(chromium: Browser, host: StaticHost) -> None:
    with open_player(chromium, as_server(host)) as ann:
        ann.open("/")
        levels = ann.page.locator("select[name=level] option").all_inner_texts()
        assert [level.partition(":")[0] for level in levels] == ["random", "novice", "quick", "steady"]
        ann.page.click("text=Your first game")
        ann.page.wait_for_selector(".opening progress")
        wait_for_table(ann.page)


def test_two_windows_show_one_table(chromium: Browser, host: StaticHost) -> None:
    with open_player(chromium, as_server(host)) as ann:
        start_game(ann)
        second = ann.page.context.new_page()
        second.goto(ann.page.url)
        wait_for_table(second)
        choice = ann.choice_number()
        ann.choose_cards(Random(1))
        for page in (ann.page, second):
            page.wait_for_selector(ANSWERED.format(choice), state="attached", timeout=START_TIMEOUT)
        assert [second.inner_text(part) for part in PARTS] == [ann.page.inner_text(part) for part in PARTS]
        second.close()
        ann.play_random_move(Random(1))


def test_without_shared_workers_one_window_is_open_at_a_time(chromium: Browser, host: StaticHost) -> None:
    with open_player(chromium, as_server(host)) as ann:
        ann.page.context.add_init_script("delete globalThis.SharedWorker")
        start_game(ann)
        second = ann.page.context.new_page()
        second.goto(ann.page.url)
        second.wait_for_selector(".opening >> text=open in another window", timeout=START_TIMEOUT)
        choice = ann.choice_number()
        ann.choose_cards(Random(1))
        ann.page.wait_for_selector(ANSWERED.format(choice), state="attached", timeout=START_TIMEOUT)
        before = [ann.page.inner_text(part) for part in PARTS]
        ann.open("/")
        wait_for_table(second)
        assert [second.inner_text(part) for part in PARTS] == before


def test_two_people_share_a_device(chromium: Browser, host: StaticHost) -> None:
    with open_player(chromium, as_server(host)) as both:
        both.open("/")
        both.page.fill("input[name=name]", "Ann")
        both.page.check("input[name=boxes][value=coin]", force=True)
        both.page.click("text=Share this device")
        both.page.wait_for_selector("#stage[data-page=lobby]", timeout=START_TIMEOUT)
        assert "14 of 14" in both.page.inner_text(".box-head.of-coin"), "the deck chosen on the landing page"
        assert (
            both.page.locator("#invitation, [name=listed], .commitment, .players-head [data-open=chat-sheet]")
            .filter(visible=True)
            .count()
            == 0
        )
        both.page.fill("#local-name-B", "Bo")
        both.page.keyboard.press("Tab")
        both.page.wait_for_selector("#local-name-B[value=Bo]")
        both.page.click("text=Start the game")
        for name in ("Ann", "Bo"):
            both.page.wait_for_selector("#pass-device-title", timeout=START_TIMEOUT)
            assert both.page.inner_text("#pass-device-title") == f"{name} is next"
            both.page.wait_for_selector("body[data-may-show-seat]")
            both.page.click("[data-show-seat]")
            wait_for_table(both.page)
            assert both.page.inner_text(".village.yours h2").startswith(name)
            both.choose_cards(Random(name))
        both.page.reload()
        both.page.wait_for_selector("#pass-device-title, #stage[data-page=table]", timeout=START_TIMEOUT)


def test_a_bot_gives_a_hint_and_reviews_the_game(chromium: Browser, host: StaticHost) -> None:
    with open_player(chromium, as_server(host)) as ann:
        start_game(ann)
        ann.page.click("[data-open=chat-sheet]")
        assert ann.page.locator("#chat-form, .emotes, #people").filter(visible=True).count() == 0
        ann.page.click("#ask-hint")
        ann.page.wait_for_selector("#toast >> text=A strong bot would choose", timeout=START_TIMEOUT)
        ann.play_to_end(Random(5))
        ann.page.click("[data-review]")
        ann.page.wait_for_selector("#stage[data-page=review]", timeout=START_TIMEOUT)
        assert ann.page.locator("[data-mark]").count() > 4
        ann.page.click("text=Play on from here")
        wait_for_table(ann.page)
