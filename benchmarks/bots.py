"""How fast the bots think, side by side with OpenSpiel's information-set search, in one run on one core.

A playout is a game, or for us a round, that is played from the position to its end: by seer with a player that knows
what to do, by OpenSpiel's ISMCTS (in C++, on card games of its own) with random moves: a deal of gin rummy, which goes
on for long that way, or a hand of euchre, which has 20 cards to play. Contestants run alternately (interleaved.py).
"""

import os
import time
from collections.abc import Callable, Iterator

from interleaved import Contestant, Lane, contest, measure, options

TURNS = 5
SECONDS = 1.0
EARLY = 4  # choices of a peer's game before it is searched
SIMULATIONS = 50  # in each of the peer's searches
PEERS = ("gin_rummy", "euchre")


def steady(boxes: str) -> Callable[[], int]:
    """Whole games of steady against itself."""
    from argentum import Game
    from argentum.bots import ask, make

    seeds = iter(range(10**9))

    def play() -> int:
        game, bot = Game.new(boxes, 2, next(seeds)), make("steady", 1)
        while not game.over:
            game.play(ask(bot, game, game.to_move))
        return 1

    return play


def seer(boxes: str) -> Callable[[], int]:
    """Playouts of seer's search, at choices between what to draw in the middle of rounds."""
    from random import Random

    from argentum import Game
    from argentum.bots import ask, make
    from argentum.bots.search.racing import search

    random = Random(1)
    games: list[Game] = []
    while len(games) < 20:
        game, bot = Game.new(boxes, 2, len(games)), make("steady", 1)
        turns = random.randrange(2, 12)
        while not game.over and (game.turns < turns or len(game.legal_moves()) < 2 or game.checkpoint()[1]):
            game.play(ask(bot, game, game.to_move))
        if not game.over:
            games.append(game)
    turn = iter(range(10**9))

    def think() -> int:
        game = games[next(turn) % len(games)]
        return search(game, game.to_move, game.legal_moves(), random, 10, lambda: False)[1]

    return think


def ismcts(name: str) -> Callable[[], int]:
    """OpenSpiel's search at an early choice of a game, with playouts at random."""
    from random import Random

    import pyspiel

    random = Random(1)
    states = []
    for _ in range(10):
        state, choices = pyspiel.load_game(name).new_initial_state(), 0
        while state.is_chance_node() or choices < EARLY:
            choices += not state.is_chance_node()
            state.apply_action(random.choice(state.legal_actions()))
        states.append(state)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    turn = iter(range(10**9))

    def think() -> int:
        nth = next(turn)
        bot = pyspiel.ISMCTSBot(nth, evaluator, 2.0, SIMULATIONS, -1, most_visited, False, False)
        bot.step(states[nth % len(states)])
        return SIMULATIONS

    return think


def timed(make: Callable[[str], Callable[[], int]]) -> Callable[[str], Contestant]:
    """A contestant that counts what it does for a while."""

    def contestant(about: str) -> Contestant:
        act = make(about)

        def run(seconds: float) -> tuple[int, float]:
            done, began = 0, time.perf_counter()
            while time.perf_counter() - began < seconds:
                done += act()
            return done, time.perf_counter() - began

        return run

    return contestant


KINDS = {"steady": timed(steady), "seer": timed(seer), "ismcts": timed(ismcts)}


def report(plain: str, compiled: str, boxes: str) -> Iterator[str]:
    """Measure, and say it in lines."""
    builds = {"plain": plain, "compiled": compiled}
    games = [Lane(f"steady v steady, {build}, {boxes}: games", path, "steady", boxes) for build, path in builds.items()]
    ours = [Lane(f"seer, {build}, {boxes}: playouts", path, "seer", boxes) for build, path in builds.items()]
    theirs = [Lane(f"OpenSpiel's ISMCTS, {peer}: playouts", plain, "ismcts", peer) for peer in PEERS]
    played = measure(games, TURNS)
    thought = measure([*ours, *theirs], TURNS)
    yield f"{'':48}{'a second':>12}" + "".join([f"{'x ' + peer:>14}" for peer in PEERS])
    for title, [rate] in played.items():
        yield f"{title:48}{rate:12,.1f}"
    for title, [rate] in thought.items():
        yield f"{title:48}{rate:12,.1f}" + "".join([f"{rate / thought[peer.title][0]:14.2f}" for peer in theirs])


def main() -> None:
    """Run the benchmark, or be one of its contestants."""
    if contest(KINDS, SECONDS):
        return
    parser = options(__doc__)
    parser.add_argument("--boxes", default="dagger", help="a box or a deck code")
    given = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core, for all of them
    for line in report(given.plain, given.compiled, given.boxes):
        print(line, flush=True)


if __name__ == "__main__":
    main()
