import asyncio
from math import inf
from random import Random
from typing import Any

from argentum.display.session import PlayedMove
from argentum.terminal.sources.local import LocalSource
from argentum.terminal.state import UpdateReader
from argentum.words import build_log
from tests.random_games import play_random_moves


def test_the_log_from_updates_equals_the_log_of_the_game() -> None:
    table = LocalSource("Ann", ["novice", "novice"], "random", seed=5)
    reader, random = UpdateReader(), Random(5)
    while not table.game.over:
        state, _ = reader.read(table.next_update())
        assert state.view is not None
        assert state.scene is not None
        play_random_moves(table.game, random, 3)
        table.session.commit(PlayedMove(table.game, "", []), table.session.revision + 1)
    state, _ = reader.read(table.next_update())
    assert state.scene is not None
    game = table.game
    log = build_log(game.events("A"), game.events(None), game.view("A"))
    assert list(reversed(state.scene.log)) == log[-len(state.scene.log) :]


def test_in_memory_mode_a_card_is_hidden_again_and_not_named_in_the_log() -> None:
    table = LocalSource("Ann", ["novice"], seed=1, memory=True)
    reader = UpdateReader()
    messages: list[dict[str, Any]] = []
    table.on_message = messages.append
    reader.read(table.next_update())
    asyncio.run(table.send({"type": "move", "choice": 0, "move": "peek A1 A2"}))
    state, _ = reader.read(messages[-1])
    assert state.view is not None
    assert state.scene is not None
    assert [card.number is None for card in state.view.villages["A"]] == [False, False, True, True, True]
    residents = state.view.residents
    assert "You looked at your spots 1 and 2." in [entry.text(residents) for entry in state.scene.log]
    looks = table.session.memory_of("A").seen_at
    looks.update(dict.fromkeys(looks, -inf))  # expired
    state, _ = reader.read(table.next_update())
    assert state.view is not None
    assert [card.number for card in state.view.villages["A"]] == [None] * 5
