from pathlib import Path
from random import Random
from time import time

import pytest

from argentum import records
from argentum.display.errors import Refused
from argentum.display.replay import fork_game, game_positions
from argentum.display.session import SPECTATOR
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.entries import GameStarted, MovePlayed, entries_of_game, restore_game
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.post_game import compute_rows, create_branch
from argentum.rooms.ticker import tick
from argentum.rules.game import Game
from tests.support.browser import run_in_thread
from tests.support.room import open_registry


def test_a_branch_has_the_settings_of_its_game_and_not_of_the_rematch(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_registry(tmp_path, Timing(bot_delay=0.0, disconnect_grace=0.0)) as (_, registry):
            room, host = await registry.create(new_arrangement(opponents=1, bot="random"))
            await lobby.start(room)
            while room.playing:
                await tick(room)
            await lobby.open_rematch(room, "A")
            await lobby.arrange(room, "A", {"seats": 3, "memory": True}, host)
            name, _ = await create_branch(registry, room, "A", 5)
            table = registry.rooms[name]
            assert table.playing
            assert table.game is not None
            assert len(table.arrangement.seats) == table.game.players == 2
            assert not table.arrangement.memory

    run_in_thread(main())


def test_a_kept_game_does_not_expire(tmp_path: Path) -> None:
    async def sweep() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        for name in ("amber-oak", "amber-ash"):
            await log.append(name, 0, "table", {})
        await log.append("amber-oak", 1, "keep", {})
        assert log.expired_tables(time() + 1) == ["amber-ash"]
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


def test_review_rows_refer_to_replay_positions_and_stop_at_the_time_limit() -> None:
    game, random = Game.new("dagger", 2, 5), Random(2)
    while not game.over:
        seat = game.to_move
        game.play(int(random.choice(game.legal(seat))), seat)
    [row] = compute_rows(records.write(game), "A", time_limit=0.0)
    position = game_positions(game)[row["at"]]
    assert position.to_move == "A"
    assert position.round == row["round"]
    assert row["played"]


def test_a_branch_keeps_known_cards_and_redeals_the_others() -> None:
    random = Random(5)
    game = Game.new("bullet", 3, 5)
    for look in ("peek C1 C2", "peek A1 A2", "peek B3 B4"):  # Players may look in any order.
        game.play(look, look[5])
    while not game.over:
        seat = game.to_move
        legal = game.legal(seat)
        game.play(int(next((move for move in legal if str(move) == "call"), random.choice(legal))), seat)
    positions = game_positions(game)
    indexes = [index for index, position in enumerate(positions) if position.to_move == "B"][::9]
    for position_index in indexes:
        branch = fork_game(game, position_index, "B", seed=position_index)
        assert branch.view("B") == positions[position_index].view("B")
        assert branch.events("B") == positions[position_index].events("B")
        assert branch.scores == positions[position_index].scores
        assert branch.position().table.faces != positions[position_index].position().table.faces
    start, *moves = entries_of_game(branch, 7)
    assert isinstance(start, GameStarted)
    restored = restore_game(start, moves)
    for move in moves:
        assert isinstance(move, MovePlayed)
        move.apply(restored)
    assert restored.view("A", all_faces=True) == branch.view("A", all_faces=True)
