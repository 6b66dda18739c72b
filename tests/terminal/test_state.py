"""TODO."""

import asyncio
from math import inf
from random import Random
from typing import Any

from argentum.display.session import PlayedMove
from argentum.terminal.sources.local import LocalSource
from argentum.terminal.state import UpdateReader
from argentum.words import build_log
from tests.random_games import play_some


def test_a_reader_tells_the_same_story_as_the_game() -> None:
    table = LocalSource("Ann", ["novice", "novice"], "random", seed=5)
    reader, random = UpdateReader(), Random(5)
    while not table.game.over:
        moment, _ = reader.read(table.update())
        assert moment.view is not None
        assert moment.scene is not None
        play_some(table.game, random, 3)
        table.sitting.commit(PlayedMove(table.game, "", []), table.sitting.revision + 1)
    moment, _ = reader.read(table.update())
    assert moment.scene is not None
    game = table.game
    whole = build_log(game.events("A"), game.events(None), game.view("A"))
    assert list(reversed(moment.scene.log)) == whole[-len(moment.scene.log) :]


def test_with_memory_what_was_seen_fades_and_is_not_in_the_log() -> None:
    table = LocalSource("Ann", ["novice"], seed=1, memory=True)
    reader = UpdateReader()
    heard: list[dict[str, Any]] = []
    table.on_message = heard.append
    reader.read(table.update())
    asyncio.run(table.send({"type": "move", "choice": 0, "move": "peek A1 A2"}))
    moment, _ = reader.read(heard[-1])
    assert moment.view is not None
    assert moment.scene is not None
    assert [card.number is None for card in moment.view.villages["A"]] == [False, False, True, True, True]
    residents = moment.view.residents
    assert "You looked at your spots 1 and 2." in [entry.text(residents) for entry in moment.scene.log]
    looks = table.sitting.memory_of("A").seen_at
    looks.update(dict.fromkeys(looks, -inf))  # long ago
    moment, _ = reader.read(table.update())
    assert moment.view is not None
    assert [card.number for card in moment.view.villages["A"]] == [None] * 5
