"""Decisions per second of the self-play games of `argentum train`, without training on them.

    PYTHONPATH=build/compiled python benchmarks/self_play.py --config gpu

The output has a row for each number of players, and one for the configured mix of them. Games against the league or
bots are left out. While the network evaluates one half of the games, worker processes play the other half. The last two
columns are the fractions of the time spent in the network and spent waiting for the processes.
"""

import argparse
from dataclasses import replace
from time import perf_counter

from argentum.learn import config as cf
from argentum.learn.cuda import autocast_context, set_up_device
from argentum.learn.models import Actor
from argentum.learn.rollout import RolloutCollector, Stopwatch
from argentum.learn.self_play import HALF_COUNT, SelfPlayGames

WARM_UP_ROUNDS = 6  # for compiling, recording CUDA graphs, and bringing the games to different positions
SECONDS = 10.0


def measure_row(config: cf.TrainingConfig, players: dict[str, float]) -> str:
    """Measure games whose numbers of players have these weights; return a row of the table."""
    config = replace(config, games=replace(config.games, players=players, bots={}))
    device, size = set_up_device(config), config.network
    actor = Actor(size.width, size.layers, size.heads).to(device)
    with (
        SelfPlayGames(config, 0.0) as games,
        RolloutCollector(config, games, actor, (), lambda: autocast_context(device)) as collector,
    ):
        games.start()
        stopwatch, rounds, started = Stopwatch(), -WARM_UP_ROUNDS, 0.0
        while rounds <= 0 or perf_counter() - started < SECONDS:
            if not rounds:
                stopwatch, started = Stopwatch(), perf_counter()
            collector.collect(stopwatch)
            rounds += 1
        duration = perf_counter() - started
    seconds = stopwatch.reset()
    decisions = rounds * config.games.steps * HALF_COUNT * config.games.per_half
    label = ", ".join(f"{count} ({weight:g})" for count, weight in players.items())
    fractions = (f"{seconds[activity] / duration:.0%}" for activity in ("acting", "waiting_for_games"))
    return f"| {label} | {decisions / duration:,.0f} | {' | '.join(fractions)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="gpu", help="a preset or a TOML file, as for `argentum train`")
    parser.add_argument(
        "--set", action="append", default=[], dest="changes", metavar="NAME=VALUE", help="change a setting"
    )
    arguments = parser.parse_args()
    try:
        config = cf.load_config(arguments.config, arguments.changes)
        set_up_device(config)  # Fail now if there is no such device.
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print("| players | decisions per second | acting | waiting for games |\n| --- | ---: | ---: | ---: |")
    for players in ({"2": 1.0}, {"3": 1.0}, {"4": 1.0}, config.games.players):
        print(measure_row(config, players), flush=True)


if __name__ == "__main__":
    main()
