"""Positions for tests of bots: constructed ones, and samples from games of bots."""

from collections.abc import Mapping
from random import Random

from argentum import Game
from argentum.bots import ask, make
from argentum.rules.boxes import BOX_NAMES, random_deck_code

ALL_OF_A = "A1 A2 A3 A4"  # the spots of a village of four, for the key `seen`


def game_at(position: Mapping[str, object]) -> Game:
    """Return a game at a position, with Silver Dagger, a deck and a discard pile unless the position has others."""
    return Game.at({"boxes": "dagger", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11", **position})


def amulet_position(**position: object) -> dict[str, object]:
    """Return a position with Silver Amulet in which seat A knows its first four cards, for `game_at`."""
    return {"boxes": "amulet", "seen": {"A": ALL_OF_A}, **position}


def is_in_ability(game: Game) -> bool:
    """Return whether a game is within an ability, where the table alone is not the whole position."""
    return not game.position().is_at_rest


def sample_positions(seed: int, games: int, probability: float) -> list[tuple[Game, str]]:
    """Play games of bots; return random positions, between actions and within abilities, with the seat to move."""
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
