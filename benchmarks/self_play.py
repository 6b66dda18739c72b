"""Choices per second of a network's games with itself, as `argentum train` plays them, but without learning.

    PYTHONPATH=build/compiled python benchmarks/self_play.py --config gpu

By the number of seats, and for the mix that the configuration says; nobody of a league or of the bots plays. While the
network looks at one half of the games, the processes play on with the other: so it says how long it looked, and how
long it had to wait for the processes.
"""

import argparse
from dataclasses import replace
from time import perf_counter

from argentum.learn import config as cf
from argentum.learn.cuda import autocast_context, set_up_device
from argentum.learn.models import Actor
from argentum.learn.rollout import RolloutCollector, Stopwatch
from argentum.learn.self_play import HALF_COUNT, SelfPlayGames

EARLY = 6  # rounds of steps before the clock starts: the work is compiled and recorded, and games spread out
SECONDS = 10.0


def measure(config: cf.TrainingConfig, seats: dict[str, float]) -> str:
    """A row of the table."""
    config = replace(config, games=replace(config.games, players=seats, bots={}))
    device, size = set_up_device(config), config.network
    actor = Actor(size.width, size.layers, size.heads).to(device)
    with (
        SelfPlayGames(config, 0.0) as fleet,
        RolloutCollector(config, fleet, actor, (), lambda: autocast_context(device)) as collector,
    ):
        fleet.start({})
        clock, made, began = Stopwatch(), -EARLY, 0.0
        while made <= 0 or perf_counter() - began < SECONDS:
            if not made:
                clock, began = Stopwatch(), perf_counter()
            collector.collect(clock)
            made += 1
        taken = perf_counter() - began
    spent = clock.reset()
    choices = made * config.games.steps * HALF_COUNT * config.games.per_half
    told = ", ".join(f"{name} ({share:g})" for name, share in seats.items())
    shares = (f"{spent[what] / taken:.0%}" for what in ("acting", "waiting_for_games"))
    return f"| {told} | {choices / taken:,.0f} | {' | '.join(shares)} |"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="gpu", help="a preset or a TOML file, as for `argentum train`")
    parser.add_argument(
        "--set", action="append", default=[], dest="changes", metavar="NAME=VALUE", help="change a setting"
    )
    told = parser.parse_args()
    try:
        config = cf.load_config(told.config, told.changes)
        set_up_device(config)  # it is said at once if there is no such device
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print("| players | decisions per second | acting | waiting for games |\n| --- | ---: | ---: | ---: |")
    for seats in ({"2": 1.0}, {"3": 1.0}, {"4": 1.0}, config.games.players):
        print(measure(config, seats), flush=True)


if __name__ == "__main__":
    main()
