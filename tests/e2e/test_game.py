"""Whole games in a real Chromium."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from argentum import records
from tests.support.browser import DESKTOP, PHONE, BrowserPlayer, SocketRelay, open_player, play_by_protocol
from tests.support.server import Server, play_game_to_end, shared_server

__all__ = ["shared_server"]


def test_a_game_on_a_phone_never_scrolls_sideways(chromium: Browser, server: Server) -> None:
    """Moves in the middle are played over the protocol: there can be hundreds, and pages are slow to update."""
    with open_player(chromium, server, PHONE) as ann:
        ann.open("/")
        ann.page.fill("input[name=name]", "Wilhelmina of Ashford")
        ann.page.check("input[name=bots][value='3']", force=True)
        ann.page.check("input[name=boxes][value=amulet]", force=True)
        ann.page.click("text=Play now")
        ann.wait_for("table")
        ann.play_moves(Random("amulet"), 12, check_width)
        play_by_protocol(server, [ann], rounds=3)
        ann.leave_round_end()
        ann.play_moves(Random("amulet"), 12, check_width)
        play_by_protocol(server, [ann])
        check_width(ann)
        ann.leave_round_end()
        ann.wait_for("game_end")
        check_width(ann)
        assert ann.page.locator(".standings tbody tr").count() == 4


def check_width(visitor: BrowserPlayer) -> None:
    assert not visitor.scrolls_sideways()


def test_two_players_at_one_table_reload_during_their_turns(chromium: Browser, server: Server) -> None:
    random = Random(4)
    with open_player(chromium, server) as ann, open_player(chromium, server, theme="light") as bo:
        ann.open("/")
        ann.page.fill("input[name=name]", "Ann")
        ann.page.click("text=Set a table")
        ann.wait_for("lobby")
        bo.open(str(ann.page.get_attribute("[data-copy-link]", "data-copy-link")))
        bo.page.click("[data-claim-seat=B]")
        bo.wait_for("lobby")
        bo.page.fill("#your-name", "Bo")
        bo.page.press("#your-name", "Enter")
        ann.page.wait_for_selector("#seat-B >> text=Bo")
        ann.page.check("#seats-4", force=True)
        for seat in "CD":
            ann.page.select_option(f"#change-{seat}", "novice")
        ann.page.wait_for_selector("#seat-D >> text=bot, novice")
        ann.page.click("text=Start the game")
        people = [ann, bo]
        reloads = {"Ann": 0, "Bo": 0}
        while min(reloads.values()) < 1:
            for name, visitor in zip(reloads, people, strict=True):
                visitor.page.wait_for_selector("#stage:not([data-page=lobby])")
                if visitor.kind == "round_end":
                    visitor.leave_round_end()
                elif visitor.kind == "table" and visitor.choice_number() is not None:
                    visitor.play_random_move(random)
                    if visitor.page.locator("#prompt .hand.mine").count():
                        reloads[name] += 1
                        reload_and_compare(visitor)
        play_by_protocol(server, people)
        for visitor in people:
            visitor.leave_round_end()
            visitor.wait_for("game_end")
        scores = [visitor.page.locator(".standings td").all_inner_texts() for visitor in people]
        assert len(scores[0]) == 4 * 6
        assert scores[0] == scores[1]


def reload_and_compare(visitor: BrowserPlayer) -> None:
    before = [visitor.page.inner_text(part) for part in ("#prompt", "#piles", ".village.yours")]
    visitor.page.reload()
    visitor.wait_for("table")
    assert [visitor.page.inner_text(part) for part in ("#prompt", "#piles", ".village.yours")] == before


def test_a_round_is_played_by_keyboard(chromium: Browser, server: Server) -> None:
    """The end of the round, which can be long, is played over the protocol."""
    random = Random(5)
    with open_player(chromium, server) as ann:
        table, key = server.new_table(boxes="dagger", bots="1")
        ann.open(f"/table/{table}#{key}").wait_for("table")
        for _ in range(12):
            ann.page.wait_for_selector("body[data-choice-number], #stage[data-page=round_end]", state="attached")
            if ann.choice_number() is not None:
                play_by_keys(ann, random)
        play_by_protocol(server, [ann], rounds=1)
        ann.tab_to("[data-send*=seen]")
        ann.page.keyboard.press("Enter")
        ann.wait_for("table")


def play_by_keys(visitor: BrowserPlayer, random: Random) -> None:
    """Make a move with the keyboard: arrows and Space on cards, Tab and Enter on buttons."""
    answered = visitor.choice_number()
    keys = visitor.page.keyboard
    if visitor.page.locator("[data-select]").count() and (not visitor.move_elements().count() or random.random() < 0.6):
        minimum = int(visitor.page.locator("[data-template]").first.get_attribute("data-min-cards") or 1)
        while visitor.page.locator("[data-select][aria-pressed=true]").count() < minimum:
            keys.press("ArrowRight")
            if visitor.page.evaluate("document.activeElement.matches('[data-select][aria-pressed=false]')"):
                keys.press("Space")
        visitor.tab_to("[data-template]:not([disabled])")
        keys.press("Enter")
    else:
        visitor.tab_to("[data-move]:not([disabled])")
        keys.press("Enter")
    visitor.wait_until_answered(answered)


@pytest.mark.parametrize(("size", "theme"), [(DESKTOP, "dark"), (PHONE, "light")])
def test_pages_are_accessible(chromium: Browser, server: Server, size: tuple[int, int], theme: str) -> None:
    """Run axe-core on every page, and on the table with different prompts."""
    with open_player(chromium, server, size, theme) as ann:
        for path in ("/", "/rules", *(("/about",) if size == DESKTOP else ("/privacy", "/nowhere"))):
            ann.open(path)
            # The rules are long; on phones one entry of each box is enough.
            assert ann.accessibility_violations(without=".entry ~ .entry" if size == PHONE else "") == []
            assert not ann.scrolls_sideways()
        ann.errors.clear()  # the browser logs the missing page
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("lobby")
        assert ann.accessibility_violations() == []
        assert not ann.scrolls_sideways()
        table, key = server.new_table(boxes="random", bots="3")
        ann.open(f"/table/{table}#{key}").wait_for("table")
        seen: set[str] = set()

        def check_page(visitor: BrowserPlayer) -> None:
            prompt = visitor.kind if visitor.kind != "table" else visitor.page.inner_text("#prompt-title").split()[0]
            if prompt not in seen and (len(seen) < 6 or visitor.kind != "table"):
                seen.add(prompt)
                assert visitor.accessibility_violations() == []
                assert not visitor.scrolls_sideways()

        ann.play_moves(Random(6), 8, check_page)
        play_by_protocol(server, [ann])
        check_page(ann)
        ann.leave_round_end()
        ann.wait_for("game_end")
        check_page(ann)
        ann.page.click("text=Replay")
        ann.wait_for("replay")
        assert ann.accessibility_violations() == []
        assert not ann.scrolls_sideways()
        assert {"round_end", "game_end"} <= seen


def test_replay_record_and_rematch_after_a_game(chromium: Browser, server: Server, tmp_path: Path) -> None:
    with open_player(chromium, server) as ann:
        table, key = server.new_table(boxes="dagger", bots="3", name="Ann")
        play_game_to_end(server, table, key)
        ann.open(f"/table/{table}#{key}").wait_for("round_end")
        ann.leave_round_end()
        ann.wait_for("game_end")
        page = ann.page
        with page.expect_download() as download:
            page.click("text=Download the record")
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        game = records.read_file(file)
        assert game.over
        assert game.names[0] == "Ann"

        page.click("text=Replay")
        ann.wait_for("replay")
        slider = page.locator("#replay-at")
        assert page.locator(".village .card[data-face=back]").count() == 0, "all faces are open"
        slider.evaluate("(slider) => { slider.value = 40; slider.dispatchEvent(new Event('input', {bubbles: true})); }")
        page.wait_for_selector("#replay-at[aria-valuetext^='Move 40 of']")
        page.click("#replay >> text=Round 3")
        page.wait_for_selector("#top-bar >> text=Round 3 of 4")
        page.click("#replay >> text=Result")
        ann.wait_for("game_end")

        page.click("text=Rematch")
        ann.wait_for("lobby")
        if game.winner != "A":
            page.check("#number-7-c", force=True)
            page.wait_for_selector(".swaps >> text=Nostro for Elusive Seer, the 7")
        page.click("text=Start the game")
        ann.wait_for("table")
        swapped = page.locator(".cast [data-help=C7]").count()
        assert swapped == (game.winner != "A")


def test_help_opens_by_hovering_by_key_and_by_a_long_press(chromium: Browser, server: Server) -> None:
    table, key = server.new_table(boxes="dagger", bots="1")
    with open_player(chromium, server) as ann:
        page = ann.open(f"/table/{table}#{key}").page
        ann.wait_for("table")
        chip = page.locator(".cast [data-help=D3]")
        chip.hover()
        page.wait_for_selector("#help >> text=Sentinel")
        page.mouse.move(5, 5)
        page.wait_for_selector("#help", state="hidden")
        page.locator(".cast [data-help=D4]").focus()
        page.keyboard.press("?")
        page.wait_for_selector("#help >> text=Zombie")
        assert "G21" not in page.inner_text("#help"), "help has no labels of rulings"
        page.keyboard.press("Escape")
        page.wait_for_selector("#help", state="hidden")
    with open_player(chromium, server, PHONE) as ann:
        page = ann.open(f"/table/{table}#{key}").page
        ann.wait_for("table")
        top = page.locator("#piles [data-slot=pile] [data-help]").first.bounding_box()
        assert top is not None
        finger = page.context.new_cdp_session(page)
        point = {"x": top["x"] + 20, "y": top["y"] + 30}
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.wait_for_selector("#help .help-text")
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.is_visible("#help .help-text"), "help stays when the finger leaves"


def test_in_memory_mode_a_card_is_shown_briefly(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        # Show each card for ten minutes, because a busy machine may be slower than the game.
        SocketRelay(ann.page, lambda text: re.sub(r'"fade":[\d.]+', '"fade":600', text))
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("lobby")
        ann.page.select_option("#change-B", "novice")
        ann.page.click("label:has-text('Memory')")
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        ann.choose_cards(Random(1))
        ann.page.wait_for_selector("#look[open]")
        titles = [
            f"Your {ordinal} card, {number} of 2"
            for number in (1, 2)
            for ordinal in ("first", "second", "third", "fourth", "fifth")
        ]
        assert ann.page.inner_text("#look-title") in titles[:5]
        assert ann.page.locator("#look .seen-cards .face").count() == 1
        assert ann.page.locator("#look .look-gap").count() == 1
        assert int(ann.page.inner_text("#look .seconds")) <= 600
        ann.page.click("#look [data-done]")
        ann.page.wait_for_function("() => document.getElementById('look-title').textContent.endsWith('2 of 2')")
        assert ann.page.inner_text("#look-title") in titles[5:]
        ann.page.click("#look [data-done]")
        ann.page.wait_for_selector("#look", state="hidden")
        assert "You looked at your spots" in ann.page.inner_text("#log")
        ann.page.wait_for_selector(".village.yours .spot.known", state="detached")
        assert ann.page.locator("#log li:has-text('You looked') .chip").count() == 0


def test_a_spectator_sees_the_table_and_no_secrets(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann, open_player(chromium, server) as eve:
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("lobby")
        assert ann.page.locator(".seats li").count() == 4, "three seats are open"
        ann.page.check("#seats-2", force=True)
        ann.page.wait_for_selector("#seat-C", state="detached")
        link = str(ann.page.get_attribute("[data-copy-link]", "data-copy-link"))
        ann.page.select_option("#change-B", "novice")
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        ann.choose_cards(Random(1))
        ann.page.wait_for_selector(".village.yours .spot.known")
        eve.open(link).wait_for("table")
        eve.page.wait_for_selector("#log >> text=looked at spots")
        assert eve.page.locator(".spot.known").count() == 0
        assert eve.move_elements().count() == 0


def test_a_page_reconnects_after_a_restart_of_the_server(chromium: Browser, server: Server) -> None:
    table, key = server.new_table(boxes="coin", bots="1")
    with open_player(chromium, server) as ann:
        ann.open(f"/table/{table}#{key}").wait_for("table")
        ann.choose_cards(Random(1))
        ann.page.wait_for_selector(".village.yours .spot.known")
        # Until it is Ann's turn, the bot may look at her cards or move them.
        ann.wait_for_choice()
        cards = ann.page.locator(".village.yours .spot")
        before = cards.all_inner_texts()
        server.kill()
        ann.page.wait_for_selector("#toast >> text=The connection is lost")
        server.start()
        ann.page.wait_for_selector("#toast", state="hidden")
        ann.page.wait_for_selector("body[data-connection=open]")
        assert cards.all_inner_texts() == before
        ann.wait_for_action()
        ann.play_random_move(Random(2))
        ann.errors.clear()  # the browser logs the lost connection


def test_cards_are_animated_unless_reduced_motion_is_preferred(chromium: Browser, server: Server) -> None:
    for motion, animated in (("allow", True), ("reduce", False)):
        table, key = server.new_table(boxes="dagger", bots="1")
        with open_player(chromium, server, motion=motion) as ann:
            ann.open(f"/table/{table}#{key}").wait_for("table")
            ann.page.evaluate(
                "() => { window.animations = 0; const original = Element.prototype.animate;"
                " Element.prototype.animate = function (...all) {"
                " window.animations++; return original.apply(this, all); }; }"
            )
            for key in ("1", "Space", "2", "Space", "k"):  # Playwright would delay a click until all animations end
                ann.page.keyboard.press(key)
            ann.page.wait_for_selector(".look-popup")
            assert animated or ann.accessibility_violations() == []
            ann.page.wait_for_selector("#prompt [data-move=draw]")
            ann.page.keyboard.press("d")
            ann.page.wait_for_selector("#prompt .hand")
            assert (ann.page.evaluate("window.animations") > 0) == animated
