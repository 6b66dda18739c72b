"""Positions from games of bots, for tests of bots that search."""

from random import Random

from argentum import Game
from argentum.bots import ask, make
from argentum.rules.boxes import BOX_NAMES, random_deck_code


def inside(game: Game) -> bool:
    """Whether a game is inside an ability, so that the table alone is not the position."""
    return bool(game.checkpoint()[1])


def positions(seed: int, games: int, probability: float) -> list[tuple[Game, str]]:
    """Return positions from the middle of games: at rest, in first looks and inside abilities."""
    random = Random(seed)
    cases = []
    for index in range(games):
        game = Game.new(random_deck_code(random), random.randint(2, 4), index, random.choice(["", *BOX_NAMES]))
        bots = {seat: make(random.choice(["novice", "steady"]), index) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            if random.random() < (3 * probability if inside(game) else probability):
                cases.append((game.copy(), seat))
            game.play(ask(bots[seat], game, seat), seat)
    return cases
