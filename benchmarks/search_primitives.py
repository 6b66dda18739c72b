"""What searches need of the build on PYTHONPATH, by processor time: copies, re-deals, moves from Python, playouts.

Run it for two builds in turn: `PYTHONPATH=build/compiled python benchmarks/search_primitives.py`.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

from argentum import Game
from argentum.bots.search.racing import search
from argentum.rules.engine import random_move

TURNS = 15  # of which the quickest counts
GAMES = 200
DEALS = 10  # in each search


def positions(at_rest: bool) -> list[Game]:
    """Games of Dagger for two in mid-round: where the table is at rest, or inside an ability."""
    random = Random(1)
    found: list[Game] = []
    while len(found) < GAMES:
        game, after = Game.new("dagger", 2, len(found)), random.randrange(10, 200)
        while not game.over and (after > 0 or game.in_first_look or (not game.checkpoint()[1]) != at_rest):
            game.play(random_move(game.legal_moves(), random))
            after -= 1
        if not game.over:
            found.append(game)
    return found


def seconds(act: Callable[[], int]) -> float:
    """How long one of the things takes that `act` does and counts."""
    taken: list[float] = []
    for _ in range(TURNS):
        began = process_time()
        done = act()
        taken.append((process_time() - began) / done)
    return min(taken)


def copied(games: list[Game]) -> int:
    """Copy all games."""
    for game in games:
        game.copy()
    return len(games)


def dealt_again(games: list[Game]) -> int:
    """Deal what the seat to move cannot know again, in all games."""
    random = Random(1)
    for game in games:
        game.redeal(game.to_move, random)
    return len(games)


def driven() -> int:
    """Games by legal() and play()."""
    random, moves = Random(1), 0
    for seed in range(20):
        game = Game.new("dagger", 2, seed)
        while not game.over:
            game.play(random.choice(game.legal()))
            moves += 1
    return moves


def played_out(games: list[Game]) -> int:
    """Playouts of seer's search."""
    return sum(search(game, game.to_move, game.legal_moves(), Random(1), DEALS, lambda: False)[1] for game in games)


def main() -> None:
    """Measure, and say it in lines."""
    resting, inside = positions(True), positions(False)
    for name, games in (("at rest", resting), ("inside an ability", inside)):
        print(f"a copy {name}: {seconds(partial(copied, games)) * 1e6:.2f} µs")
        print(f"a re-deal {name}: {seconds(partial(dealt_again, games)) * 1e6:.1f} µs")
    print(f"legal() and play(): {1 / seconds(driven):,.0f} a second")
    some = [game for game in resting if len(game.legal_moves()) > 1][:20]
    print(f"playouts of seer: {1 / seconds(partial(played_out, some)):,.0f} a second")


if __name__ == "__main__":
    main()
