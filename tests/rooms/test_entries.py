"""Rooms restored from log entries, including those of earlier versions."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from argentum import records
from argentum.display.session import PlayedMove
from argentum.records.fairness import make_commitment
from argentum.rooms.access import derive_key, seat_path
from argentum.rooms.arrangement import Rematch, new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.entries import (
    ArrangementChanged,
    GameKept,
    GameStarted,
    MovePlayed,
    RoomEntry,
    TableCreated,
    TableVisited,
    read_entries,
    read_entry,
)
from argentum.rooms.log.journal import CorruptEntry, Entry
from argentum.rooms.log.memory import MemoryJournal
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.game import Game
from tests.support.room import (
    NO_DELAYS,
    journal_of,
    load_registry,
    log_entries,
    play_randomly,
    restore_room,
    room_state,
    run,
    start_game,
)

OLD: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "old_log.json").read_text(encoding="utf-8"))
ENTRIES = [Entry(seq, kind, body, 0.0) for seq, kind, body in OLD["rows"]]


def restore_old_room(entries: list[Entry]) -> Room:
    return Room.from_entries(OLD["table"], entries, cast(SqlJournal, None), Timing())


def test_a_game_of_an_old_log_has_the_same_result() -> None:
    room = restore_old_room(ENTRIES)
    assert room.game is not None
    assert (room.stage, room.game.scores, room.game.winner) == ("over", OLD["scores"], OLD["winner"])
    assert room.game.names == ["Ann", "Bo", "Cinder"]
    shuffled = [village for entry in ENTRIES if entry.kind == "move" for village in entry.body.get("shuffles", ())]
    restored_shuffles = [shuffle.numbers for round_ in (1, 2, 3, 4) for shuffle in room.game.shuffles(round_)]
    assert restored_shuffles == shuffled != []


@pytest.mark.parametrize("fraction", [0.1, 0.35, 0.6, 0.9])
def test_a_table_of_an_old_log_can_be_continued_at_any_entry(fraction: float) -> None:
    first_entries = ENTRIES[: int(len(ENTRIES) * fraction)]
    room = restore_old_room(first_entries)
    assert (room.stage, room.seq) == ("playing", len(first_entries))
    assert room.game is not None
    for entry in ENTRIES[len(first_entries) :]:
        for step in entry.body["steps"]:
            assert step in [str(move) for move in room.game.legal(entry.body["seat"])]
            room.game.play(next(move for move in room.game.legal(entry.body["seat"]) if str(move) == step))
        break


def test_a_removed_and_restored_seat_of_an_old_log_has_a_working_link() -> None:
    room = restore_old_room([entry for entry in ENTRIES if entry.kind not in ("start", "move")])
    link = seat_path(room, OLD["host"], "C")
    assert room.keys.role_for_key(link.partition("#")[2]) == "C"
    assert room.keys.role_for_key(derive_key(OLD["host"], "C")) == "", "the former player's key is invalid"


def test_every_kind_of_entry_is_read_as_it_was_written() -> None:
    random, commitment = Random(4), make_commitment(bytes(32), {"B": "luck", "A": "7"})
    game = Game.new("dagger", 2, commitment.seed, names=["Ann", "Bo"], deals=commitment.deals(2))
    arrangement = replace(new_arrangement("Ann"), rematch=Rematch("d" * 14, "B", {"A": (3, "coin")}), deposed="B")
    written: list[RoomEntry] = [
        TableCreated(arrangement, {"A": "digest"}, b"secret"),
        ArrangementChanged(arrangement, {"B": "digest"}),
        GameStarted.from_game(game, commitment.seed, commitment),
    ]
    while not game.over:
        seat = game.to_move
        before, move = game.copy(), str(random.choice(game.legal(seat)))
        written.append(MovePlayed.from_move(before, PlayedMove(game, seat, game.play(move, seat), "steady")))
    written += [GameKept(), TableVisited()]
    stored = [Entry(seq, entry.kind, json.loads(json.dumps(entry.body())), 0.0) for seq, entry in enumerate(written)]
    assert {entry.kind for entry in stored} == {"table", "arrange", "start", "move", "keep", "visit"}
    read = read_entries(stored)
    assert [type(entry) for entry in read] == [type(entry) for entry in written]
    assert [json.dumps(entry.body()) for entry in read] == [json.dumps(entry.body) for entry in stored]


@pytest.mark.parametrize(
    ("kind", "body", "message"),
    [
        ("pause", {}, "entry 3 has the kind 'pause', which this Argentum does not know"),
        ("move", {"seat": "A"}, "entry 3, of kind move, is invalid: KeyError.'steps'."),
        ("start", [], "entry 3, of kind start, is invalid"),
    ],
)
def test_an_invalid_entry_is_refused(kind: str, body: object, message: str) -> None:
    with pytest.raises(CorruptEntry, match=message):
        read_entry(Entry(3, kind, body, 0.0))


def restore_with_other_seed(room: Room) -> Room:
    """Restore a room with a wrong seed, so that it depends on the logged deals and shuffles."""
    entries = log_entries(room)
    for entry in entries:
        if entry.kind == "start":
            entry.body["seed"] += 1
    return Room.from_entries(room.name, entries, journal_of(room), room.timing)


@pytest.mark.parametrize(("code", "player_count"), [("dagger", 4), ("dcbdcbdcbdcbdc", 2), ("bcdbcdbcbdcbdb", 3)])
def test_a_restored_table_has_the_same_state_throughout_a_game(
    code: str, player_count: int, seed_tables: Callable[[int], None]
) -> None:
    seed_tables(player_count)

    async def main() -> None:
        log = MemoryJournal()
        room = await start_game(RoomRegistry(log, NO_DELAYS), code, player_count)
        random = Random(code)
        rounds, copies = 0, 0
        while room.playing and room.game is not None:
            await play_randomly(room, random, 1)
            has_shuffle_or_deal = room.game.rounds_finished > rounds or "shuffles" in log.entries(room.name)[-1].body
            if has_shuffle_or_deal or copies < 6 or random.random() < 0.02:
                copy = restore_room(room)
                assert room_state(copy) == room_state(room)
                assert room_state(restore_with_other_seed(room)) == room_state(room)
                room = random.choice([copy, room])  # The game continues in either.
                copies += 1
            rounds = room.game.rounds_finished if room.game is not None else 0
        assert room.game is not None
        assert rounds == 4
        assert records.write(records.read(records.write(room.game))) == records.write(room.game)
        if room.arrangement.deck_code[8] == "b":  # The deck has The Thing, which shuffles.
            assert any("shuffles" in entry.body for entry in log_entries(room)), (
                "no Thing was used; choose another seed"
            )

    run(main())


def test_a_restart_changes_nothing(database_url: str, seed_tables: Callable[[int], None]) -> None:
    seed_tables(3)

    async def main() -> None:
        random = Random(3)
        async with load_registry(database_url) as registry:
            room = await start_game(registry, "bcdbcdbcbdcbdb", 3, memory=True, turn_seconds=60, listed=True)
        before = room_state(room)
        for _ in range(12):
            async with load_registry(database_url) as registry:
                [room] = registry.rooms.values()
                assert room_state(room) == before
                assert [seat.stand_in for seat in room.seats()] == ["", "", ""], (
                    "the players may return within the grace period"
                )
                await play_randomly(room, random, 4)
                before = room_state(room)

    run(main())
