import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from argentum import Game, records
from argentum.client import TableLink
from argentum.records.fairness import make_commitment, verify
from argentum.rooms.access import derive_key
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import GameEndScreen
from argentum.terminal.screens.invitation import InvitationScreen
from argentum.terminal.screens.lobby import LobbyScreen
from argentum.terminal.screens.page import ButtonScreen
from argentum.terminal.sources import TableLost
from argentum.terminal.sources.deal_verifier import DEAL_OK, DEAL_OK_SEEN_LATE, DealVerifier
from argentum.terminal.sources.server import ServerSource, check_deck, sanitize
from argentum.terminal.watching.app import WatchApp
from argentum.terminal.watching.recordings import LiveGame
from argentum.terminal.widgets.options import OptionRow
from tests.random_games import random_move
from tests.support.server import ProtocolClient, Server, join_table, shared_server
from tests.support.terminal import LARGE, SMALL, TIMEOUT, press_random_key, screen_text, wait_for_player, wait_for_text

if TYPE_CHECKING:
    from textual.pilot import Pilot

__all__ = ["shared_server"]


def app_at(server: Server, table: str, key: str, name: str = "") -> TableApp:
    return TableApp(ServerSource(TableLink.parse(f"{server.origin}/table/{table}#{key}"), name))


async def wait_for(pilot: "Pilot[str]", condition: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await pilot.pause(0.02)


async def receive_until(client: ProtocolClient, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Read messages; return the first one that satisfies a condition."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            message = await client.receive()
            if condition(message):
                return message


def test_an_invited_player_takes_a_seat_and_chats_with_the_host(server: Server) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="coin")

    async def main() -> None:
        async with join_table(server, table, key, talk=True) as host:
            invite = host.state["links"]["invite"]
            await host.send(type="arrange", seats=3)
            await receive_until(host, lambda message: len(message.get("seats", ())) == 3)
            app = TableApp(ServerSource(TableLink.parse(server.origin + invite), "Zoe"))
            async with app.run_test(size=LARGE, notifications=True) as pilot:
                await wait_for_text(app, pilot, "Ann invites you.")
                assert isinstance(app.screen, InvitationScreen)
                await pilot.press("c")
                await wait_for_text(app, pilot, "The host starts the game.")
                assert isinstance(app.screen, LobbyScreen)
                await wait_for_text(app, pilot, "Zoe, you")
                assert app.source.seat_url.startswith(f"{server.origin}/table/{table}#")
                assert app.source.seat_url not in (server.origin + invite, "")
                await host.send(type="arrange", seat="B", bot="novice")
                await host.send(type="start")
                await wait_for_text(app, pilot, "Look at two of your cards")
                await host.send(type="say", text="good [/luck]")  # not markup
                await wait_for_text(app, pilot, "Ann: good [/luck]")
                await wait_for(pilot, lambda: app.table_state and app.table_state.scene and "talk" in log_kinds(app))
                await pilot.press("w", *"you too", "enter")
                talk = await receive_until(
                    host, lambda message: message["type"] == "talk" and "Zoe" in str(message["lines"])
                )
                assert talk["lines"][-1]["text"] == "you too"
                await wait_for_text(app, pilot, "Zoe: you too")

    asyncio.run(main())


def log_kinds(app: TableApp) -> list[str]:
    assert app.table_state is not None
    assert app.table_state.scene is not None
    return [entry.kind for entry in app.table_state.scene.log]


def test_the_host_sees_links_that_open_seats(server: Server) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="dagger")

    async def main() -> None:
        app = app_at(server, table, key)
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_text(app, pilot, "Invite friends with this link")
            assert set(app.links()) == {"invite", "B"}
            await pilot.press("c")
            assert app.clipboard == app.links()["invite"]
            await pilot.press("j")
            await wait_for_text(app, pilot, "Seat B, which is free")
            async with join_table(server, table, TableLink.parse(app.links()["B"]).key, name="Bo") as bo:
                assert bo.state["seat"] == "B"
                await wait_for(pilot, lambda: app.last_update["seats"][1]["here"])
                assert "Seat B, which is free" in screen_text(app), "an update leaves the open sheet on top"
                await pilot.press("escape")
                await wait_for_text(app, pilot, "Seat B  ◂ Bo, here ▸")
                assert set(app.links()) == {"invite"}

    asyncio.run(main())


def test_a_spectator_may_decline_a_free_seat(server: Server) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="dagger")

    async def main() -> None:
        app = app_at(server, table, derive_key(key, "watch"))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "Ann invites you.")
            await pilot.press("w")
            await wait_for_text(app, pilot, "The host starts the game.")
            assert app.last_update["seat"] == ""
        assert app_at(server, table, derive_key(key, "watch")).is_player
        assert not WatchApp.is_player, "argentum watch offers no seat"

    asyncio.run(main())


def test_the_host_plays_a_whole_game_and_saves_a_verified_record(server: Server, tmp_path: Path) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="dagger")

    async def main() -> None:
        app = app_at(server, table, key)
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            await wait_for_text(app, pilot, "The table is being set.")
            for name, keys in (("seat B", ["right", "right"]), ("deck", ["right", "right", "right", "right"])):
                next(row for row in app.screen.query(OptionRow) if row.option.name == name).focus()
                for arrow in keys:
                    seq = app.last_update["seq"]
                    await pilot.press(arrow)
                    await wait_for(pilot, lambda seq=seq: app.last_update["seq"] > seq)  # type: ignore[misc]
            await wait_for_text(app, pilot, "Bramble, bot novice")
            assert app.deal_verifier.value
            await pilot.press("s")
            await wait_for_text(app, pilot, "Look at two of your cards")
            await pilot.press("b")
            assert app.pace == "fast"
            await wait_for_player(app, pilot)
            await pilot.press("a")
            await wait_for_text(app, pilot, "A strong bot would")
            async with join_table(server, table, key) as client:
                await client.play_to_end(Random(1))
            await wait_for(pilot, lambda: isinstance(app.screen, ButtonScreen))
            while not isinstance(app.screen, GameEndScreen):
                await pilot.press("enter")
                await pilot.pause()
            await wait_for_text(app, pilot, DEAL_OK)
            await pilot.press("r")
            await wait_for_text(app, pilot, f"saved as {table}.silver")
            await pilot.press("p")
            await wait_for_text(app, pilot, "Another game.")
            commitment, value = client.state["arrangement"]["commitment"], app.deal_verifier.value
            assert commitment != app.deal_verifier.commitment, "each game has its own commitment"
            assert value
            number = next(row for row in app.screen.query(OptionRow) if row.option.name == "number 3")
            assert number.can_focus is (app.last_update["arrangement"]["rematch"]["winner"] != "A")
            if number.can_focus:  # nearly always: a random player against a novice
                number.focus()
                await pilot.press("right")
                await wait_for_text(app, pilot, "(your swap)")
        text = (tmp_path / f"{table}.silver").read_text()
        deal_commitment = verify(text, records.read(text), commitment)
        assert dict(deal_commitment.values).keys() == {"A"}

    asyncio.run(main())


def test_a_new_host_can_invite_and_start(server: Server) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="coin")

    async def main() -> None:
        async with join_table(server, table, key) as ann:
            await ann.send(type="arrange", seats=3)
            await receive_until(ann, lambda message: len(message.get("seats", ())) == 3)
            app = app_at(server, table, ann.state["links"]["B"].partition("#")[2], "Zoe")
            async with app.run_test(size=LARGE) as pilot:
                await wait_for_text(app, pilot, "The host starts the game.")
                await ann.send(type="transfer_host", seat="B")
                await wait_for_text(app, pilot, "Start the game")
                invited = TableApp(ServerSource(TableLink.parse(app.links()["invite"])))
                async with invited.run_test(size=LARGE) as other:
                    await wait_for_text(invited, other, "Zoe invites you.")
                await pilot.press("s")
                await wait_for_text(app, pilot, "Look at two of your cards")

    asyncio.run(main())


def test_the_shuffle_value_is_sent_again_after_reconnecting() -> None:
    verifier = DealVerifier()
    update = {"arrangement": {"commitment": "c"}, "stage": "gathering", "seat": "A"}
    value_message = verifier.observe(update)
    assert value_message is not None
    assert verifier.observe(update) is None
    verifier.value_sent = False  # The connection was lost, and the server may have been restarted.
    assert verifier.observe(update) == value_message
    assert verifier.observe({**update, "stage": "playing"}) is None


def test_the_verdict_names_what_does_not_match_the_commitment() -> None:
    deal_commitment, random = make_commitment(bytes(32), {"A": "mine", "B": "theirs"}), Random(2)
    game = Game.new("dagger", 2, deal_commitment.seed, "", ["Ann", "Bo"], deal_commitment.deals(2))
    while not game.over:
        game.play(random_move(game, random))
    text = records.write(game) + deal_commitment.record_comments()
    verifier = DealVerifier()
    verifier.commitment, verifier.value = deal_commitment.commitment, "mine"
    assert verifier.verdict(text, "A") == DEAL_OK
    late = DealVerifier()
    late.observe({"arrangement": {"commitment": deal_commitment.commitment}, "stage": "playing", "seat": "A"})
    assert late.verdict(text, "A") == DEAL_OK_SEEN_LATE
    assert "your value is not among" in verifier.verdict(text, "B")
    verifier.commitment = "0" * 64
    assert "not the one that was promised" in verifier.verdict(text, "A")
    assert verifier.verdict("no record", "A").startswith("The deals are not as promised")


def table_link(server: Server, table: str, key: str) -> TableLink:
    return TableLink.parse(f"{server.origin}/table/{table}#{key}")


def test_the_game_goes_on_after_the_server_was_restarted(server: Server) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="coin")

    async def main() -> None:
        app = TableApp(ServerSource(table_link(server, table, key)))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "The table is being set")
            assert isinstance(app.screen, LobbyScreen)
            await app.source.send({"type": "arrange", "seat": "B", "bot": "novice"})
            await wait_for_text(app, pilot, "bot novice")
            await pilot.press("enter")
            await wait_for_text(app, pilot, "Look at two of your cards.")
            await pilot.press("2", "4", "o")
            await wait_for_player(app, pilot)
            assert app.table_state is not None
            assert app.table_state.view is not None
            assert any(card.number is not None for card in app.table_state.view.villages["A"]), "a card was looked at"
            server.kill()
            await wait_for_text(app, pilot, "Connection lost. Reconnecting.")
            server.start()
            await wait_for_text(app, pilot, "Round 1 of 4")
            for _ in range(6):
                await wait_for_player(app, pilot)
                await press_random_key(app, pilot, Random(1))
            await wait_for_player(app, pilot)

    asyncio.run(main())


def test_a_spectator_follows_a_live_game_and_steps_back(server: Server) -> None:
    table, key = server.new_table(boxes="dagger", bots="1")

    async def main() -> None:
        recording = LiveGame()
        app = WatchApp(recording, ServerSource(table_link(server, table, derive_key(key, "watch"))))
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_text(app, pilot, "Live.")
            async with join_table(server, table, key) as client, asyncio.timeout(TIMEOUT):
                for _ in range(5):
                    while not client.has_open_choice:
                        await client.next_update()
                    await client.play_random_move(Random(1))
            async with asyncio.timeout(TIMEOUT):
                while len(recording) < 5:
                    await pilot.pause(0.02)
                while f"Step {len(recording) - 1} of {len(recording) - 1}. Live." not in screen_text(app):
                    await pilot.pause(0.02)
            await pilot.press("home")
            await wait_for_text(app, pilot, "Step 0 of")
            assert "The game goes on." in screen_text(app)
            await pilot.press("end")
            await wait_for_text(app, pilot, "Live.")

    asyncio.run(main())


def exit_message(source: ServerSource) -> str:
    """Run the app until it exits by itself; return its error message."""

    async def main() -> Any:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            async with asyncio.timeout(TIMEOUT):
                while app.return_value is None:
                    await pilot.pause(0.02)
        return app.return_value

    return str(asyncio.run(main()))


def test_a_wrong_key_or_table_is_explained(server: Server) -> None:
    table, _ = server.new_table()
    assert exit_message(ServerSource(table_link(server, table, "wrong"))).startswith(
        "this link does not open a seat at this table"
    )
    assert exit_message(ServerSource(table_link(server, "no-table", "wrong"))).startswith("there is no such table")


def test_a_server_that_does_not_answer_is_reported() -> None:
    message = exit_message(ServerSource(TableLink.parse("http://127.0.0.1:9/table/a#b")))
    assert message == "cannot reach ws://127.0.0.1:9/socket/a: the server does not answer"
    message = exit_message(ServerSource(TableLink.parse("http://silver..example/table/a#b")))
    assert message.startswith("cannot reach ws://silver..example/socket/a: encoding with 'idna' codec failed")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "proud-nettle",
        "http://host/",
        "http://host/table/",
        "ftp://host/table/a#b",
        "http:///table/a",
        "http://[/",
        "http://host:x/table/a#b",
    ],
)
def test_texts_that_are_not_links_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a table link"):
        TableLink.parse(text)


def test_control_characters_of_a_server_do_not_reach_the_terminal() -> None:
    message = {"type": "update", "seats": [{"name": "\x1b]0;owned\x07Ann\x9b2J"}], "text": "a\nb\u202e"}
    assert sanitize(message) == {
        "type": "update",
        "seats": [{"name": "\ufffd]0;owned\ufffdAnn\ufffd2J"}],
        "text": "a\nb\ufffd",
    }


def test_a_deck_of_a_box_that_is_not_installed_ends_the_session_with_a_sentence() -> None:
    check_deck({"type": "update", "arrangement": {"boxes": "dddcdddddddddd"}})
    check_deck({"type": "talk", "lines": []})
    message = {"type": "update", "arrangement": {"boxes": "dddpddddddddqd"}}
    with pytest.raises(TableLost, match="needs boxes that are not installed, with the letters p, q"):
        check_deck(message)
    message = {"type": "update", "arrangement": {"boxes": "d" * 14, "token": "pewter"}}
    with pytest.raises(TableLost, match="the silver token of this table is of a box that is not installed: pewter"):
        check_deck(message)
