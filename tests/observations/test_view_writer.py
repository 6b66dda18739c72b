"""Observations written from a view equal those written from the table."""

from random import Random

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.bots import observation_of
from argentum.envs import spaces
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.engine import random_move
from tests.random_games import games


def assert_equal_observations(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        assert observation_of(game.view(letter)) == spaces.game_observation_row(game, seat).tobytes()


@settings(max_examples=150)
@given(games())
def test_observations_are_equal_in_random_positions(game: Game) -> None:
    assert_equal_observations(game)


@pytest.mark.parametrize("boxes", [*BOX_NAMES, "random"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_observations_are_equal_throughout_games(boxes: str, players: int) -> None:
    random = Random(players)
    game = (
        Game.new(boxes, players, seed=players, token="")
        if boxes != "random"
        else Game.new("abcdabcdabcdab", players, 5)
    )
    while not game.over:
        assert_equal_observations(game)
        game.play(random_move([*game.legal()], random))
    assert_equal_observations(game)
