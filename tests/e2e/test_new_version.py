"""Pages that are open while the server is updated."""

from playwright.sync_api import Browser

from tests.support.browser import SocketRelay, create_table, open_player
from tests.support.server import Server


def test_a_page_of_another_build_reloads_itself_once(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as host:
        relay = SocketRelay(host.page)
        create_table(host)
        url = host.page.url
        host.page.evaluate("document.body.dataset.old = 'yes'; stage.dataset.build = 'old'")
        relay.close()
        host.page.wait_for_selector("body:not([data-old]) #stage[data-page=lobby]")
        assert host.page.url == url
        assert not host.errors
