"""Steps per second of the learning environments, compared with other libraries in one run.

All environments play random actions from the action mask or list that an agent gets, and every step returns a full
observation. Contestants run alternately (interleaved.py). On two cores, environments that use only one core run as two
processes.
"""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from interleaved import Contestant, ContestantProcesses, make_parser, measure, run_contestant

TURNS = 5  # runs of each contestant
SECONDS = 0.5  # per run
GAMES = 256  # per batch of Argentum, on each core
PGX_GAMES = 2048  # per batch of Pgx, which is fastest with this number
ENVIRONMENTS = 16  # per vector environment of Gymnasium
MIX = "random"


def run_for(seconds: float, play: Callable[[], int]) -> tuple[int, float]:
    """Call `play` repeatedly for about `seconds`; return the steps, which `play` counts, and the seconds taken."""
    steps, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        steps += play()
    return steps, time.perf_counter() - started


def argentum_batch(boxes: str, players: int, cores: int) -> Contestant:
    """Step Argentum's batch environment in self-play: every seat is an agent."""
    import numpy as np

    from argentum.envs.batch.batch import Batch

    batch, random = Batch(GAMES * cores, boxes, players, processes=cores), np.random.default_rng(1)
    batch.reset(1)

    def play() -> int:
        batch.step(batch.sample(random))
        return GAMES * cores

    return lambda seconds: run_for(seconds, play)


def gymnasium_vector(mode: str, cores: int) -> Contestant:
    """Step a Gymnasium vector environment of Argentum, in which one seat plays against a random bot."""
    import gymnasium
    import numpy as np

    import argentum.envs

    argentum.envs.register()
    settings: dict[str, Any] = {"processes": cores} if mode == "vector_entry_point" else {}
    envs = gymnasium.make_vec(
        "argentum/Silver-v1", ENVIRONMENTS, vectorization_mode=mode, opponents="random", **settings
    )
    random = np.random.default_rng(1)
    masks = [envs.reset(seed=1)[1]["action_mask"]]

    def play() -> int:
        legal = (random.random(masks[0].shape, np.float32) * masks[0]).argmax(axis=1)
        masks[0] = envs.step(legal)[4]["action_mask"]
        return ENVIRONMENTS

    return lambda seconds: run_for(seconds, play)


def pettingzoo_env(name: str) -> Contestant:
    """Step the PettingZoo environment in module `name`."""
    from importlib import import_module
    from random import random

    env = import_module(name).env()
    seeds = iter(range(10**9))

    def play() -> int:
        env.reset(seed=next(seeds))
        steps = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(random() * len(legal))]))
            steps += 1
        return steps

    return lambda seconds: run_for(seconds, play)


def rlcard_env(name: str) -> Contestant:
    """Step an environment of RLCard, whose states contain the observation and the legal actions."""
    import random

    import rlcard

    env = rlcard.make(name)

    def play() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return lambda seconds: run_for(seconds, play)


def open_spiel_env(name: str, form: str) -> Contestant:
    """Step a C++ game of OpenSpiel. Chance nodes do not count as steps.

    `form` is `arrays` (tensor and action mask as NumPy arrays) or `lists` (tensor and legal actions as lists).
    """
    import random

    import numpy as np
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                tensor = state.observation_tensor(state.current_player())
                if form == "arrays":
                    np.array(tensor, np.float32)
                    np.array(state.legal_actions_mask(), np.bool_)
                steps += 1
            state.apply_action(random.choice(legal))
        return steps

    return lambda seconds: run_for(seconds, play)


def pgx_env(name: str, games: int) -> Contestant:
    """Step a batch of Pgx games in one compiled call, with automatic resets."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        key, choosing, stepping = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(choosing, logits, axis=-1)
        return jax.vmap(step)(state, actions, jax.random.split(stepping, games)), key

    key = jax.random.PRNGKey(1)
    carry = [jax.jit(jax.vmap(env.init))(jax.random.split(key, games)), key]

    def play() -> int:
        carry[:] = advance(*carry)
        jax.block_until_ready(carry[0].observation)
        return games

    return lambda seconds: run_for(seconds, play)


KINDS: dict[str, Callable[..., Contestant]] = {
    "batch": argentum_batch,
    "gymnasium": gymnasium_vector,
    "pettingzoo": pettingzoo_env,
    "rlcard": rlcard_env,
    "open_spiel": open_spiel_env,
    "pgx": pgx_env,
}


def batch_contestants(builds: dict[str, str], cores: int) -> list[ContestantProcesses]:
    return [
        ContestantProcesses(f"argentum batch, {boxes} {players}p, {build}", path, "batch", boxes, players, cores)
        for build, path in builds.items()
        for boxes, players in (("dagger", 2), ("coin", 4), (MIX, 3))
    ]


def peer_contestants(path: str, cores: int) -> list[ContestantProcesses]:
    """Return the environments of other libraries, and Argentum's PettingZoo environment."""
    contestants = [
        ContestantProcesses(f"pettingzoo {name.rpartition('.')[2]}", path, "pettingzoo", name, processes=cores)
        for name in ("argentum.envs.silver_v1", "pettingzoo.classic.hanabi_v5", "pettingzoo.classic.leduc_holdem_v4")
    ]
    contestants += [
        ContestantProcesses(f"rlcard {name}", path, "rlcard", name, processes=cores) for name in ("uno", "leduc-holdem")
    ]
    contestants += [
        ContestantProcesses(f"open_spiel {name}, {form}", path, "open_spiel", name, form, processes=cores)
        for name in ("crazy_eights", "hanabi")
        for form in ("arrays", "lists")
    ]
    contestants += [
        ContestantProcesses(f"pgx {name}, {PGX_GAMES} games", path, "pgx", name, PGX_GAMES, processes=cores)
        for name in ("sparrow_mahjong", "leduc_holdem")
    ]
    return contestants


def vector_contestants(path: str, cores: int) -> list[ContestantProcesses]:
    """Return Gymnasium's two kinds of vector environments, and Argentum's own one."""
    return [
        ContestantProcesses(f"gymnasium {mode}, {ENVIRONMENTS} environments", path, "gymnasium", mode, cores)
        for mode in ("sync", "async", "vector_entry_point")
    ]


def report(builds: dict[str, str], cores: int) -> Iterator[str]:
    """Measure all contestants on a number of cores and yield the lines of the report."""
    path = builds["compiled"]
    batches = batch_contestants(builds, cores)
    rates = measure([*batches, *peer_contestants(path, cores)], TURNS)
    [reference] = rates[batches[-3].title]
    yield f"{f'{cores} core(s)':50}{'steps/s':>14}{'dagger 2p compiled is x this':>30}"
    for title, [rate] in rates.items():
        yield f"{title:50}{rate:14,.0f}{reference / rate:30.2f}"
    rates = measure(vector_contestants(path, cores), TURNS)
    [own] = list(rates.values())[-1]
    yield f"{'one seat against a random bot':50}{'steps/s':>14}{'ours is x this':>30}"
    for title, [rate] in rates.items():
        yield f"{title:50}{rate:14,.0f}{own / rate:30.2f}"
    yield ""


def main() -> None:
    if run_contestant(KINDS, SECONDS):
        return
    arguments = make_parser(__doc__).parse_args()
    all_cores = sorted(os.sched_getaffinity(0))
    for cores in (1, 2):
        os.sched_setaffinity(0, all_cores[:cores])
        for line in report({"plain": arguments.plain, "compiled": arguments.compiled}, cores):
            print(line, flush=True)


if __name__ == "__main__":
    main()
