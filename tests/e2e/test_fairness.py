"""Deals that a real Chromium checks: it sees the promise, adds its value, and deals again when a round is over."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from argentum import records
from argentum.records import fairness
from argentum.records.fairness import DealCommitment
from tests.support.browser import TIMEOUT_MS, BrowserPlayer, open_player
from tests.support.server import Server, join_table, play_game_to_end

WORDS = {
    "shared": "Deal checked: as promised before the game, with a random value from your browser.",
    "promised": "Deal checked: as promised before the game, without a value from your browser.",
    "wrong": "Deal wrong: it is not what the server promised.",
    "elsewhere": "Deal not checked: browsers check only over https.",
    "late": "Deal checked, but your browser did not see the promise before the game.",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(str(tmp_path_factory.mktemp("fair") / "tables.db"))
    one.start()
    yield one
    one.stop()


def started(server: Server, table: str) -> dict[str, Any]:
    """What the log says of the beginning of a game."""
    with closing(sqlite3.connect(server.database)) as log:
        [[body]] = log.execute("SELECT body FROM entries WHERE table_id = ? AND kind = 'start'", [table])
    found: dict[str, Any] = json.loads(body)
    return found


def record_of(server: Server, table: str, key: str) -> str:
    """The record of a finished game."""

    async def ask() -> str:
        async with join_table(server, table, key) as client:
            await client.send(type="record")
            while (message := await client.receive())["type"] != "record":
                pass
            return str(message["text"])

    with ThreadPoolExecutor(1) as apart:  # where no other loop runs
        return apart.submit(asyncio.run, ask()).result()


def gather(ann: BrowserPlayer) -> tuple[str, str]:
    """Set a table, and see what is promised; the table and the host's key."""
    ann.open("/").page.click("form[action='/tables'] button")
    ann.wait_for("gathering")
    name, _, key = ann.page.url.rpartition("/")[2].partition("#")
    return name, key


def outcome(ann: BrowserPlayer) -> str:
    """What the page says of the round."""
    ann.page.wait_for_selector("[data-outcome]", timeout=TIMEOUT_MS)
    said = ann.page.get_attribute("[data-fair]", "data-outcome") or ""
    assert ann.page.inner_text("[data-fair]").startswith(WORDS[said])
    return said


def play_a_round(server: Server, table: str, key: str) -> None:
    """Let a program play a seat until the first round is over."""

    async def play() -> None:
        random = Random(1)
        async with join_table(server, table, key) as client:
            while client.state["view"]["round"] == 1:
                if client.has_open_choice:
                    await client.play_random_move(random)
                await client.receive()

    with ThreadPoolExecutor(1) as apart:  # where no other loop runs
        apart.submit(asyncio.run, play()).result()


def play_to_the_reveal(ann: BrowserPlayer, server: Server, table: str, key: str) -> None:
    """Start the game in the browser; a program plays a round of it, and the browser is shown its end."""
    ann.page.click("[data-send*=start]")
    ann.wait_for("table")
    play_a_round(server, table, key)
    ann.wait_for("reveal")


def test_the_promise_is_seen_a_value_sent_and_the_deal_checked(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        table, key = gather(ann)
        promised = ann.page.get_attribute("#stage [data-commitment]", "data-commitment") or ""
        assert ann.page.inner_text("#stage .promise") == f"Shuffle {promised[:8]}"
        ann.page.click("[data-send*=start]")
        ann.wait_for("table")
        kept = json.loads(ann.page.evaluate("localStorage.getItem('fair')"))[0]
        assert kept["commitment"] == promised
        assert ann.page.get_attribute("#foot [data-commitment]", "data-commitment") == promised
        assert started(site, table)["values"] == {"A": kept["value"]}
        play_a_round(site, table, key)
        ann.wait_for("reveal")
        assert outcome(ann) == "shared"
        ann.page.goto("about:blank")  # drawing every move of three more rounds takes long
        play_game_to_end(site, table, key)
        ann.open(f"/table/{table}#{key}").wait_for("reveal")
        ann.page.click("[data-send*=seen]")
        ann.wait_for("over")
        assert outcome(ann) == "shared"
        assert ann.accessibility_violations() == []
        with open_player(chromium, site) as bo:  # who comes late has seen no promise
            bo.open(f"/table/{table}#{key}").wait_for("elsewhere")
            bo.page.click("[data-move-here]")
            bo.wait_for("over")
            assert outcome(bo) == "late"
    written = record_of(site, table, key)
    assert fairness.verify(written, records.read(written), promised).values == (("A", kept["value"]),)


def test_a_game_that_begins_at_once_was_promised_too(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        ann.open("/")
        promised = ann.page.get_attribute("form.play [name=promise]", "value") or ""
        ann.page.click("form.play [type=submit]")
        ann.wait_for("table")
        table, _, key = ann.page.url.rpartition("/")[2].partition("#")
        assert ann.page.get_attribute("#foot [data-commitment]", "data-commitment") == promised.split()[0]
        play_a_round(site, table, key)
        ann.wait_for("reveal")
        assert outcome(ann) == "shared"
        again = site.request("/play", {"promise": promised})  # a promise is good for one game
        secret = started(site, again.headers["Location"].removeprefix("/table/").partition("#")[0])["secret"]
        assert secret != started(site, table)["secret"]


def changed(open_: dict[str, Any], field: str) -> dict[str, Any]:
    """What was opened, with something else in it."""
    value = open_[field]
    if field == "villages":
        value = [value[1], value[0], *value[2:]]
    elif field == "values":
        value = {"A": "another"}
    elif field == "deck":
        value = value[::-1]
    else:
        value = (value + 1) % 14 if field == "discard" else "0" * 64
    return {**open_, field: value}


def test_a_deal_that_was_tampered_with_is_called_out(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        table, key = gather(ann)
        play_to_the_reveal(ann, site, table, key)
        assert outcome(ann) == "shared"
        opened = json.loads(ann.page.get_attribute("[data-fair]", "data-fair") or "")
        for field in ("villages", "discard", "deck", "part", "values", "commitment"):
            put = "text => { document.querySelector('[data-fair]').dataset.fair = text; fair.look(); }"
            ann.page.evaluate(put, json.dumps(changed(opened, field)))
            ann.page.wait_for_selector("[data-outcome=wrong]", timeout=TIMEOUT_MS)
            ann.page.evaluate(put, json.dumps(opened))
            ann.page.wait_for_selector("[data-outcome=shared]", timeout=TIMEOUT_MS)
        # Another promise, kept to the letter: but this page saw which card lay on the pile when the round began.
        others = [DealCommitment(bytes([nth]) * 32).deals(2)[0] for nth in range(20)]
        nth = next(nth for nth, deal in enumerate(others) if deal.discard != opened["discard"])
        ann.page.evaluate(put, json.dumps(DealCommitment(bytes([nth]) * 32).verification_data(1, others[nth])))
        ann.page.wait_for_selector("[data-outcome=wrong]", timeout=TIMEOUT_MS)


def test_a_server_that_deals_another_game_than_it_promised_is_called_out(chromium: Browser, site: Server) -> None:
    """What the lobby shows is changed on the way, so the game is not the one that this page was promised."""

    def through(line: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            line.send(re.sub(r'(data-commitment=\\"\w{63})\w(\\" data-share)', r"\1x\2", str(text)))

        line.connect_to_server().on_message(pass_on)

    with open_player(chromium, site) as ann:
        ann.page.route_web_socket(re.compile("/socket"), through)
        table, key = gather(ann)
        assert (ann.page.get_attribute("#stage [data-commitment]", "data-commitment") or "").endswith("x")
        play_to_the_reveal(ann, site, table, key)
        assert outcome(ann) == "wrong"


def test_a_browser_that_cannot_check_says_so(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        ann.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
        table, key = gather(ann)
        play_to_the_reveal(ann, site, table, key)
        assert outcome(ann) == "elsewhere"


def end(opened: dict[str, Any], round_: int = 1, people: str = "A") -> str:
    """A round's end on the page of seat A in a game for two, where people sat in those seats."""
    shown = f'data-round="{round_}" data-players="2" data-people="{people}" data-you="A"'
    return f"<p data-fair='{json.dumps(opened)}' {shown}></p>"


def promise(one: DealCommitment, more: str = "") -> str:
    """What a page says of a game's commitment; in a lobby, whether the reader has a share."""
    return f'<i data-commitment="{one.commitment}" {more}></i>'


SHOW = "html => { stage.innerHTML = html; fair.look(); }"


def test_what_a_cheating_server_may_open_is_called_wrong(chromium: Browser, site: Server) -> None:
    """Each is consistent in itself; but it is not the game that the page shows, or not as values may be added."""
    fair = fairness.make_commitment(bytes(32), {"A": "mine"})
    deals = fair.deals(2)
    invented = fairness.make_commitment(bytes(32), {"A": "mine", "B": "x"})
    moved = fairness.make_commitment(bytes(32), {"B": "mine"})
    first = fair.verification_data(1, deals[0])
    digests = first["digests"] * 600
    whole = sha256(b"argentum commitment\n" + bytes.fromhex("".join(digests))).hexdigest()
    short = {**first, "digests": first["digests"][:4]}
    short["commitment"] = sha256(b"argentum commitment\n" + bytes.fromhex("".join(short["digests"]))).hexdigest()
    forged = {
        "many parts": {**first, "digests": digests, "commitment": whole},
        "few parts": short,
        "another round's part": fair.verification_data(3, deals[2]),
        "more players": fair.verification_data(1, fair.deals(3)[0]),
        "a bot's value": invented.verification_data(1, invented.deals(2)[0]),
        "no digests": {key: value for key, value in first.items() if key != "digests"},
        "villages of other sizes": {**first, "villages": [first["villages"][0] + first["villages"][1], []]},
    }
    with open_player(chromium, site) as ann:
        gather(ann)
        kept = [{"commitment": one, "value": "mine"} for one in (fair.commitment, whole, short["commitment"])]
        ann.page.evaluate("kept => localStorage.setItem('fair', JSON.stringify(kept))", kept)
        ann.page.evaluate(SHOW, end(first))
        assert outcome(ann) == "shared"
        for what, opened in forged.items():
            ann.page.evaluate(SHOW, end(opened))
            assert outcome(ann) == "wrong", what
        ann.page.evaluate(SHOW, end(invented.verification_data(1, invented.deals(2)[0]), people="AB"))
        assert outcome(ann) == "shared", "where somebody sits in that seat, they may have added it"
        ann.page.evaluate(SHOW, end(moved.verification_data(1, moved.deals(2)[0]), people="AB"))
        assert outcome(ann) == "wrong", "the reader's value stands at another seat"


def test_a_second_commitment_in_one_lobby_is_called_wrong(chromium: Browser, site: Server) -> None:
    first, second = DealCommitment(bytes(32)), DealCommitment(bytes([1]) * 32)
    opened = end(second.verification_data(1, second.deals(2)[0]))
    with open_player(chromium, site) as ann:
        gather(ann)
        ann.page.evaluate(SHOW, end(first.verification_data(4, first.deals(2)[3]), 4))
        for html in (promise(first, 'data-share="no"'), promise(second, 'data-share="no"'), promise(second), opened):
            ann.page.evaluate(SHOW, html)
        assert outcome(ann) == "wrong"


def test_the_commitment_of_a_rematch_raises_no_alarm(chromium: Browser, site: Server) -> None:
    first, second = DealCommitment(bytes(32)), DealCommitment(bytes([1]) * 32)
    opened = end(second.verification_data(1, second.deals(2)[0]))
    with open_player(chromium, site) as ann:
        gather(ann)
        ann.page.evaluate(SHOW, end(first.verification_data(4, first.deals(2)[3]), 4))
        for one in (first, second):
            for html in (promise(one, 'data-share="no"'), promise(one)):
                ann.page.evaluate(SHOW, html)
        ann.page.evaluate(SHOW, opened)
        assert outcome(ann) == "promised"


def test_staying_at_a_result_while_others_start_the_rematch_raises_no_alarm(chromium: Browser, site: Server) -> None:
    first, second = DealCommitment(bytes(32)), DealCommitment(bytes([1]) * 32)
    village = [one.deals(2)[0].villages[0] for one in (first, second)]
    nth = next(place for place in range(5) if village[0][place] != village[1][place])

    def card(place: int, number: int) -> str:
        return f'<i data-place="A{place + 1}"><i data-face="d{number}"></i></i>'

    def over(one: DealCommitment, round_: int) -> str:
        return end(one.verification_data(round_, one.deals(2)[round_ - 1]), round_)

    with open_player(chromium, site) as ann:
        gather(ann)
        for html in (
            over(first, 4),
            promise(first, 'data-share="no"'),
            promise(first, 'data-fresh="1"') + card(nth, village[0][nth]),
            over(first, 4),
            promise(second, 'data-fresh="1"') + card((nth + 1) % 5, village[1][(nth + 1) % 5]),
            over(second, 1),
        ):
            ann.page.evaluate(SHOW, html)
        assert outcome(ann) == "late"
