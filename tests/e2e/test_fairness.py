"""Verification of deals in a real Chromium."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from argentum import records
from argentum.records import fairness
from argentum.records.fairness import DealCommitment
from tests.support.browser import TIMEOUT_MS, BrowserPlayer, SocketRelay, open_player
from tests.support.server import Server, join_table, play_game_to_end

OUTCOME_TEXTS = {
    "shared": "Deal checked: as promised before the game, with a random value from your browser.",
    "promised": "Deal checked: as promised before the game, without a value from your browser.",
    "wrong": "Deal wrong: it is not what the server promised.",
    "elsewhere": "Deal not checked: browsers check only over https.",
    "late": "Deal checked, but your browser did not see the promise before the game.",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(str(tmp_path_factory.mktemp("fair") / "tables.db"))
    server.start()
    yield server
    server.stop()


def read_start_entry(server: Server, table: str) -> dict[str, Any]:
    """Return the body of the log entry with which a table's game started."""
    with closing(sqlite3.connect(server.database)) as log:
        [[body]] = log.execute("SELECT body FROM entries WHERE table_id = ? AND kind = 'start'", [table])
    entry: dict[str, Any] = json.loads(body)
    return entry


def download_record(server: Server, table: str, key: str) -> str:
    async def ask() -> str:
        async with join_table(server, table, key) as client:
            await client.send(type="record")
            while (message := await client.receive())["type"] != "record":
                pass
            return str(message["text"])

    with ThreadPoolExecutor(1) as executor:  # This thread already runs Playwright's event loop.
        return executor.submit(asyncio.run, ask()).result()


def open_lobby(ann: BrowserPlayer) -> tuple[str, str]:
    """Create a table and wait for its commitment. Return the table's name and the host's key."""
    ann.open("/").page.click("form[action='/tables'] button")
    ann.wait_for("lobby")
    name, _, key = ann.page.url.rpartition("/")[2].partition("#")
    return name, key


def shown_outcome(ann: BrowserPlayer) -> str:
    """Wait for the outcome of the verification on the page, check its text and return its name."""
    ann.page.wait_for_selector("[data-outcome]", timeout=TIMEOUT_MS)
    name = ann.page.get_attribute("[data-deal-check]", "data-outcome") or ""
    assert ann.page.inner_text("[data-deal-check]").startswith(OUTCOME_TEXTS[name])
    return name


def play_a_round(server: Server, table: str, key: str) -> None:
    async def play() -> None:
        random = Random(1)
        async with join_table(server, table, key) as client:
            while client.state["view"]["round"] == 1:
                if client.has_open_choice:
                    await client.play_random_move(random)
                await client.receive()

    with ThreadPoolExecutor(1) as executor:  # This thread already runs Playwright's event loop.
        executor.submit(asyncio.run, play()).result()


def play_to_round_end(ann: BrowserPlayer, server: Server, table: str, key: str) -> None:
    """Start the game in the browser, play a round over the protocol, and wait for its end in the browser."""
    ann.page.click("[data-send*=start]")
    ann.wait_for("table")
    play_a_round(server, table, key)
    ann.wait_for("round_end")


def test_a_browser_adds_a_value_and_verifies_the_deals(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        table, key = open_lobby(ann)
        commitment = ann.page.get_attribute("#stage [data-commitment]", "data-commitment") or ""
        assert ann.page.inner_text("#stage .commitment") == f"Shuffle {commitment[:8]}"
        ann.page.click("[data-send*=start]")
        ann.wait_for("table")
        stored = json.loads(ann.stored("shuffle_values") or "")[0]
        assert stored["commitment"] == commitment
        assert ann.page.get_attribute("#table-footer [data-commitment]", "data-commitment") == commitment
        assert read_start_entry(site, table)["values"] == {"A": stored["value"]}
        play_a_round(site, table, key)
        ann.wait_for("round_end")
        assert shown_outcome(ann) == "shared"
        ann.page.goto("about:blank")  # rendering every move of three more rounds would be slow
        play_game_to_end(site, table, key)
        ann.open(f"/table/{table}#{key}").wait_for("round_end")
        ann.page.click("[data-send*=seen]")
        ann.wait_for("game_end")
        assert shown_outcome(ann) == "shared"
        assert ann.accessibility_violations() == []
        with open_player(chromium, site) as bo:  # a browser that joins late has not seen the commitment
            bo.open(f"/table/{table}#{key}").wait_for("seat_in_use")
            bo.page.click("[data-move-here]")
            bo.wait_for("game_end")
            assert shown_outcome(bo) == "late"
    written = download_record(site, table, key)
    assert fairness.verify(written, records.read(written), commitment).values == (("A", stored["value"]),)


def test_a_game_started_from_the_landing_page_has_a_commitment_too(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        ann.open("/")
        commitment = ann.page.get_attribute("form.play [name=promise]", "value") or ""
        ann.page.click("form.play [type=submit]")
        ann.wait_for("table")
        table, _, key = ann.page.url.rpartition("/")[2].partition("#")
        assert ann.page.get_attribute("#table-footer [data-commitment]", "data-commitment") == commitment.split()[0]
        play_a_round(site, table, key)
        ann.wait_for("round_end")
        assert shown_outcome(ann) == "shared"
        second_table = site.request("/play", {"promise": commitment})  # a commitment is for one game
        secret = read_start_entry(site, second_table.headers["Location"].removeprefix("/table/").partition("#")[0])[
            "secret"
        ]
        assert secret != read_start_entry(site, table)["secret"]


def tamper_with(opened: dict[str, Any], field: str) -> dict[str, Any]:
    """Return the verification data of a round with one field changed."""
    value = opened[field]
    if field == "villages":
        value = [value[1], value[0], *value[2:]]
    elif field == "values":
        value = {"A": "another"}
    elif field == "deck":
        value = value[::-1]
    else:
        value = (value + 1) % 14 if field == "discard" else "0" * 64
    return {**opened, field: value}


def test_a_tampered_deal_is_reported(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        board = Board(ann)
        table, key = open_lobby(ann)
        play_to_round_end(ann, site, table, key)
        assert shown_outcome(ann) == "shared"
        opened = json.loads(ann.page.get_attribute("[data-deal-check]", "data-deal-check") or "")
        for field in ("villages", "discard", "deck", "part", "values", "commitment"):
            board.change_opened(tamper_with(opened, field))
            ann.page.wait_for_selector("[data-outcome=wrong]", timeout=TIMEOUT_MS)
            board.change_opened(opened)
            ann.page.wait_for_selector("[data-outcome=shared]", timeout=TIMEOUT_MS)
        # This round is consistent with another commitment, but the page has seen the first card of the discard pile.
        others = [DealCommitment(bytes([seed]) * 32).deals(2)[0] for seed in range(20)]
        other = next(index for index, deal in enumerate(others) if deal.discard != opened["discard"])
        board.change_opened(DealCommitment(bytes([other]) * 32).verification_data(1, others[other]))
        ann.page.wait_for_selector("[data-outcome=wrong]", timeout=TIMEOUT_MS)


def test_a_game_with_another_commitment_than_its_lobby_is_reported(chromium: Browser, site: Server) -> None:
    """A proxy changes the commitment in the lobby, so that it differs from the game's."""

    def change_commitment(text: str) -> str:
        return re.sub(r'(data-commitment=\\"\w{63})\w(\\" data-add-value)', r"\1x\2", text)

    with open_player(chromium, site) as ann:
        SocketRelay(ann.page, change_commitment)
        table, key = open_lobby(ann)
        assert (ann.page.get_attribute("#stage [data-commitment]", "data-commitment") or "").endswith("x")
        play_to_round_end(ann, site, table, key)
        assert shown_outcome(ann) == "wrong"


def test_a_browser_without_crypto_says_that_it_cannot_verify(chromium: Browser, site: Server) -> None:
    with open_player(chromium, site) as ann:
        ann.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
        table, key = open_lobby(ann)
        play_to_round_end(ann, site, table, key)
        assert shown_outcome(ann) == "elsewhere"


def round_end_html(opened: dict[str, Any], round_: int = 1, people: str = "A") -> str:
    """Return a round end as seat A sees it in a two-player game; `people` are the seats without a bot."""
    shown = f'data-round="{round_}" data-players="2" data-people="{people}" data-you="A"'
    return f"<p data-deal-check='{json.dumps(opened)}' {shown}></p>"


def commitment_html(commitment: DealCommitment, more: str = "") -> str:
    """Return an element with a game's commitment, and with the attributes `more`."""
    return f'<i data-commitment="{commitment.commitment}" {more}></i>'


class Board:
    """A page on which a test shows its own HTML, as if the server had sent it."""

    def __init__(self, player: BrowserPlayer) -> None:
        self.player = player
        self.relay = SocketRelay(player.page)
        self.numbers = count(1001)

    def show(self, html: str) -> None:
        self._update("lobby", [["stage", [html]]])

    def change_opened(self, opened: dict[str, Any]) -> None:
        """Change what the server has revealed of the round."""
        change = "text => { document.querySelector('[data-deal-check]').dataset.dealCheck = text; }"
        self.player.page.evaluate(change, json.dumps(opened))
        self._update("round_end", [])

    def _update(self, kind: str, parts: list[Any]) -> None:
        number = next(self.numbers)
        self.relay.send(type="page", page=kind, choice=number, parts=parts, reset=True)
        self.player.page.wait_for_selector(f"body[data-choice-number='{number}']", state="attached")


def test_forged_rounds_are_reported(chromium: Browser, site: Server) -> None:
    """Forge the number of digests, the round, the number of players, a bot's value and the sizes of villages.

    Where possible, the commitment is recomputed to match.
    """
    fair = fairness.make_commitment(bytes(32), {"A": "mine"})
    deals = fair.deals(2)
    invented = fairness.make_commitment(bytes(32), {"A": "mine", "B": "x"})
    moved = fairness.make_commitment(bytes(32), {"B": "mine"})
    first = fair.verification_data(1, deals[0])
    digests = first["digests"] * 600
    long_commitment = sha256(b"argentum commitment\n" + bytes.fromhex("".join(digests))).hexdigest()
    short = {**first, "digests": first["digests"][:4]}
    short["commitment"] = sha256(b"argentum commitment\n" + bytes.fromhex("".join(short["digests"]))).hexdigest()
    forged = {
        "many parts": {**first, "digests": digests, "commitment": long_commitment},
        "few parts": short,
        "another round's part": fair.verification_data(3, deals[2]),
        "more players": fair.verification_data(1, fair.deals(3)[0]),
        "a bot's value": invented.verification_data(1, invented.deals(2)[0]),
        "no digests": {key: value for key, value in first.items() if key != "digests"},
        "villages of other sizes": {**first, "villages": [first["villages"][0] + first["villages"][1], []]},
    }
    with open_player(chromium, site) as ann:
        board = Board(ann)
        open_lobby(ann)
        values = [
            {"commitment": text, "value": "mine"} for text in (fair.commitment, long_commitment, short["commitment"])
        ]
        ann.store("shuffle_values", json.dumps(values))
        board.show(round_end_html(first))
        assert shown_outcome(ann) == "shared"
        for forgery, opened in forged.items():
            board.show(round_end_html(opened))
            assert shown_outcome(ann) == "wrong", forgery
        board.show(round_end_html(invented.verification_data(1, invented.deals(2)[0]), people="AB"))
        assert shown_outcome(ann) == "shared", "a person in that seat may have added the value"
        board.show(round_end_html(moved.verification_data(1, moved.deals(2)[0]), people="AB"))
        assert shown_outcome(ann) == "wrong", "the reader's value is at another seat"


def test_a_second_commitment_in_one_lobby_is_reported(chromium: Browser, site: Server) -> None:
    first, second = DealCommitment(bytes(32)), DealCommitment(bytes([1]) * 32)
    opened = round_end_html(second.verification_data(1, second.deals(2)[0]))
    with open_player(chromium, site) as ann:
        board = Board(ann)
        open_lobby(ann)
        board.show(round_end_html(first.verification_data(4, first.deals(2)[3]), 4))
        lobbies = [commitment_html(commitment, 'data-add-value="no"') for commitment in (first, second)]
        for html in (*lobbies, commitment_html(second), opened):
            board.show(html)
        assert shown_outcome(ann) == "wrong"


def test_the_commitment_of_a_rematch_raises_no_alarm(chromium: Browser, site: Server) -> None:
    first, second = DealCommitment(bytes(32)), DealCommitment(bytes([1]) * 32)
    opened = round_end_html(second.verification_data(1, second.deals(2)[0]))
    with open_player(chromium, site) as ann:
        board = Board(ann)
        open_lobby(ann)
        board.show(round_end_html(first.verification_data(4, first.deals(2)[3]), 4))
        for commitment in (first, second):
            for html in (commitment_html(commitment, 'data-add-value="no"'), commitment_html(commitment)):
                board.show(html)
        board.show(opened)
        assert shown_outcome(ann) == "promised"


def test_staying_at_a_result_while_others_start_the_rematch_raises_no_alarm(chromium: Browser, site: Server) -> None:
    first, second = DealCommitment(bytes(32)), DealCommitment(bytes([1]) * 32)
    villages = [commitment.deals(2)[0].villages[0] for commitment in (first, second)]
    changed_index = next(index for index in range(5) if villages[0][index] != villages[1][index])

    def card(index: int, number: int) -> str:
        return f'<i data-slot="A{index + 1}"><i data-face="d{number}"></i></i>'

    def game_end(commitment: DealCommitment, round_: int) -> str:
        return round_end_html(commitment.verification_data(round_, commitment.deals(2)[round_ - 1]), round_)

    with open_player(chromium, site) as ann:
        board = Board(ann)
        open_lobby(ann)
        for html in (
            game_end(first, 4),
            commitment_html(first, 'data-add-value="no"'),
            commitment_html(first, 'data-verifiable-round="1"') + card(changed_index, villages[0][changed_index]),
            game_end(first, 4),
            commitment_html(second, 'data-verifiable-round="1"')
            + card((changed_index + 1) % 5, villages[1][(changed_index + 1) % 5]),
            game_end(second, 1),
        ):
            board.show(html)
        assert shown_outcome(ann) == "late"
