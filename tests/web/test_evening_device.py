"""On the device: sounds and notices when they are wanted, and a page that says when the server is away."""

from playwright.sync_api import Browser

from tests.web.browsing import chromium, visiting
from tests.web.serving import Server, server

__all__ = ["chromium", "server"]


def test_sounds_are_off_until_they_are_wanted(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.page.wait_for_function("document.title.startsWith('Your turn')")
        assert ann.page.get_attribute("body", "data-sounded") is None
        ann.page.evaluate("document.getElementById('settings').showPopover()")
        ann.page.check("[data-want=sounds]")
        assert ann.page.get_attribute("body", "data-sounded") == "turn"
        ann.page.reload()
        ann.page.click("[data-open=settings]")
        assert ann.page.is_checked("[data-want=sounds]")
        ann.page.evaluate("document.title = 'x'")
        ann.page.evaluate("document.title = 'Your turn'")
        ann.page.wait_for_selector("body[data-sounded=turn]")


def test_a_notice_comes_only_to_a_hidden_page_that_wants_it(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
        ann.page.add_init_script(
            "window.notes = []; window.Notification = class { static permission = 'granted';"
            " static requestPermission = async () => 'granted'; constructor(_, {body}) { notes.push(body) } }"
        )
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.page.evaluate("document.getElementById('settings').showPopover()")
        ann.page.check("[data-want=notices]")
        ann.page.evaluate("document.title = 'x'")
        ann.page.evaluate("document.title = 'Your turn'")
        assert ann.page.evaluate("notes") == []
        ann.page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
        ann.page.evaluate("document.title = 'y'")
        ann.page.evaluate("document.title = 'Your turn again'")
        assert ann.page.evaluate("notes") == ["It is your turn."]


def test_an_installed_page_says_that_the_server_is_away_and_comes_back(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
        ann.open("/")
        manifest = ann.page.evaluate("fetch('/static/manifest.webmanifest').then((answer) => answer.json())")
        assert manifest["display"] == "standalone"
        ann.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        ann.page.wait_for_function("navigator.serviceWorker.controller")
        server.stop()
        ann.page.goto(server.origin + "/")
        ann.page.wait_for_selector("text=The server is away")
        assert ann.violations() == []
        server.start()
        ann.wait_for("home")
        ann.troubles = [one for one in ann.troubles if "net::ERR" not in one]  # it was away
