import asyncio
from pathlib import Path
from random import Random

import pytest

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms import lobby
from argentum.rooms.access import derive_key, key_digest, matching_role
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.ticker import tick
from tests.support.browser import run_in_thread
from tests.support.room import (
    WaitingConnection,
    load_registry,
    open_registry,
    play_move,
    restore_room,
    room_state,
    run,
    start_game,
)


def test_a_link_to_a_game_survives_rematches_and_restarts_and_opens_nothing_else(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        await lobby.start(room)
        random = Random(1)
        while room.playing:
            legal = room.game.legal("A") if room.game else []
            if legal:
                move = next(
                    (str(legal_move) for legal_move in legal if str(legal_move) == "call"), str(random.choice(legal))
                )
                await room.play_move("A", room.choice_number("A"), "peek A1 A2" if move.startswith("peek") else move)
            else:
                await tick(room)

    async def main() -> None:
        async with open_registry(tmp_path, Timing(bot_delay=0.0), Limits(startup_grace_minutes=0.0, keep_days=1.0)) as (
            log,
            registry,
        ):
            room, host = await registry.create(new_arrangement(opponents=1, bot="random"))
            key = room.share_key(1)
            with pytest.raises(Refused, match="not over"):
                await registry.past_game(room, 1, key)
            await play(room)
            scores = room.game.scores if room.game else []
            await lobby.open_rematch(room, "A")
            await lobby.start(room)
            restarted = RoomRegistry(log, Timing(bot_delay=0.0))
            restored_room = await restarted.find(room.name)
            assert restored_room is not None
            past_room = await restarted.past_game(restored_room, 1, key)
            assert past_room.game is not None
            assert past_room.game.scores == scores
            assert past_room.keys.role_for_key(key) == SPECTATOR
            assert past_room.keys.role_for_key(host) == "", "the host's key opens no seat of a past game"
            share_key = room.share_key
            for game, other in (
                (1, host),
                (1, "\ud800"),
                (2, key),
                (0, share_key(0)),
                (2, share_key(2)),
                (3, share_key(3)),
            ):
                with pytest.raises(Refused):
                    await restarted.past_game(restored_room, game, other)
            assert room.keys.role_for_key(key) == "", "the key of a past game opens nothing at the table"

    run_in_thread(main())


def test_opening_a_link_to_a_game_writes_no_log_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.rooms.room.SECONDS_PER_DAY", 0.0)

    async def main() -> None:
        async with open_registry(tmp_path, Timing(bot_delay=0.0, disconnect_grace=0.0), Limits(keep_days=1.0)) as (
            log,
            registry,
        ):
            room, _ = await registry.create(new_arrangement(opponents=1))  # A stand-in plays the free seat.
            await lobby.start(room)
            while room.playing:
                await tick(room)
            past_room = await registry.past_game(room, 1, room.share_key(1))
            with pytest.raises(Refused, match="but you may watch"):
                await past_room.claim_seat("a key", "Eve", "B")
            await registry.record_visit(past_room)
            assert len(log.entries(room.name)) == room.seq, "no entry was written"
            await registry.record_visit(room)
            past_room_again = await registry.past_game(room, 1, room.share_key(1))
            await registry.record_visit(past_room_again)  # Its entries are not the last ones of the log now.
            assert past_room_again.last_entry_at == room.last_entry_at, "both say the same about when the game expires"

    run_in_thread(main())


def test_joining_a_listed_table_invalidates_the_seats_link(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, host = await registry.create(new_arrangement("Ann", "dagger", 1))
            with pytest.raises(Refused, match="no open table"):
                await registry.join_open_room(room.name, "Zoe")
            await lobby.arrange(room, "A", {"listed": True})
            await room.enter(WaitingConnection("A"))
            assert [table["name"] for table in registry.open_rooms()] == [room.name]
            key = await registry.join_open_room(room.name, "Zoe")
            assert room.keys.digests["B"] == key_digest(key)
            assert matching_role(derive_key(host, "B"), room.keys.digests) == ""
            assert room.arrangement.seats[1].name == "Zoe"
            await room.enter(WaitingConnection("B"))
            assert registry.open_rooms() == []
            with pytest.raises(Refused, match="every seat of that table is taken"):
                await registry.join_open_room(room.name, "Zoe")
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


def test_a_table_created_by_another_server_is_found(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as first, load_registry(database_url) as second:
            room = await start_game(first)
            await play_move(room, "A", "peek A1 A2")
            assert room.name not in second.rooms
            reloaded, reloaded_again = await asyncio.gather(second.find(room.name), second.find(room.name))
            assert reloaded is reloaded_again is second.rooms[room.name]
            assert reloaded is not None
            assert room_state(reloaded) == room_state(room)
            await play_move(reloaded, "B", "peek B1 B2")
            assert await second.find("no-table") is None
            assert await second.find("' OR 1=1") is None

    run(main())
