"""The end of a round in a real Chromium: layout with long names, and its animation."""

import pytest

from argentum.rules.game import Game
from tests.support.browser import BrowserPlayer
from tests.support.pages import board, finished_round, round_end_html, show
from tests.support.server import shared_server

__all__ = ["board", "shared_server"]

SIZES = [(360, 740), (390, 844), (844, 390), (1024, 768), (1366, 768), (1440, 900), (1920, 1080)]
# Texts that overlap, leave the page, or have a line too narrow to read.
CLASHES = """() => {
    scrollTo(0, document.documentElement.scrollHeight);
    const boxes = [...document.querySelectorAll(
        ".verdict p, .verdict h1, .ledger h2, .seat-notes > span, .ledger li .ledger-text, .ledger li b, " +
        ".after span, .after b, " +
        ".round-end .card, .token-note, .ready, .next-step .button, .next-step .tool")]
        .map((element) => [element.textContent.trim().slice(0, 30), element.getBoundingClientRect(), element])
        .filter(([, box]) => box.width && box.height);
    const clashes = [];
    boxes.forEach(([text, box, element], index) => {
        if (box.left < -1 || box.right > innerWidth + 1) clashes.push(`${text} leaves the page`);
        if (element.matches(".token-note") && box.width < 150) clashes.push(`${text} is ${box.width} wide`);
        for (const [otherText, otherBox, other] of boxes.slice(index + 1)) {
            if (element.contains(other) || other.contains(element)) continue;
            if (Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left) > 2
                && Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top) > 2) {
                clashes.push(`${text} / ${otherText}`);
            }
        }
    });
    return clashes;
}"""


@pytest.mark.parametrize("size", SIZES)
def test_long_names_overlap_nothing(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, round_end_html(finished_round()), "round_end", size)
    assert page.evaluate(CLASHES) == []
    assert not board.scrolls_sideways()
    if size[0] >= 1366:
        assert page.evaluate("document.documentElement.scrollHeight") == size[1], "the page does not scroll"
    bar = page.locator("#next-step .button" if size[0] < 600 else "#next-step").bounding_box()
    assert bar is not None
    assert bar["height"] <= 90, "the bar at the bottom is small"


def large_villages() -> Game:
    villages = {"A": "7 0 9 4 5 12", "B": "1 1 3", "C": "11 3^ 6 5 1 10 2", "D": "12 0^ 8 2 3 5"}
    return finished_round(villages=villages, deck="8 9 2 5")


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_scores_and_totals_are_visible_with_large_villages(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, round_end_html(large_villages()), "round_end", size)
    bar = page.locator("#next-step").bounding_box()
    assert bar is not None
    figures = page.locator(".lines.score b, .after b").all()
    assert len(figures) == 8
    for figure in figures:
        box = figure.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"]


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_the_button_is_visible_on_a_phone_held_sideways(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, round_end_html(large_villages()), "round_end", size)
    box = page.locator("#next-step .button").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size[1]


def test_the_animation_shows_cards_first_and_the_winner_last(board: BrowserPlayer) -> None:
    """The page's clock is stopped, so that the test decides when the animation ends.

    Playwright clicks elements that stay in place for two frames. A busy machine may render no frame while cards move,
    so these clicks are forced; the button does not move.
    """
    page = show(board, round_end_html(finished_round()), "round_end")
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.click("[data-replay-round-end]", force=True)
    assert page.inner_text(".verdict h1").endswith(" called.")
    assert page.locator(".pinned:visible").count() == 0
    background = "getComputedStyle(document.querySelector('.lowest .ledger')).backgroundColor"
    assert page.evaluate(background) == "rgba(0, 0, 0, 0)"
    page.keyboard.press("Shift")  # any key skips to the end
    assert "and the vote is" in page.inner_text(".verdict h1")
    assert page.locator(".pinned:visible").count() == 1
    page.click("[data-replay-round-end]", force=True)
    assert page.locator("#stage.animating").count() == 1
    page.clock.run_for(10_000)
    assert page.locator("#stage.animating").count() == 0
    assert page.locator(".seat-notes .final-text:visible").inner_text() in ("called and won", "called and lost")
    page.clock.resume()
    page.emulate_media(reduced_motion="reduce")
