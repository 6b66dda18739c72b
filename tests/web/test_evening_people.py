"""People around a table: one invitation for all, a seat on two devices, and talk."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from argentum.display.errors import Refused
from argentum.display.session import WATCH
from argentum.rooms.chat import BURST, LONGEST_LINE, Talk
from argentum.web.pages.lobby import drawn
from tests.web.browsing import PHONE, Visitor, visiting
from tests.web.serving import Server, hasty, shared_server

__all__ = ["hasty", "shared_server"]


@pytest.fixture
def ann(chromium: Browser, server: Server) -> Iterator[Visitor]:
    """A host who has set a table."""
    with visiting(chromium, server) as host:
        set_table(host)
        yield host


def set_table(host: Visitor) -> None:
    host.open("/")
    host.page.fill("[name=name]", "Ann")
    host.page.click("text=Set a table")
    host.wait_for("gathering")


def invitation(host: Visitor) -> str:
    return str(host.page.get_attribute("[data-copy-link]", "data-copy-link"))


def test_whoever_opens_the_invitation_picks_a_free_seat(chromium: Browser, server: Server, ann: Visitor) -> None:
    ann.page.check("#seats-3", force=True)
    ann.page.wait_for_selector("#seat-C")
    link = invitation(ann)
    with visiting(chromium, server, PHONE) as bo, visiting(chromium, server) as cem:
        for guest, name, seat in ((bo, "Bo <b>x</b>", "C"), (cem, "Cem", "B")):
            guest.open(link)
            guest.wait_for("invite")
            assert guest.violations() == []
            assert not guest.scrolls_sideways()
            guest.page.fill("[data-guest-name]", name)
            guest.page.click(f"[data-take={seat}]")
            guest.wait_for("gathering")
        assert bo.page.input_value("#your-name") == "Bo <b>x</b>"
        assert bo.page.locator("#invite").count() == 0, "only the host has the invitation"
        ann.page.wait_for_selector("#seat-B:has-text('Cem')")
        bo.page.reload()
        bo.wait_for("gathering")
        assert bo.page.locator("#seat-C #your-name").count() == 1, "the seat is kept in the page's own link"
        with visiting(chromium, server) as dora:  # every seat is taken: she looks on
            dora.open(link)
            dora.wait_for("gathering")
            assert dora.page.locator("#your-name").count() == 0


def test_two_people_cannot_take_the_same_seat(chromium: Browser, server: Server, ann: Visitor) -> None:
    ann.page.check("#seats-3", force=True)
    ann.page.wait_for_selector("#seat-C")
    link = invitation(ann)
    with visiting(chromium, server) as bo, visiting(chromium, server) as cem:
        bo.open(link).wait_for("invite")
        cem.open(link).wait_for("invite")
        bo.page.click("[data-take=B]")
        bo.wait_for("gathering")
        cem.page.wait_for_selector("#chair-B:not(.free)")
        cem.page.evaluate("send({type: 'take', seat: 'B', name: 'Cem'})")
        cem.page.wait_for_selector("#toast:has-text('choose another')")
        cem.page.click("text=Only watch")
        cem.wait_for("gathering")


def test_a_seat_on_a_second_device_asks_before_it_moves(chromium: Browser, server: Server, ann: Visitor) -> None:
    link = ann.page.url.removeprefix(server.origin)
    with visiting(chromium, server, PHONE) as phone:
        phone.open(link)
        phone.page.wait_for_selector("[data-move-here]")
        assert ann.kind == "gathering", "nothing has happened yet on the first device"
        assert phone.violations() == []
        phone.page.click("[data-move-here]")
        phone.wait_for("gathering")
        ann.wait_for("elsewhere")
        ann.page.click("text=Play here again")
        ann.wait_for("gathering")
        phone.wait_for("elsewhere")
    same = ann.page.context.new_page()  # a second tab of one device is the same person
    same.goto(server.origin + link)
    same.wait_for_selector("#stage[data-kind=gathering]")
    same.close()


def test_the_link_is_copied_without_https_too(chromium: Browser, server: Server, ann: Visitor) -> None:
    link = server.origin + invitation(ann)
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
    assert str(ann.page.get_attribute("#invite .qr path", "d")) in drawn(link)
    ann.page.click("[data-show-qr]")
    assert ann.page.locator("#invite .qr").is_visible()
    assert ann.violations() == []


def test_a_phone_shares_the_link(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server, PHONE) as ann:
        ann.page.add_init_script("navigator.share = async (what) => { window.shared = what.url }")
        ann.open("/")
        ann.page.click("text=Set a table")
        ann.wait_for("gathering")
        ann.page.click("[data-share-link]")
        assert ann.page.evaluate("window.shared") == server.origin + invitation(ann)
        assert ann.page.locator("#invite .qr").is_visible()
        assert not ann.scrolls_sideways()
        assert ann.violations() == []


# How many bubbles there are when the last says something, and how far it is below the name: at once, as it soon goes.
BUBBLES = """(text) => {
    const all = [...document.querySelectorAll(".bubble")], last = all.at(-1), name = document.getElementById("name-B");
    const top = (one) => one.getBoundingClientRect().top;
    return last?.textContent.includes(text) && [all.length, top(last) - top(name)];
}"""


def test_people_talk_emote_mute_and_nudge(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann, visiting(chromium, server, PHONE) as bo:
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("gathering")
        bo.open(str(ann.page.get_attribute("[data-copy-link]", "data-copy-link"))).page.click("[data-take=B]")
        bo.wait_for("gathering")
        bo.page.click("[data-open=talk-sheet]")
        assert bo.violations() == []
        bo.page.click("#talk-sheet [aria-label=Close]")
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        bo.wait_for("table")
        bo.page.click("[data-open=talk-sheet]")
        bo.page.fill("#talk-text", "<img src=x onerror=alert(1)> hello")
        bo.page.press("#talk-text", "Enter")
        ann.page.wait_for_selector(".bubble:has-text('onerror')")
        assert ann.page.locator(".bubble img").count() == 0
        bo.page.click("[aria-label='Well played']")
        many, off = ann.page.wait_for_function(BUBBLES, arg="👏").json_value()
        assert many == 1, "it takes the place of what was said before"
        assert abs(off) < 2, "beside the name of who said it"
        assert not bo.scrolls_sideways()
        bo.page.click("#people [aria-label^=Nudge]")
        ann.page.wait_for_selector("#toast:has-text('asks you to play on')")
        ann.page.click("[data-open=talk-sheet]")
        assert ann.page.locator("#talk-lines p").count() == 2
        ann.page.click("#people [aria-label^=Mute]")
        assert ann.page.locator("#talk-lines p:visible").count() == 0
        bo.page.click("[aria-label='Well played']")
        ann.page.wait_for_function("() => document.querySelectorAll('#talk-lines p').length === 3")
        assert ann.page.locator("#talk-lines p:visible").count() == 0
        ann.page.check("#talk-off")
        bo.page.wait_for_selector("#talk-note:has-text('switched talking off')")
        assert bo.page.is_disabled("#talk-text")


def test_talk_is_short_slow_and_stays_where_it_belongs() -> None:
    talk = Talk()
    talk.say("A", "Ann", "x" * 500)
    assert len(talk.lines[0].text) == LONGEST_LINE
    for _ in range(BURST - 1):
        talk.emote("A", "Ann", "👍")
    with pytest.raises(Refused, match="too much"):
        talk.say("A", "Ann", "more")
    with pytest.raises(Refused, match="emote is one of"):
        talk.emote("B", "Bo", "<b>")
    with pytest.raises(Refused, match="letters"):
        talk.say("B", "Bo", "\u202e\u0000 ")
    talk.say(WATCH, "An onlooker", "psst")
    news, heard = talk.news("B", (0, False))
    assert "psst" not in news[0]
    assert "psst" in talk.news(WATCH, (0, False))[0][0]
    assert talk.news("B", heard) == ([], heard)
    talk.nudge("B", "Bo", "A")
    assert "nudge" in talk.news("A", heard)[0][0]
    assert "nudge" not in talk.news("C", heard)[0][0]
    talk.off = True
    with pytest.raises(Refused, match="switched talking off"):
        talk.say("B", "Bo", "hello")


def test_the_host_sees_every_seat_hands_over_hosting_and_frees_idle_seats(chromium: Browser, hasty: Server) -> None:
    server = hasty
    with visiting(chromium, server) as ann, visiting(chromium, server, PHONE) as bo, visiting(chromium, server) as cem:
        set_table(ann)
        ann.page.check("#seats-3", force=True)
        ann.page.wait_for_selector("#seat-C")
        link = invitation(ann)
        for guest, name, seat in ((bo, "Bo", "B"), (cem, "Cem", "C")):
            guest.open(link).wait_for("invite")
            guest.page.fill("[data-guest-name]", name)
            guest.page.click(f"[data-take={seat}]")
            guest.wait_for("gathering")
        ann.page.click(".party-head [data-open=talk-sheet]")
        ann.page.wait_for_selector("#people li:has-text('Cem') >> text=here")
        assert [row.split()[0] for row in ann.page.locator("#people li").all_inner_texts()] == ["Ann", "Bo", "Cem"]
        assert bo.page.locator("text=Start the game").count() == 0
        ann.page.click("[aria-label='Make host: Bo']")
        bo.page.wait_for_selector("text=Start the game")
        ann.page.wait_for_selector("text=Waiting for Bo to start")
        assert ann.violations() == []
        assert ann.page.locator("#invite").count() == 0
        assert invitation(bo) != link, "the new host has a link of their own"
        for one in (link, invitation(bo)):  # and both invite
            with visiting(chromium, server) as dora:
                dora.open(one).wait_for("gathering")
        bo.page.click("text=Start the game")
        cem.wait_for("table")
        seat = cem.page.url.removeprefix(server.origin)
        cem.page.goto("about:blank")
        bo.page.click(".bar [data-open=talk-sheet]")
        bo.page.wait_for_selector("#people li:has-text('Cem') >> text=away")
        assert bo.page.locator("#people li:has-text('Ann') [aria-label^=Free]").count() == 0, "Ann is here and plays"
        bo.page.click("[aria-label='Free the seat: Cem']")
        bo.page.wait_for_selector("#people li:has-text('Cem') >> text=keeps it")
        assert not bo.scrolls_sideways()
        cem.open(link).wait_for("invite")
        assert cem.page.locator("[data-take=C]").count() == 1
        cem.open(seat).wait_for("table")
        bo.page.wait_for_selector("#people li:has-text('Cem') >> text=here")
