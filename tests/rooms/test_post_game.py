import json
from pathlib import Path
from random import Random
from time import time

import pytest

from argentum import records
from argentum.display.errors import Refused
from argentum.display.replay import fork_game, game_positions
from argentum.display.session import SPECTATOR
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.entries import apply_move, entries_of_game, restore_game
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.post_game import compute_rows, create_branch
from argentum.rules.game import Game
from tests.support.after_game import open_registry, run_in_thread


def test_who_plays_on_has_the_table_of_that_game_whatever_is_arranged_for_a_rematch(tmp_path: Path) -> None:
    async def play_on() -> None:
        async with open_registry(tmp_path, Timing(bot_pause=0.0, disconnect_grace=0.0)) as (_, registry):
            room, host = await registry.create(new_arrangement(opponents=1, bot="random"))
            await room.start("A")
            while room.playing:
                await room.beat()
            await room.rematch("A")
            await room.arrange("A", {"seats": 3, "memory": True}, host)
            name, _ = await create_branch(registry, room, "A", 5)
            table = registry.rooms[name]
            assert table.playing
            assert table.game is not None
            assert len(table.arrangement.seats) == table.game.players == 2
            assert not table.arrangement.memory

    run_in_thread(play_on())


def test_a_kept_game_does_not_expire(tmp_path: Path) -> None:
    async def sweep() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        for name in ("amber-oak", "amber-ash"):
            await log.append(name, 0, "table", {})
        await log.append("amber-oak", 1, "keep", {})
        assert log.expired(time() + 1) == ["amber-ash"]
        await log.close()

    run_in_thread(sweep())


def test_only_players_keep_a_game_and_only_when_it_is_over(tmp_path: Path) -> None:
    async def keep() -> None:
        async with open_registry(tmp_path, Timing()) as (_, registry):
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            for role in ("A", SPECTATOR):
                with pytest.raises(Refused):
                    await room.keep_game(role)

    run_in_thread(keep())


def test_rows_lie_where_the_replay_has_them_and_stop_with_the_budget() -> None:
    game, random = Game.new("dagger", 2, 5), Random(2)
    while not game.over:
        seat = game.to_move
        game.play(int(random.choice(game.legal(seat))), seat)
    [row] = compute_rows(records.write(game), "A", time_limit=0.0)
    there = game_positions(game)[row["at"]]
    assert there.to_move == "A"
    assert there.round == row["round"]
    assert row["played"]


def test_playing_on_keeps_what_was_known_and_deals_the_rest_anew() -> None:
    random = Random(5)
    game = Game.new("bullet", 3, 5)
    for look in ("peek C1 C2", "peek A1 A2", "peek B3 B4"):  # at a table, in any order
        game.play(look, look[5])
    while not game.over:
        seat = game.to_move
        legal = game.legal(seat)
        game.play(int(next((move for move in legal if str(move) == "call"), random.choice(legal))), seat)
    scenes = game_positions(game)
    places = [nth for nth, there in enumerate(scenes) if there.to_move == "B"][::9]
    for at in places:
        new = fork_game(game, at, "B", seed=at)
        assert new.view("B") == scenes[at].view("B")
        assert new.events("B") == scenes[at].events("B")
        assert new.scores == scenes[at].scores
        assert new.copy_table().faces != scenes[at].copy_table().faces
    entries = [Entry(nth, kind, body, 0.0) for nth, (kind, body) in enumerate(entries_of_game(new, 7))]
    again = restore_game(entries)
    for entry in entries[1:]:
        apply_move(again, json.loads(json.dumps(entry.body)))
    assert again.open_view() == new.open_view()
