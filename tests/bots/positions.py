"""Positions for tests of bots: written ones, and samples from games of bots."""

from collections.abc import Mapping
from random import Random

from argentum import Game
from argentum.bots import ask, make
from argentum.rules.boxes import BOX_NAMES, random_deck_code


def game_at(position: Mapping[str, object]) -> Game:
    """Return a game of Dagger at a position; keys that are not given have a usual value."""
    return Game.at({"boxes": "dagger", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11", **position})


def is_in_ability(game: Game) -> bool:
    """Return whether a game is within an ability, where the table alone is not the whole position."""
    return bool(game.checkpoint()[1])


def sample_positions(seed: int, games: int, probability: float) -> list[tuple[Game, str]]:
    """Sample positions, with the seat to move, from games of bots: between actions and within abilities."""
    random = Random(seed)
    samples = []
    for index in range(games):
        game = Game.new(random_deck_code(random), random.randint(2, 4), index, random.choice(["", *BOX_NAMES]))
        bots = {seat: make(random.choice(["novice", "steady"]), index) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            if random.random() < (3 * probability if is_in_ability(game) else probability):
                samples.append((game.copy(), seat))
            game.play(ask(bots[seat], game, seat), seat)
    return samples
