"""Speed of the rules, compared with other libraries, in one run on one core.

Contestants run alternately (interleaved.py), each in one thread, and are measured in CPU time. Other libraries
are called from Python, as their users do.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from interleaved import Contestant, ContestantProcesses, make_parser, measure, run_contestant

TURNS = 9  # runs of each contestant
SECONDS = 0.4  # per run
MIX = "abcdabcdabcdab"


def run_for(seconds: float, play: Callable[[], int], chance_events: list[int] | None = None) -> tuple[int, int, float]:
    """Call `play`, which plays a game and returns its number of decisions, repeatedly for about `seconds`.

    Return the decisions, the decisions plus chance events, and the CPU time in seconds. `play` adds its chance events
    to `chance_events[0]`.
    """
    decisions, started = 0, time.process_time()
    chance_events = [0] if chance_events is None else chance_events
    chance_events[0] = 0
    while time.process_time() - started < seconds:
        decisions += play()
    return decisions, decisions + chance_events[0], time.process_time() - started


def argentum_random(boxes: str, players: int, uniform: int) -> Contestant:
    """Play random games inside the library, with `Engine.rollout`."""
    from random import Random

    from argentum import Game

    random, seeds = Random(1), iter(range(10**9))

    def play() -> int:
        position = Game.new(boxes, players, next(seeds)).position()
        return position.engine(position.last_round).rollout(random, uniform == 1)

    return lambda seconds: run_for(seconds, play)


def argentum_driven(boxes: str, players: int) -> Contestant:
    """Play random games from outside, with `Game.legal` and `Game.play`, which store every position and event."""
    from random import Random

    from argentum import Game

    random, seeds = Random(1), iter(range(10**9))

    def play() -> int:
        game, moves = Game.new(boxes, players, next(seeds)), 0
        while not game.over:
            game.play(random.choice(game.legal()))
            moves += 1
        return moves

    return lambda seconds: run_for(seconds, play)


def argentum_copy(boxes: str, players: int) -> Contestant:
    """Copy games in the middle of a turn, with a card in hand."""
    from random import Random

    from argentum import Game
    from argentum.rules.engine import random_move

    def holds_card(game: Game) -> bool:
        return game.view().hand is not None

    random = Random(1)
    games: list[Game] = []
    while len(games) < 200:
        game = Game.new(boxes, players, len(games))
        moves_left = random.randrange(10, 200)
        while not game.over and (moves_left > 0 or not holds_card(game)):
            game.play(random_move([*game.legal()], game.is_choosing_cards, random))
            moves_left -= 1
        if not game.over:
            games.append(game)

    def play() -> int:
        for game in games:
            game.copy()
        return len(games)

    return lambda seconds: run_for(seconds, play)


def rlcard_game(name: str) -> Contestant:
    """Play random games of RLCard's game object, without the feature vectors of its environment."""
    import random

    import rlcard

    game = rlcard.make(name).game

    def play() -> int:
        game.init_game()
        moves = 0
        while not game.is_over():
            actions = game.get_legal_actions() if name == "uno" else game.judge.get_legal_actions()
            game.play(random.choice(actions))
            moves += 1
        return moves

    return lambda seconds: run_for(seconds, play)


def open_spiel_game(name: str) -> Contestant:
    """Play random games of OpenSpiel's C++ implementation. Its deals are chance nodes, which are counted separately."""
    import random

    import pyspiel

    game = pyspiel.load_game(name)
    chance_events = [0]

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                chance_events[0] += 1
            else:
                decisions += 1
            state.apply_action(random.choice(state.legal_actions()))
        return decisions

    return lambda seconds: run_for(seconds, play, chance_events)


KINDS: dict[str, Callable[..., Contestant]] = {
    "random": argentum_random,
    "driven": argentum_driven,
    "copy": argentum_copy,
    "rlcard": rlcard_game,
    "open_spiel": open_spiel_game,
}


def import_times(paths: dict[str, str]) -> Iterator[str]:
    """Yield a line for each build: the time of the fastest `import argentum` of several runs."""
    code = "import time; started = time.process_time(); import argentum; print(time.process_time() - started)"
    for build, path in paths.items():
        environment = {**os.environ, "PYTHONPATH": str(Path(path).resolve())}
        runs = [
            subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
            for _ in range(7)
        ]
        yield f"import argentum, {build}: {min(float(run.stdout) for run in runs) * 1000:.0f} ms"


def report(plain: str, compiled: str) -> Iterator[str]:
    """Measure all contestants and yield the lines of the report."""
    builds = {"plain": plain, "compiled": compiled}
    decks = [("dagger", 2), ("amulet", 2), ("bullet", 3), ("coin", 4), (MIX, 3)]
    ours = [
        ContestantProcesses(f"argentum {build} {boxes} {players}p, {policy}", path, "random", boxes, players, uniform)
        for build, path in builds.items()
        for boxes, players in decks
        for uniform, policy in ((1, "uniform"), (0, "thrifty"))
    ]
    driven = [
        ContestantProcesses(f"argentum {build} dagger 2p, legal() and play()", path, "driven", "dagger", 2)
        for build, path in builds.items()
    ]
    rlcard = [ContestantProcesses(f"rlcard {name}", "", "rlcard", name) for name in ("uno", "gin-rummy")]
    openspiel = [
        ContestantProcesses(f"open_spiel {name}", "", "open_spiel", name)
        for name in ("crazy_eights", "gin_rummy", "hanabi")
    ]
    rates = measure([*ours, *driven, *rlcard, *openspiel], TURNS)
    uno = rates["rlcard uno"][0]
    fastest, fastest_with_chance = (
        max(rates[contestant.title][column] for contestant in openspiel) for column in (0, 1)
    )
    yield f"{'':48}{'decisions/s':>12}{'x uno':>8}{'x fastest OpenSpiel':>21}{'its chance counted':>20}"
    for title, (rate, _) in rates.items():
        yield f"{title:48}{rate:12,.0f}{rate / uno:8.2f}{rate / fastest:21.2f}{rate / fastest_with_chance:20.2f}"
    copies = [
        ContestantProcesses(f"{build} {boxes} {players}p", path, "copy", boxes, players)
        for build, path in builds.items()
        for boxes, players in decks
    ]
    yield ""
    for title, (rate, _) in measure(copies, TURNS).items():
        yield f"copy in mid-turn, {title:30}{1e6 / rate:6.1f} µs"
    yield from import_times(builds)


def main() -> None:
    if run_contestant(KINDS, SECONDS):
        return
    arguments = make_parser(__doc__).parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core for all contestants
    for line in report(arguments.plain, arguments.compiled):
        print(line, flush=True)


if __name__ == "__main__":
    main()
