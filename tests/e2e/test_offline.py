"""The installed page without its server."""

from playwright.sync_api import Browser

from tests.support.browser import open_player
from tests.support.server import Server


def test_an_installed_page_says_that_the_server_is_away_and_comes_back(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        ann.open("/")
        manifest = ann.page.evaluate("fetch('/static/manifest.webmanifest').then((answer) => answer.json())")
        assert manifest["display"] == "standalone"
        ann.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        ann.page.wait_for_function("() => navigator.serviceWorker.controller")
        server.stop()
        ann.page.goto(server.origin + "/")
        ann.page.wait_for_selector("text=The server is away")
        assert ann.accessibility_violations() == []
        server.start()
        ann.wait_for("home")
        ann.errors = [one for one in ann.errors if "net::ERR" not in one]  # it was away
