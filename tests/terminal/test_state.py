from math import inf
from random import Random

from argentum import Game
from argentum.display.session import PlayedMove, play_text
from argentum.rules.boxes import resolve_deck_code
from argentum.terminal.state import UpdateReader
from argentum.words import build_log
from tests.random_games import play_random_moves
from tests.support.terminal_tables import TableUpdates


def test_the_log_from_updates_equals_the_log_of_the_game() -> None:
    random = Random(5)
    game = Game.new(resolve_deck_code("random", random), 3, 5, names=["Ann", "Bramble", "Cinder"])
    table, reader = TableUpdates(game), UpdateReader()
    while not table.game.over:
        state, _ = reader.read(table.next())
        assert state.view is not None
        assert state.scene is not None
        play_random_moves(table.game, random, 3)
        table.commit(PlayedMove(table.game, "", []))
    state, _ = reader.read(table.next())
    assert state.scene is not None
    game = table.game
    log = build_log(game.events("A"), game.events(None), game.view("A"))
    assert list(reversed(state.scene.log)) == log[-len(state.scene.log) :]


def test_in_memory_mode_a_card_is_hidden_again_and_not_named_in_the_log() -> None:
    table, reader = TableUpdates(Game.new("dagger", 2, 1, names=["Ann", "Bramble"]), memory=True), UpdateReader()
    reader.read(table.next())
    table.commit(play_text(table.game, "A", "peek A1 A2"))
    state, _ = reader.read(table.next())
    assert state.view is not None
    assert state.scene is not None
    assert [card.number is None for card in state.view.villages["A"]] == [False, False, True, True, True]
    residents = state.view.residents
    assert "You looked at your spots 1 and 2." in [entry.text(residents) for entry in state.scene.log]
    looks = table.session.memory_of("A").seen_at
    looks.update(dict.fromkeys(looks, -inf))  # expired
    state, _ = reader.read(table.next())
    assert state.view is not None
    assert [card.number for card in state.view.villages["A"]] == [None] * 5
