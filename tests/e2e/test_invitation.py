"""Invitations, and a seat on two devices, in a real Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from argentum.web.pages.lobby import qr_svg
from tests.support.browser import (
    PHONE,
    BrowserPlayer,
    create_table,
    invitation_link,
    is_same_document,
    mark_document,
    open_player,
)
from tests.support.server import Server


@pytest.fixture
def ann(chromium: Browser, server: Server) -> Iterator[BrowserPlayer]:
    with open_player(chromium, server) as host:
        create_table(host)
        yield host


def test_visitors_choose_a_free_seat_on_the_invitation(chromium: Browser, server: Server, ann: BrowserPlayer) -> None:
    ann.page.check("#seats-3", force=True)
    ann.page.wait_for_selector("#seat-C")
    link = invitation_link(ann)
    with open_player(chromium, server, PHONE) as bo, open_player(chromium, server) as cem:
        for guest, name, seat in ((bo, "Bo <b>x</b>", "C"), (cem, "Cem", "B")):
            guest.open(link)
            guest.wait_for("invitation")
            assert guest.accessibility_violations() == []
            assert not guest.scrolls_sideways()
            mark_document(guest)
            guest.page.fill("[data-guest-name]", name)
            guest.page.click(f"[data-claim-seat={seat}]")
            guest.wait_for("lobby")
            guest.page.wait_for_selector(f"#seat-{seat} #your-name")
            assert is_same_document(guest), "the page is not loaded again"
        assert bo.page.input_value("#your-name") == "Bo <b>x</b>"
        assert bo.page.locator("#invitation").count() == 0, "only the host has the invitation"
        ann.page.wait_for_selector("#seat-B:has-text('Cem')")
        bo.page.reload()
        bo.wait_for("lobby")
        assert bo.page.locator("#seat-C #your-name").count() == 1, "the page's URL has the key of the seat"
        with open_player(chromium, server) as dora:  # all seats are taken, so she becomes a spectator
            dora.open(link)
            dora.wait_for("lobby")
            assert dora.page.locator("#your-name").count() == 0


# Click a button for a seat that is no longer free, as if the page had not been updated yet.
CLAIM_SEAT = """seat => {
    const button = document.createElement("button");
    button.dataset.claimSeat = seat;
    document.body.append(button);
    button.click();
}"""


def test_a_spectator_claims_a_seat_of_a_running_game_and_keeps_it_on_two_tabs(
    chromium: Browser, server: Server, ann: BrowserPlayer
) -> None:
    link = invitation_link(ann)
    ann.page.check("#seats-2", force=True)
    ann.page.wait_for_selector("#seat-C", state="detached")
    ann.page.click("[data-send*=start]")
    ann.wait_for("table")
    ann.page.click("[data-open=chat-sheet]")
    ann.page.fill("#chat-text", "welcome")
    ann.page.keyboard.press("Enter")
    with open_player(chromium, server) as bo:
        bo.open(link).wait_for("invitation")
        bo.page.click("text=Only watch")
        bo.wait_for("table")
        assert bo.page.locator(".village.yours").count() == 0
        bo.page.wait_for_function("() => document.querySelectorAll('#chat-lines p').length === 1")
        mark_document(bo)
        bo.store("name", "Bo")
        bo.page.evaluate(CLAIM_SEAT, "B")
        bo.page.wait_for_selector(".village.yours")
        assert is_same_document(bo)
        assert bo.page.inner_text(".village.yours h2").startswith("Bo")
        bo.page.wait_for_function("key => location.hash.slice(1) !== key", arg=link.partition("#")[2])
        assert bo.page.locator("#chat-lines p").count() == 1, "the chat is not repeated"
        ann.page.wait_for_selector("#people li:has-text('Bo')")
        seat_link = bo.page.url
        second_tab = bo.page.context.new_page()
        second_tab.goto(seat_link)
        second_tab.wait_for_selector("#stage[data-page=table] .village.yours")
        assert bo.kind == "table", "two tabs of one device show the same seat"
        with open_player(chromium, server) as other_device:
            other_device.page.goto(seat_link)
            other_device.page.wait_for_selector("[data-move-here]")
        bo.page.reload()
        bo.page.wait_for_selector("#stage[data-page=table] .village.yours")


def test_a_spectator_of_the_lobby_who_claims_a_seat_contributes_to_the_shuffles(
    chromium: Browser, server: Server, ann: BrowserPlayer
) -> None:
    with open_player(chromium, server) as bo:
        sent: list[str] = []
        bo.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
        bo.open(invitation_link(ann)).wait_for("invitation")
        bo.page.click("text=Only watch")
        bo.wait_for("lobby")
        assert not [text for text in sent if "shuffle_value" in text]
        bo.store("name", "Bo")
        bo.page.evaluate(CLAIM_SEAT, "B")
        bo.page.wait_for_selector("#seat-B #your-name")
        assert len([text for text in sent if "shuffle_value" in text]) == 1


def test_two_people_cannot_take_the_same_seat(chromium: Browser, server: Server, ann: BrowserPlayer) -> None:
    ann.page.check("#seats-3", force=True)
    ann.page.wait_for_selector("#seat-C")
    link = invitation_link(ann)
    with open_player(chromium, server) as bo, open_player(chromium, server) as cem:
        bo.open(link).wait_for("invitation")
        cem.open(link).wait_for("invitation")
        bo.page.click("[data-claim-seat=B]")
        bo.wait_for("lobby")
        cem.page.wait_for_selector("#invitation-seat-B:not(.free)")
        cem.page.evaluate(CLAIM_SEAT, "B")
        cem.page.wait_for_selector("#toast:has-text('choose another')")
        cem.page.click("text=Only watch")
        cem.wait_for("lobby")


def test_a_second_device_asks_before_it_takes_over_a_seat(
    chromium: Browser, server: Server, ann: BrowserPlayer
) -> None:
    link = ann.page.url.removeprefix(server.origin)
    with open_player(chromium, server, PHONE) as phone:
        phone.open(link)
        phone.page.wait_for_selector("[data-move-here]")
        assert ann.kind == "lobby", "nothing has happened yet on the first device"
        assert phone.accessibility_violations() == []
        phone.page.click("[data-move-here]")
        phone.wait_for("lobby")
        ann.wait_for("seat_in_use")
        ann.page.click("text=Play here again")
        ann.wait_for("lobby")
        phone.wait_for("seat_in_use")
    second_tab = ann.page.context.new_page()  # a second tab of one device needs no confirmation
    second_tab.goto(server.origin + link)
    second_tab.wait_for_selector("#stage[data-page=lobby]")
    second_tab.close()


def test_the_link_is_copied_without_the_clipboard_api_too(
    chromium: Browser, server: Server, ann: BrowserPlayer
) -> None:
    link = server.origin + invitation_link(ann)
    ann.page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as over plain http
    ann.page.evaluate(
        "document.addEventListener('copy', () => { window.copied = String(document.activeElement.value) })"
    )
    ann.page.click("[data-copy-link]")
    ann.page.wait_for_selector("[data-copied]:has-text('Copied')")
    assert ann.page.evaluate("window.copied") == link
    ann.page.evaluate("document.execCommand = () => false")
    ann.page.click("[data-copy-link]")
    ann.page.wait_for_selector("[data-copied] input")
    assert ann.page.input_value("[data-copied] input") == link
    assert str(ann.page.get_attribute("#invitation .qr path", "d")) in qr_svg(link)
    ann.page.click("[data-show-qr]")
    assert ann.page.locator("#invitation .qr").is_visible()
    assert ann.accessibility_violations() == []


def test_a_phone_shares_the_link(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server, PHONE) as ann:
        ann.page.add_init_script("navigator.share = async (what) => { window.shared = what.url }")
        ann.open("/")
        ann.page.click("text=Set a table")
        ann.wait_for("lobby")
        ann.page.click("[data-share-link]")
        assert ann.page.evaluate("window.shared") == server.origin + invitation_link(ann)
        assert ann.page.locator("#invitation .qr").is_visible()
        assert not ann.scrolls_sideways()
        assert ann.accessibility_violations() == []
