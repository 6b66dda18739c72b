import asyncio
from pathlib import Path
from random import Random

import pytest

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.access import derive_key, key_digest, role_of
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from tests.support.after_game import open_registry, run_in_thread
from tests.support.room import WaitingConnection, load_registry, play_move, restore_room, room_state, run, start_game


def test_a_link_to_a_game_lasts_through_rematches_and_restarts_and_opens_nothing_else(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        await room.start("A")
        random = Random(1)
        while room.playing:
            legal = room.game.legal("A") if room.game else []
            if legal:
                move = next((str(one) for one in legal if str(one) == "call"), str(random.choice(legal)))
                await room.play_move("A", room.choice_number("A"), "peek A1 A2" if move.startswith("peek") else move)
            else:
                await room.beat()

    async def evening() -> None:
        async with open_registry(tmp_path, Timing(bot_pause=0.0), Limits(startup_grace_minutes=0.0, keep_days=1.0)) as (
            log,
            registry,
        ):
            room, host = await registry.create(new_arrangement(opponents=1, bot="random"))
            key = room.play.share_key(1)
            with pytest.raises(Refused, match="not over"):
                await registry.past_game(room, 1, key)
            await play(room)
            scores = room.game.scores if room.game else []
            await room.rematch("A")
            await room.start("A")
            again = RoomRegistry(log, Timing(bot_pause=0.0))  # after a restart
            there = await again.find(room.name)
            assert there is not None
            past = await again.past_game(there, 1, key)
            assert past.game is not None
            assert past.game.scores == scores
            assert past.access.role_for_key(key) == SPECTATOR
            assert past.access.role_for_key(host) == "", "it is no door to the table"
            of = room.play.share_key
            for game, other in ((1, host), (1, "\ud800"), (2, key), (0, of(0)), (2, of(2)), (3, of(3))):
                with pytest.raises(Refused):
                    await again.past_game(there, game, other)
            assert room.access.role_for_key(key) == "", "nor is the table's own"

    run_in_thread(evening())


def test_who_opens_a_link_to_a_game_writes_nothing_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.rooms.room.SECONDS_PER_DAY", 0.0)

    async def look_back() -> None:
        async with open_registry(tmp_path, Timing(bot_pause=0.0, disconnect_grace=0.0), Limits(keep_days=1.0)) as (
            log,
            registry,
        ):
            room, _ = await registry.create(new_arrangement(opponents=1))  # a bot plays the free seat
            await room.start("A")
            while room.playing:
                await room.beat()
            past = await registry.past_game(room, 1, room.play.share_key(1))
            with pytest.raises(Refused, match="but you may watch"):
                await past.claim_seat("a key", "Eve", "B")
            await registry.record_visit(past)
            assert len(log.entries(room.name)) == room.play.seq, "the table knows of all that is in its log"
            await registry.record_visit(room)
            again = await registry.past_game(room, 1, room.play.share_key(1))
            await registry.record_visit(again)  # though the log has gone on since
            assert again.play.last_entry_at == room.play.last_entry_at, "so long it is kept"

    run_in_thread(look_back())


def test_a_listed_table_is_joined_and_the_old_link_is_void(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, host = await registry.create(new_arrangement("Ann", "dagger", 1))
            with pytest.raises(Refused, match="no open table"):
                await registry.join_open_room(room.name, "Zoe")
            await room.arrange("A", {"listed": True})
            await room.enter(WaitingConnection("A"))
            assert [table["name"] for table in registry.open_rooms()] == [room.name]
            key = await registry.join_open_room(room.name, "Zoe")
            assert room.access.digests["B"] == key_digest(key)
            assert role_of(derive_key(host, "B"), room.access.digests) == ""
            assert room.arrangement.seats[1].name == "Zoe"
            await room.enter(WaitingConnection("B"))
            assert registry.open_rooms() == []
            with pytest.raises(Refused, match="every seat of that table is taken"):
                await registry.join_open_room(room.name, "Zoe")
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


def test_a_table_that_another_server_set_is_found(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as first, load_registry(database_url) as second:
            room = await start_game(first)
            await play_move(room, "A", "peek A1 A2")
            assert room.name not in second.rooms
            theirs, again = await asyncio.gather(second.find(room.name), second.find(room.name))
            assert theirs is again is second.rooms[room.name]
            assert theirs is not None
            assert room_state(theirs) == room_state(room)
            await play_move(theirs, "B", "peek B1 B2")
            assert await second.find("no-table") is None
            assert await second.find("' OR 1=1") is None

    run(main())
