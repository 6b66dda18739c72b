"""The installed page while the server does not answer."""

from playwright.sync_api import Browser

from tests.support.browser import open_player
from tests.support.server import Server


def test_an_installed_page_waits_for_the_server(chromium: Browser, server: Server) -> None:
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
        ann.errors = [error for error in ann.errors if "net::ERR" not in error]  # failed requests to the stopped server
