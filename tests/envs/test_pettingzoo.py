"""The PettingZoo environment passes PettingZoo's own tests, and plays the game that it says."""

import pickle
from copy import deepcopy
from importlib import import_module
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    performance_benchmark,
    render_test,
    seed_test,
)
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.env_logger import EnvLogger

from argentum import Game
from argentum.envs import silver_v1
from argentum.observations.actions import ACTION_COUNT, action_of_move
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.observations.layout import COLUMN_INDEX, HIDDEN_STATE_SIZE, OBSERVATION_SIZE
from argentum.rules.notation import SEAT_LETTERS

# What api_test says of every observation that is a dictionary, as PettingZoo's own games with masks have it.
OF_DICTIONARIES = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # when the game is over nothing is legal
)


def moves_of(env: Any, most: int = 10_000) -> list[Any]:
    """Play at random by the masks; what was seen on the way."""
    seen = []
    for agent in env.agent_iter(most):
        observation, reward, termination, truncation, info = env.last()
        seen.append((agent, observation, reward, termination, truncation))
        env.step(None if termination or truncation else int(env.action_space(agent).sample(info["action_mask"])))
    return seen


def seeded(env: Any, seed: int) -> Any:
    env.reset(seed=seed)
    for nth, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(nth)
    return env


@pytest.mark.parametrize("observation", ["plain", "vector"])
def test_api_without_a_warning(observation: str) -> None:
    env = silver_v1.env(boxes="random", players=3, observation=observation, max_cycles=400, history=4)
    api_test(env, num_cycles=150)


@pytest.mark.parametrize("observation", ["masked", "parts"])
@pytest.mark.filterwarnings(*OF_DICTIONARIES)
def test_api_with_dictionaries(observation: str) -> None:
    api_test(silver_v1.env(players=2, observation=observation, max_cycles=150), num_cycles=100)


def test_seed() -> None:
    seed_test(lambda: silver_v1.env(boxes="random", players=4), num_cycles=60)


def test_render() -> None:
    render_test(silver_v1.env)


def test_max_cycles() -> None:
    """It speaks of cycles in which every agent has its turn: of the parallel form, and what PettingZoo makes of it."""
    max_cycles_test(
        SimpleNamespace(
            parallel_env=silver_v1.parallel_env,
            env=lambda max_cycles: parallel_to_aec(silver_v1.parallel_env(max_cycles=max_cycles)),
        )
    )


def test_parallel_api() -> None:
    parallel_api_test(silver_v1.parallel_env(observation="plain", max_cycles=50), num_cycles=100)


def test_performance_benchmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It plays for five seconds by the clock, which goes faster here."""
    clock = count()
    benchmark = import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(time=lambda: next(clock) / 40))
    performance_benchmark(silver_v1.env())
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("moves", [0, 1, 150])
def test_a_game_goes_on_the_same_after_pickling_and_copying(moves: int) -> None:
    env = seeded(silver_v1.env(boxes="random", players=3), 5)
    moves_of(env, moves)
    twins = [pickle.loads(pickle.dumps(env)), deepcopy(env)]
    expected = moves_of(env, 60)
    for twin in twins:
        assert data_equivalence(moves_of(twin, 60), expected)


def test_an_environment_can_be_pickled_before_its_first_game() -> None:
    env = silver_v1.env(players=2)
    twin = pickle.loads(pickle.dumps(env))
    assert data_equivalence(moves_of(seeded(twin, 3), 50), moves_of(seeded(env, 3), 50))


def test_masks_have_what_is_legal_for_the_agent_to_move_alone() -> None:
    env = silver_v1.raw_env(boxes="coin", players=3)
    seeded(env, 1)
    for agent in env.agent_iter(300):
        observation, _, termination, _, info = env.last()
        game = env.game
        seat = env.possible_agents.index(agent)
        legal = [] if termination else [action_of_move("ABC"[seat], 3, move) for move in game.legal()]
        assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(legal)
        assert (info["action_mask"] == observation["action_mask"]).all()
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
        env.step(None if termination else legal[len(legal) // 2])


def test_a_seed_is_a_game() -> None:
    env = silver_v1.raw_env(boxes="dagger", players=2)
    env.reset(seed=11)
    first = env.observe("player_0")["observation"]
    env.reset()
    assert not np.array_equal(env.observe("player_0")["observation"], first)
    env.reset(seed=11)
    assert np.array_equal(env.observe("player_0")["observation"], first)


def test_decks_are_dealt_anew_where_they_are_random() -> None:
    env = silver_v1.raw_env(boxes="random", players=2)
    codes = set()
    for _ in range(5):
        env.reset()
        codes.add(env.game.cast.code)
    assert len(codes) == 5


@pytest.mark.parametrize("reward", ["rank", "difference", "round"])
@pytest.mark.parametrize("players", [2, 4])
def test_rewards_add_up(reward: str, players: int) -> None:
    env = silver_v1.raw_env(boxes="bullet", players=players, reward=reward)
    seeded(env, 2)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, gained, termination, _, info = env.last()
        got[agent] += gained
        env.step(None if termination else int(env.action_space(agent).sample(info["action_mask"])))
    game = env.game
    totals = list(game.totals.values())
    if reward == "round":
        assert list(got.values()) == [-total for total in totals]
    else:
        assert sum(got.values()) == pytest.approx(0)
        assert got[env.possible_agents["ABCD".index(game.winner)]] == max(got.values())
    if reward == "difference":
        assert got["player_0"] == pytest.approx(sum(totals[1:]) / (players - 1) - totals[0])
    if reward == "rank":
        assert max(got.values()) == 1


def test_what_is_not_legal_is_refused() -> None:
    env = silver_v1.raw_env()
    env.reset(seed=1)
    agent = env.agent_selection
    before = env.observe(agent)
    for action in (0, -1, ACTION_COUNT):
        env.step(action)
        assert env.agent_selection == agent
        assert env.infos[agent]["illegal"]
        assert data_equivalence(env.observe(agent), before)


def test_with_the_usual_wrappers_what_is_not_legal_ends_the_game() -> None:
    EnvLogger.suppress_output()
    env = silver_v1.env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.last()
    env.step(0)
    EnvLogger.unsuppress_output()
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1


def test_a_game_is_cut_short() -> None:
    env = silver_v1.raw_env(max_cycles=7)
    seeded(env, 1)
    last = moves_of(env)
    assert [truncation for *_, truncation in last] == [False] * 7 + [True] * 2
    assert not any(termination for *_, termination, _ in last)


def test_pictures() -> None:
    for players in (2, 4):
        env = silver_v1.raw_env(boxes="random", players=players, render_mode="rgb_array")
        seeded(env, 1)
        shapes = set()
        for _ in range(3):
            moves_of(env, 60)
            image = env.render()
            assert isinstance(image, np.ndarray)
            assert len(np.unique(image @ (1, 256, 65536))) > 20  # colours
            shapes.add(image.shape)
        assert len(shapes) == 1


def test_a_text_shows_what_the_seat_to_move_sees() -> None:
    env = silver_v1.raw_env(render_mode="ansi")
    env.reset(seed=3)
    first = env.render()
    env.step(action_of_move("AB"[env.possible_agents.index(env.agent_selection)], 2, env.game.legal()[0]))
    env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    assert isinstance(first, str)
    assert "sees this, to move" in first
    assert first.count("(?)") == 10


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"boxes": "zinc"}, "names no deck"),
        ({"players": 5}, "two to four"),
        ({"reward": "fame"}, "choose one of rank, difference, round"),
        ({"observation": "smell"}, "choose one of masked, plain, parts, vector, rllib"),
        ({"render_mode": "dance"}, "choose one of ansi, human, rgb_array"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        silver_v1.raw_env(**settings)


def test_there_is_no_game_before_the_first_reset() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        silver_v1.raw_env().observe("player_0")


def test_parts_are_the_row_in_pieces() -> None:
    plain, named = (silver_v1.raw_env(observation=form) for form in ("plain", "parts"))
    plain.reset(seed=4)
    named.reset(seed=4)
    pieces = named.observe("player_1")["observation"]
    whole = plain.observe("player_1")
    assert whole.shape == (OBSERVATION_SIZE,)
    assert (np.concatenate([piece.ravel() for piece in pieces.values()]) == whole).all()


def test_the_game_is_the_one_of_the_rules() -> None:
    """The same seed and moves make the same game outside of the environment."""
    env = silver_v1.raw_env(boxes="dagger", players=2)
    seeded(env, 9)
    moves_of(env)
    again = Game.new("dagger", 2, env.game.copy_table().seed)
    for move in env.game.history():
        again.play(move)
    assert again.totals == env.game.totals


def test_the_state_is_what_the_seat_to_move_observes_and_the_truth() -> None:
    env = silver_v1.raw_env(boxes="amulet", players=3, observation="plain", history=2)
    seeded(env, 4)
    moves_of(env, 40)
    state = env.state()
    assert env.state_space.contains(state)
    assert len(state) == OBSERVATION_SIZE + 2 * EVENT_TOKEN_SIZE + HIDDEN_STATE_SIZE
    seen = env.observe(env.agent_selection)
    assert (state[: len(seen)] == seen).all()
    table, seat = env.game.copy_table(), env.possible_agents.index(env.agent_selection)
    own = [table.faces[card] for card in table.villages[seat]]
    assert [(resident - 1) % 14 for resident in state[len(seen) :][: len(own)].tolist()] == own
    hidden = silver_v1.raw_env(boxes="amulet", players=3).observation_space("player_0")["observation"]
    assert hidden.shape == (OBSERVATION_SIZE,)


def test_an_agent_is_told_less_than_the_truth() -> None:
    env = silver_v1.raw_env(observation="parts")
    env.reset(seed=1)
    cards = env.observe("player_0")["observation"]["cards"]
    assert (cards[:10, COLUMN_INDEX["resident"]] == 0).all()
    assert (env.state()[OBSERVATION_SIZE:][:10] > 0).all()


def test_every_agent_learns_how_the_game_came_out() -> None:
    env = silver_v1.raw_env(rounds=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        assert "points" not in env.infos[env.agent_selection]
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    for info in env.infos.values():
        assert info["points"].tolist() == list(env.game.totals.values())
        assert info["ranks"][SEAT_LETTERS.index(env.game.winner)] == 1
        assert info["reason"] == env.game.view().reason


def test_a_round_is_a_game() -> None:
    env = silver_v1.raw_env(rounds=1, reward="round")
    seeded(env, 1)
    moves_of(env)
    assert env.game.rounds_finished == 1
    assert env.game.over
