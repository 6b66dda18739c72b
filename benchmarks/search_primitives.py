"""CPU time of copies, re-deals, moves from Python and playouts, for the build on PYTHONPATH.

To compare two builds, run it alternately for both: `PYTHONPATH=build/compiled python benchmarks/search_primitives.py`.
"""

from functools import partial
from random import Random

from argentum import Game
from argentum.bots.search.racing import search
from argentum.rules.engine import random_move
from interleaved import fastest_time

RUNS = 15
GAMES = 200
DEALS = 10  # per search


def midround_positions(between_actions: bool) -> list[Game]:
    """Return games of Silver Dagger in mid-round, either between two actions or within an ability."""
    random = Random(1)
    games: list[Game] = []
    while len(games) < GAMES:
        game, moves_left = Game.new("dagger", 2, len(games)), random.randrange(10, 200)
        while not game.over and (moves_left > 0 or game.in_first_look or game.position().is_at_rest != between_actions):
            game.play(random_move([*game.legal()], game.is_choosing_cards, random))
            moves_left -= 1
        if not game.over:
            games.append(game)
    return games


def copy_all(games: list[Game]) -> int:
    for game in games:
        game.copy()
    return len(games)


def redeal_all(games: list[Game]) -> int:
    random = Random(1)
    for game in games:
        game.redeal(game.to_move, random)
    return len(games)


def play_games() -> int:
    """Play random games with `Game.legal` and `Game.play`; return the number of moves."""
    random, moves = Random(1), 0
    for seed in range(20):
        game = Game.new("dagger", 2, seed)
        while not game.over:
            game.play(random.choice(game.legal()))
            moves += 1
    return moves


def search_all(games: list[Game]) -> int:
    """Run seer's search in each game; return the number of playouts."""
    playouts = 0
    for game in games:
        seat, moves = game.to_move, [int(move) for move in game.legal()]
        playouts += search(game.position().known_to(seat), seat, moves, Random(1), DEALS, lambda: False)[1]
    return playouts


def main() -> None:
    between_actions, in_ability = midround_positions(True), midround_positions(False)
    for name, games in (("between two actions", between_actions), ("within an ability", in_ability)):
        print(f"copy {name}: {fastest_time(partial(copy_all, games), RUNS) * 1e6:.2f} µs")
        print(f"re-deal {name}: {fastest_time(partial(redeal_all, games), RUNS) * 1e6:.1f} µs")
    print(f"legal() and play(): {1 / fastest_time(play_games, RUNS):,.0f} moves per second")
    searched = [game for game in between_actions if len([*game.legal()]) > 1][:20]
    print(f"playouts of seer: {1 / fastest_time(partial(search_all, searched), RUNS):,.0f} per second")


if __name__ == "__main__":
    main()
