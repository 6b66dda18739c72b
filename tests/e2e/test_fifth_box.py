"""A box of another package in the lobby, at a table and on the rules page, in a real Chromium."""

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser

from tests.e2e.test_boxes import TRUNCATED_TEXTS
from tests.support.browser import open_player
from tests.support.fifth_box import installed_environment
from tests.support.server import Server

OVERFLOW = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def pewter_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that has Silver Pewter."""
    folder = tmp_path_factory.mktemp("pewter")
    server = Server(str(folder / "tables.db"), environment=installed_environment(folder / "site"))
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_five_boxes_fit_on_a_small_desktop(chromium: Browser, pewter_server: Server, theme: str) -> None:
    name, token = pewter_server.new_table("/tables", name="Ann")
    with open_player(chromium, pewter_server, (1366, 768), theme) as ann:
        ann.open(f"/table/{name}#{token}").wait_for("lobby")
        assert ann.page.locator(".choice").count() == 4 * 14 + 5
        assert ann.page.evaluate("document.documentElement.scrollHeight") == 768
        assert not ann.page.evaluate(OVERFLOW)
        assert ann.page.evaluate(TRUNCATED_TEXTS) == []
        assert ann.accessibility_violations() == []
        ann.page.locator(".choice[data-help=P7]").click()  # scrolls the columns
        ann.page.wait_for_selector(".deck-summary >> text=Dagger with Pewter's 7")
        assert ann.page.evaluate("document.querySelector('.box-columns').scrollLeft") > 0, (
            "an update does not scroll back"
        )


@pytest.mark.parametrize("size", [(390, 844), (820, 1100)])
def test_five_boxes_fit_on_phones_and_tablets(chromium: Browser, pewter_server: Server, size: tuple[int, int]) -> None:
    name, token = pewter_server.new_table("/tables", name="Ann")
    with open_player(chromium, pewter_server, size) as ann:
        ann.open(f"/table/{name}#{token}").wait_for("lobby")
        if size[0] < 700:
            ann.page.click(".fold-deck")
            ann.page.locator(".box-tabs label.of-pewter").click()
            assert (
                ann.page.locator(".choice:visible").count()
                == ann.page.locator(".of-pewter.choice:visible").count()
                == 5
            )
            assert ann.page.locator(".number:visible").count() == 5
        assert not ann.page.evaluate(OVERFLOW)
        assert ann.page.evaluate(TRUNCATED_TEXTS) == []


def test_a_game_with_the_box_is_played_by_clicks(chromium: Browser, pewter_server: Server) -> None:
    name, token = pewter_server.new_table("/play", name="Ann", bots="2", level="novice", boxes="pewter")
    with open_player(chromium, pewter_server, (1366, 768)) as ann:
        ann.open(f"/table/{name}#{token}").wait_for("table")
        assert ann.page.locator("[data-slot=token]").get_attribute("data-help") == "P14"
        ann.play_moves(Random(11), 40)
        sprite = pewter_server.request("/deck/dpdpdddpddpddpp.svg").text
        assert sprite.count("<symbol") == 15


def test_the_rules_page_has_the_box_and_no_residents_twice(chromium: Browser, pewter_server: Server) -> None:
    with open_player(chromium, pewter_server, (1366, 768)) as ann:
        ann.page.goto(f"{pewter_server.origin}/rules")
        assert ann.page.locator("#pewter .entry").count() == 6
        assert ann.page.locator("[id=D9]").count() == 1
        assert "Silver Dagger provides the others" in ann.page.inner_text("#pewter")
        assert ann.accessibility_violations() == []
