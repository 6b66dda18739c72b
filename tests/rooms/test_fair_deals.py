import asyncio
import json
from pathlib import Path
from random import Random
from time import time

import pytest

from argentum import records
from argentum.records import fairness
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.commitments import Commitments, game_commitment
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.ownership import SingleServer
from argentum.rooms.post_game import record_json
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room


def test_a_commitment_is_redeemed_once_within_a_day_by_any_server_with_the_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used: list[str] = []

    async def use(number: str) -> bool:
        used.append(number)
        return used.count(number) == 1

    first, second, stranger = Commitments("ours", use), Commitments("ours", use), Commitments("theirs", use)
    promise = first.issue()
    commitment, number = promise.split()

    async def take() -> None:
        assert await stranger.redeem(promise) is None
        for wrong in (
            "",
            commitment,
            f"{'0' * 64} {number}",
            f"{commitment} 1{number}",
            f"{commitment} \u00b2-x",
            f"{commitment} -",
        ):
            assert await first.redeem(wrong) is None
        assert used == []
        root = await second.redeem(promise)
        assert root is not None
        assert game_commitment(root, 0) == commitment
        assert [await first.redeem(promise), await second.redeem(promise)] == [None, None]
        later = first.issue()
        monkeypatch.setattr("argentum.rooms.commitments.time", lambda: time() + 26 * 3600)
        assert await first.redeem(later) is None

    asyncio.run(take())


def test_a_single_server_uses_a_commitment_once() -> None:
    async def use() -> list[bool]:
        server = SingleServer()
        return [await server.use_commitment(number) for number in ("1-a", "1-a", "1-b")]

    assert asyncio.run(use()) == [True, False, True]


def test_only_values_of_people_seated_at_the_start_count(tmp_path: Path) -> None:
    async def play() -> tuple[Room, Room]:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        room, key = await registry.create(new_arrangement(opponents=3))
        for other in ("one", "two"):
            await room.claim_seat(other, None)
        for seat in "ABC":
            lobby.add_shuffle_value(room, seat, seat.lower())
        await lobby.arrange(room, "A", {"seat": "B", "bot": "random"}, key)
        await lobby.arrange(room, "A", {"seat": "C", "bot": ""}, key)
        await room.claim_seat("three", None, "C")
        await lobby.start(room)
        reopened = Room.from_entries(room.name, log.entries(room.name), log, registry.timing)
        await registry.close()
        await log.close()
        return room, reopened

    for room in asyncio.run(play()):
        assert room.opening is not None
        assert room.opening.values == (("A", "a"),)
        assert room.human_seats_at_start == "AC"


def test_a_room_deals_according_to_its_commitment(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
        promised = room.arrangement, room.commitment(True)
        lobby.add_shuffle_value(room, "A", "mine")
        await lobby.start(room)
        assert room.commitment(False) == promised[1]
        assert '"commitment":"' + promised[1] in room.update_json("A", None)[0].replace('": "', '":"')
        room = Room.from_entries(room.name, log.entries(room.name), log, registry.timing)
        assert room.game is not None
        assert room.commitment(False) == promised[1]
        assert room.commitment(True) != promised[1]
        random = Random(3)
        while not room.game.over:
            room.game.play(random.choice([*room.game.legal()]))
        text = record_text(room)
        await registry.close()
        await log.close()
        return promised[1], text

    promised, text = asyncio.run(play())
    opened = fairness.verify(text, records.read(text), promised)
    assert opened.values == (("A", "mine"),)


def record_text(room: Room) -> str:
    return str(json.loads(record_json(room, "A"))["text"])
