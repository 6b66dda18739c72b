"""Pages that are open while the server is updated."""

from playwright.sync_api import Browser

from tests.support.browser import visiting
from tests.support.evening_people import set_table
from tests.support.server import Server


def test_a_page_of_another_build_reloads_itself_once(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as host:
        set_table(host)
        url = host.page.url
        host.page.evaluate("document.body.dataset.old = 'yes'; stage.dataset.build = 'old'; socket.close()")
        host.page.wait_for_selector("body:not([data-old]) #stage[data-kind=gathering]")
        assert host.page.url == url
        assert not host.troubles
