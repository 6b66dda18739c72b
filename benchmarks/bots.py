"""Speed of the bots, compared with OpenSpiel's information-set search, in one run on one core.

Both searches play positions out to the end: seer to the end of the round with a heuristic policy, OpenSpiel's ISMCTS
(C++) to the end of the game with random moves. ISMCTS plays gin rummy, whose games are long with random moves, and
euchre, a hand of which has 20 cards. Contestants run alternately (interleaved.py).
"""

import os
import time
from collections.abc import Callable, Iterator

from interleaved import Contestant, ContestantProcesses, make_parser, measure, run_contestant

TURNS = 5  # runs of each contestant
SECONDS = 1.0  # per run
OPENING_DECISIONS = 4  # decisions before the searched position of a peer's game
SIMULATIONS = 50  # per search of the peer
PEERS = ("gin_rummy", "euchre")


def steady_games(boxes: str) -> Callable[[], int]:
    """Return a function that plays a game of steady against itself and returns 1."""
    from argentum import Game
    from argentum.bots import ask, make

    seeds = iter(range(10**9))

    def play() -> int:
        game, bot = Game.new(boxes, 2, next(seeds)), make("steady", 1)
        while not game.over:
            game.play(ask(bot, game, game.to_move))
        return 1

    return play


def seer_playouts(boxes: str) -> Callable[[], int]:
    """Return a function that runs seer's search at the start of a turn and returns its number of playouts."""
    from random import Random

    from argentum import Game
    from argentum.bots import ask, make
    from argentum.bots.search.racing import search

    random = Random(1)
    games: list[Game] = []
    while len(games) < 20:
        game, bot = Game.new(boxes, 2, len(games)), make("steady", 1)
        turns = random.randrange(2, 12)
        while not game.over and (game.turns < turns or len([*game.legal()]) < 2 or not game.position().is_at_rest):
            game.play(ask(bot, game, game.to_move))
        if not game.over:
            games.append(game)
    indexes = iter(range(10**9))

    def search_next() -> int:
        game = games[next(indexes) % len(games)]
        return search(game.position(), game.to_move, [*game.legal()], random, 10, lambda: False)[1]

    return search_next


def ismcts_playouts(name: str) -> Callable[[], int]:
    """Return a function that runs OpenSpiel's ISMCTS at an early decision and returns its number of simulations."""
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
    indexes = iter(range(10**9))

    def search_next() -> int:
        index = next(indexes)
        bot = pyspiel.ISMCTSBot(index, evaluator, 2.0, SIMULATIONS, -1, most_visited, False, False)
        bot.step(states[index % len(states)])
        return SIMULATIONS

    return search_next


def contestant_factory(make_operation: Callable[[str], Callable[[], int]]) -> Callable[[str], Contestant]:
    """Return a function that makes a contestant for a subject (a deck or a game).

    `make_operation(subject)` returns a function that runs one operation and returns its number of games or playouts.
    """

    def make_contestant(subject: str) -> Contestant:
        operate = make_operation(subject)

        def run(seconds: float) -> tuple[int, float]:
            operations, started = 0, time.perf_counter()
            while time.perf_counter() - started < seconds:
                operations += operate()
            return operations, time.perf_counter() - started

        return run

    return make_contestant


KINDS = {
    "steady": contestant_factory(steady_games),
    "seer": contestant_factory(seer_playouts),
    "ismcts": contestant_factory(ismcts_playouts),
}


def report(plain: str, compiled: str, boxes: str) -> Iterator[str]:
    """Measure all contestants and yield the lines of the report."""
    builds = {"plain": plain, "compiled": compiled}
    games = [
        ContestantProcesses(f"steady v steady, {build}, {boxes}: games", path, "steady", boxes)
        for build, path in builds.items()
    ]
    ours = [
        ContestantProcesses(f"seer, {build}, {boxes}: playouts", path, "seer", boxes) for build, path in builds.items()
    ]
    peers = [ContestantProcesses(f"OpenSpiel's ISMCTS, {peer}: playouts", plain, "ismcts", peer) for peer in PEERS]
    game_rates = measure(games, TURNS)
    playout_rates = measure([*ours, *peers], TURNS)
    yield f"{'':48}{'per second':>12}" + "".join([f"{'x ' + peer:>14}" for peer in PEERS])
    for title, [rate] in game_rates.items():
        yield f"{title:48}{rate:12,.1f}"
    for title, [rate] in playout_rates.items():
        yield f"{title:48}{rate:12,.1f}" + "".join([f"{rate / playout_rates[peer.title][0]:14.2f}" for peer in peers])


def main() -> None:
    if run_contestant(KINDS, SECONDS):
        return
    parser = make_parser(__doc__)
    parser.add_argument("--boxes", default="dagger", help="a box or a deck code")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core for all contestants
    for line in report(arguments.plain, arguments.compiled, arguments.boxes):
        print(line, flush=True)


if __name__ == "__main__":
    main()
