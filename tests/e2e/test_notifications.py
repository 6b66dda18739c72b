"""Notifications and sounds in a real Chromium."""

from playwright.sync_api import Browser

from tests.support.browser import BrowserPlayer, SocketRelay, open_player
from tests.support.server import Server


def show_choice(player: BrowserPlayer, relay: SocketRelay, number: int) -> None:
    """Update the page with an open choice, and wait until it is shown."""
    relay.send(type="page", page="table", choice=number, parts=[])
    player.page.wait_for_selector(f"body[data-choice-number='{number}']", state="attached")


def start_turn(player: BrowserPlayer, relay: SocketRelay, number: int) -> None:
    """Update the page as if another player had moved and it were the viewer's turn again."""
    relay.send(type="page", page="table", parts=[])
    show_choice(player, relay, number)


def test_sounds_and_notifications_are_off_by_default(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        ann.page.add_init_script(
            "window.notes = []; window.Notification = class { static permission = 'granted';"
            " static requestPermission = async () => 'granted'; constructor(_, {body}) { notes.push(body) } }"
        )
        relay = SocketRelay(ann.page)
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.page.wait_for_function("() => document.title.startsWith('Your turn')")
        assert ann.page.get_attribute("body", "data-sounded") is None
        ann.page.evaluate("document.getElementById('settings').showPopover()")
        ann.page.check("[data-enable=sounds]")
        assert ann.page.get_attribute("body", "data-sounded") == "turn"
        ann.page.reload()
        ann.wait_for("table")
        ann.page.click("[data-open=settings]")
        assert ann.page.is_checked("[data-enable=sounds]")
        start_turn(ann, relay, 1001)
        ann.page.wait_for_selector("body[data-sounded=turn]")
        ann.page.check("[data-enable=notifications]")
        start_turn(ann, relay, 1002)
        assert ann.page.evaluate("notes") == [], "the page is visible"
        ann.page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
        show_choice(ann, relay, 1002)
        assert ann.page.evaluate("notes") == [], "it is the same turn"
        start_turn(ann, relay, 1003)
        assert ann.page.evaluate("notes") == ["It is your turn."]
