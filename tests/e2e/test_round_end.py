"""The reveal in a real Chromium: whatever people are called, nothing covers anything; and who won comes last."""

import pytest

from argentum.rules.game import Game
from tests.support.browser import BrowserPlayer
from tests.support.pages import board, finished_round, round_end_html, show
from tests.support.server import shared_server

__all__ = ["board", "shared_server"]

SIZES = [(360, 740), (390, 844), (844, 390), (1024, 768), (1366, 768), (1440, 900), (1920, 1080)]
# Words that lie on other words, leave the page, or stand in a line too narrow to be read.
CLASHES = """() => {
    scrollTo(0, document.documentElement.scrollHeight);
    const boxes = [...document.querySelectorAll(
        ".verdict p, .verdict h1, .ledger h2, .sub > span, .ledger li .words, .ledger li b, .after span, .after b, " +
        ".reveal .card, .journey, .ready, .onward .button, .onward .tool")]
        .map((one) => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect(), one])
        .filter(([, box]) => box.width && box.height);
    const found = [];
    boxes.forEach(([words, box, one], nth) => {
        if (box.left < -1 || box.right > innerWidth + 1) found.push(`${words} leaves the page`);
        if (one.matches(".journey") && box.width < 150) found.push(`${words} is ${box.width} wide`);
        for (const [other, its, two] of boxes.slice(nth + 1)) {
            if (one.contains(two) || two.contains(one)) continue;
            if (Math.min(box.right, its.right) - Math.max(box.left, its.left) > 2
                && Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 2) found.push(`${words} / ${other}`);
        }
    });
    return found;
}"""


@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_whatever_people_are_called(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, round_end_html(finished_round()), "reveal", size)
    assert page.evaluate(CLASHES) == []
    assert not board.scrolls_sideways()
    if size[0] >= 1366:
        assert page.evaluate("document.documentElement.scrollHeight") == size[1], "all of it is in sight"
    foot = page.locator("#onward .button" if size[0] < 600 else "#onward").bounding_box()
    assert foot is not None
    assert foot["height"] <= 90, "what stays at the foot is small, whatever the names"


def large_villages() -> Game:
    villages = {"A": "7 0 9 4 5 12", "B": "1 1 3", "C": "11 3^ 6 5 1 10 2", "D": "12 0^ 8 2 3 5"}
    return finished_round(villages=villages, deck="8 9 2 5")


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_scores_and_totals_are_in_sight_whatever_the_villages(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, round_end_html(large_villages()), "reveal", size)
    foot = page.locator("#onward").bounding_box()
    assert foot is not None
    figures = page.locator(".lines.score b, .after b").all()
    assert len(figures) == 8
    for figure in figures:
        box = figure.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= foot["y"]


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_the_button_is_in_sight_on_a_phone_held_sideways(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, round_end_html(large_villages()), "reveal", size)
    box = page.locator("#onward .button").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size[1]


def test_the_cards_come_first_and_who_won_comes_last(board: BrowserPlayer) -> None:
    """The page's clock stands still, so that the reveal is over when the test says so.

    Playwright clicks what has been drawn at one place for two frames. A busy machine may draw no frame for as long as
    cards move, so these clicks do not wait for that: the button does not move.
    """
    page = show(board, round_end_html(finished_round()), "reveal")
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.click("[data-again]", force=True)
    assert page.inner_text(".verdict h1").endswith(" called.")
    assert page.locator(".pinned:visible").count() == 0
    paper = "getComputedStyle(document.querySelector('.lowest .ledger')).backgroundColor"
    assert page.evaluate(paper) == "rgba(0, 0, 0, 0)"
    page.keyboard.press("Shift")  # any key skips to the end
    assert "and the vote is" in page.inner_text(".verdict h1")
    assert page.locator(".pinned:visible").count() == 1
    page.click("[data-again]", force=True)
    assert page.locator("#stage.veiled").count() == 1
    page.clock.run_for(10_000)
    assert page.locator("#stage.veiled").count() == 0
    assert page.locator(".sub .unveiled:visible").inner_text() in ("called and won", "called and lost")
    page.clock.resume()
    page.emulate_media(reduced_motion="reduce")
