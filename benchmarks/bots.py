"""Speed of the bots, compared with OpenSpiel's information-set search, in one run on one core.

A playout is a game, or for us a round, that is played from a position to its end: seer uses a heuristic policy,
OpenSpiel's ISMCTS (in C++, on card games of its own) random moves. Its games are a deal of gin rummy, which is long
with random moves, and a hand of euchre, which has 20 cards to play. Contestants run alternately (interleaved.py).
"""

import os
import time
from collections.abc import Callable, Iterator

from interleaved import Contestant, Lane, contest, measure, options

TURNS = 5
SECONDS = 1.0
OPENING_DECISIONS = 4  # of a peer's game before it is searched
SIMULATIONS = 50  # per search of the peer
PEERS = ("gin_rummy", "euchre")


def steady(boxes: str) -> Callable[[], int]:
    """Play complete games of steady against itself."""
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
    """Run seer's search at decisions on what to draw in mid-round; count playouts."""
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
    """Run OpenSpiel's search at an early decision of a game, with random playouts."""
    from random import Random

    import pyspiel

    random = Random(1)
    states = []
    for _ in range(10):
        state, decisions = pyspiel.load_game(name).new_initial_state(), 0
        while state.is_chance_node() or decisions < OPENING_DECISIONS:
            decisions += not state.is_chance_node()
            state.apply_action(random.choice(state.legal_actions()))
        states.append(state)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    turn = iter(range(10**9))

    def think() -> int:
        index = next(turn)
        bot = pyspiel.ISMCTSBot(index, evaluator, 2.0, SIMULATIONS, -1, most_visited, False, False)
        bot.step(states[index % len(states)])
        return SIMULATIONS

    return think


def timed(make: Callable[[str], Callable[[], int]]) -> Callable[[str], Contestant]:
    """Convert a function that returns its number of operations to a contestant."""

    def contestant(subject: str) -> Contestant:
        operate = make(subject)

        def run(seconds: float) -> tuple[int, float]:
            operations, started = 0, time.perf_counter()
            while time.perf_counter() - started < seconds:
                operations += operate()
            return operations, time.perf_counter() - started

        return run

    return contestant


KINDS = {"steady": timed(steady), "seer": timed(seer), "ismcts": timed(ismcts)}


def report(plain: str, compiled: str, boxes: str) -> Iterator[str]:
    """Measure, and format the rates as lines."""
    builds = {"plain": plain, "compiled": compiled}
    games = [Lane(f"steady v steady, {build}, {boxes}: games", path, "steady", boxes) for build, path in builds.items()]
    ours = [Lane(f"seer, {build}, {boxes}: playouts", path, "seer", boxes) for build, path in builds.items()]
    peers = [Lane(f"OpenSpiel's ISMCTS, {peer}: playouts", plain, "ismcts", peer) for peer in PEERS]
    game_rates = measure(games, TURNS)
    playout_rates = measure([*ours, *peers], TURNS)
    yield f"{'':48}{'per second':>12}" + "".join([f"{'x ' + peer:>14}" for peer in PEERS])
    for title, [rate] in game_rates.items():
        yield f"{title:48}{rate:12,.1f}"
    for title, [rate] in playout_rates.items():
        yield f"{title:48}{rate:12,.1f}" + "".join([f"{rate / playout_rates[peer.title][0]:14.2f}" for peer in peers])


def main() -> None:
    if contest(KINDS, SECONDS):
        return
    parser = options(__doc__)
    parser.add_argument("--boxes", default="dagger", help="a box or a deck code")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core for all contestants
    for line in report(arguments.plain, arguments.compiled, arguments.boxes):
        print(line, flush=True)


if __name__ == "__main__":
    main()
