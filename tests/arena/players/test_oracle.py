"""The oracle: it sees all cards and plays in the arena only."""

import pytest

from argentum import Game, bots
from argentum.arena.players import make_player
from argentum.arena.players.oracle import ORACLE_NAME, Oracle
from argentum.arena.report import player_label
from argentum.display.errors import Refused
from argentum.rooms.arrangement import new_arrangement


def game_in_last_turn(deck: str) -> Game:
    """Return a game in which B has called, A has one turn left, and A does not know its own cards."""
    return Game.at(
        {
            "boxes": "bullet",
            "deck": deck,
            "discard": "8",
            "caller": "B",
            "previous": "B",
            "villages": {"A": "3 12 2", "B": "5 5"},
        }
    )


def test_the_oracles_view_shows_every_card() -> None:
    game = Game.new("dagger", 2, 5)
    view = game.view("A", all_faces=True)
    faces = [card.number for cards in (*view.villages.values(), view.deck, view.discard) for card in cards]
    assert None not in faces
    assert sorted(view.legal) == sorted(game.legal("A"))
    assert None in [card.number for card in game.view("A").deck]  # the game itself is unchanged


def test_the_oracle_uses_cards_that_no_bot_knows() -> None:
    game = game_in_last_turn("1 13")  # the next card is a 1, and the second card of A a 12
    moves = []
    while not game.over:
        moves.append(Oracle(1).decide(game, "A"))
        game.play(moves[-1], "A")
    assert [str(move) for move in moves[:2]] == ["draw", "exchange A2"]
    assert game.totals == {"A": 6, "B": 20}


def test_the_oracle_is_not_a_bot_and_cannot_be_seated() -> None:
    assert ORACLE_NAME not in bots.names()
    assert not issubclass(Oracle, bots.Bot)
    assert not hasattr(Oracle, "choose")
    with pytest.raises(ValueError, match="there is no bot 'oracle'"):
        bots.make(ORACLE_NAME)
    with pytest.raises(Refused, match="'oracle' is not a bot"):
        new_arrangement().with_changes({"seat": "B", "bot": ORACLE_NAME})
    assert isinstance(make_player(ORACLE_NAME, 1), Oracle)
    assert player_label(ORACLE_NAME) == "oracle (sees all cards)"
