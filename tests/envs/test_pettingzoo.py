"""The PettingZoo environment: PettingZoo's own tests, masks, rewards, states and rendering."""

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

# Warnings of api_test for dictionary observations, which PettingZoo's own games with masks have too.
DICTIONARY_WARNINGS = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # in finished games
)


def play_randomly(env: Any, steps: int = 10_000) -> list[Any]:
    """Play random legal actions; return the agent, observation, reward and end flags before each action."""
    trajectory = []
    for agent in env.agent_iter(steps):
        observation, reward, termination, truncation, info = env.last()
        trajectory.append((agent, observation, reward, termination, truncation))
        env.step(None if termination or truncation else int(env.action_space(agent).sample(info["action_mask"])))
    return trajectory


def reset_with_seed(env: Any, seed: int) -> Any:
    """Reset an environment and seed its action spaces; return the environment."""
    env.reset(seed=seed)
    for index, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(index)
    return env


@pytest.mark.parametrize("observation", ["plain", "vector"])
def test_the_environment_passes_pettingzoos_api_test_with_arrays(observation: str) -> None:
    env = silver_v1.env(boxes="random", players=3, observation=observation, max_cycles=400, history=4)
    api_test(env, num_cycles=150)


@pytest.mark.parametrize("observation", ["masked", "parts", "float"])
@pytest.mark.filterwarnings(*DICTIONARY_WARNINGS)
def test_the_environment_passes_pettingzoos_api_test_with_dictionaries(observation: str) -> None:
    api_test(silver_v1.env(players=2, observation=observation, max_cycles=150), num_cycles=100)


def test_the_environment_passes_pettingzoos_seed_test() -> None:
    seed_test(lambda: silver_v1.env(boxes="random", players=4), num_cycles=60)


def test_the_environment_passes_pettingzoos_render_test() -> None:
    render_test(silver_v1.env)


def test_the_parallel_environment_passes_pettingzoos_max_cycles_test() -> None:
    """Run PettingZoo's test on the parallel environment, where every agent acts once in a cycle."""
    max_cycles_test(
        SimpleNamespace(
            parallel_env=silver_v1.parallel_env,
            env=lambda max_cycles: parallel_to_aec(silver_v1.parallel_env(max_cycles=max_cycles)),
        )
    )


@pytest.mark.parametrize("observation", ["plain", "float"])
def test_the_parallel_environment_passes_pettingzoos_api_test(observation: str) -> None:
    parallel_api_test(silver_v1.parallel_env(observation=observation, max_cycles=50), num_cycles=100)


def test_pettingzoos_performance_benchmark_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run PettingZoo's benchmark, which plays for five seconds, with a clock that runs faster."""
    clock = count()
    benchmark = import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(time=lambda: next(clock) / 40))
    performance_benchmark(silver_v1.env())
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("moves", [0, 1, 150])
def test_pickled_and_copied_environments_continue_identically(moves: int) -> None:
    env = reset_with_seed(silver_v1.env(boxes="random", players=3), 5)
    play_randomly(env, moves)
    copies = [pickle.loads(pickle.dumps(env)), deepcopy(env)]
    expected = play_randomly(env, 60)
    for copied in copies:
        assert data_equivalence(play_randomly(copied, 60), expected)


def test_an_environment_can_be_pickled_before_its_first_game() -> None:
    env = silver_v1.env(players=2)
    twin = pickle.loads(pickle.dumps(env))
    assert data_equivalence(play_randomly(reset_with_seed(twin, 3), 50), play_randomly(reset_with_seed(env, 3), 50))


def test_only_the_agent_to_move_has_legal_actions() -> None:
    env = silver_v1.raw_env(boxes="coin", players=3)
    reset_with_seed(env, 1)
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


def test_a_seed_determines_the_game() -> None:
    env = silver_v1.raw_env(boxes="dagger", players=2)
    env.reset(seed=11)
    first = env.observe("player_0")["observation"]
    env.reset()
    assert not np.array_equal(env.observe("player_0")["observation"], first)
    env.reset(seed=11)
    assert np.array_equal(env.observe("player_0")["observation"], first)


def test_random_decks_are_drawn_for_each_game() -> None:
    env = silver_v1.raw_env(boxes="random", players=2)
    codes = set()
    for _ in range(5):
        env.reset()
        codes.add(env.game.cast.code)
    assert len(codes) == 5


@pytest.mark.parametrize("reward", ["rank", "difference", "round"])
@pytest.mark.parametrize("players", [2, 4])
def test_rewards_sum_to_the_result(reward: str, players: int) -> None:
    env = silver_v1.raw_env(boxes="bullet", players=players, reward=reward)
    reset_with_seed(env, 2)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward_now, termination, _, info = env.last()
        returns[agent] += reward_now
        env.step(None if termination else int(env.action_space(agent).sample(info["action_mask"])))
    game = env.game
    totals = list(game.totals.values())
    if reward == "round":
        assert list(returns.values()) == [-total for total in totals]
    else:
        assert sum(returns.values()) == pytest.approx(0)
        assert returns[env.possible_agents["ABCD".index(game.winner)]] == max(returns.values())
    if reward == "difference":
        assert returns["player_0"] == pytest.approx(sum(totals[1:]) / (players - 1) - totals[0])
    if reward == "rank":
        assert max(returns.values()) == 1


def test_an_illegal_action_changes_nothing_and_sets_illegal() -> None:
    env = silver_v1.raw_env()
    env.reset(seed=1)
    agent = env.agent_selection
    before = env.observe(agent)
    for action in (0, -1, ACTION_COUNT):
        env.step(action)
        assert env.agent_selection == agent
        assert env.infos[agent]["illegal"]
        assert data_equivalence(env.observe(agent), before)


def test_in_the_wrappers_an_illegal_action_ends_the_game() -> None:
    EnvLogger.suppress_output()
    env = silver_v1.env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.last()
    env.step(0)
    EnvLogger.unsuppress_output()
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1


def test_games_are_truncated_after_max_cycles() -> None:
    env = silver_v1.raw_env(max_cycles=7)
    reset_with_seed(env, 1)
    last = play_randomly(env)
    assert [truncation for *_, truncation in last] == [False] * 7 + [True] * 2
    assert not any(termination for *_, termination, _ in last)


def test_images_have_the_same_size_in_every_position() -> None:
    for players in (2, 4):
        env = silver_v1.raw_env(boxes="random", players=players, render_mode="rgb_array")
        reset_with_seed(env, 1)
        shapes = set()
        for _ in range(3):
            play_randomly(env, 60)
            image = env.render()
            assert isinstance(image, np.ndarray)
            assert len(np.unique(image @ (1, 256, 65536))) > 20  # colours
            shapes.add(image.shape)
        assert len(shapes) == 1


def test_text_shows_the_view_of_the_seat_to_move() -> None:
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
        ({"observation": "smell"}, "choose one of masked, plain, parts, vector, float, rllib"),
        ({"render_mode": "dance"}, "choose one of ansi, human, rgb_array"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        silver_v1.raw_env(**settings)


def test_observing_before_the_first_reset_is_refused() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        silver_v1.raw_env().observe("player_0")


def test_the_parts_form_is_the_plain_form_split() -> None:
    plain_env, parts_env = (silver_v1.raw_env(observation=form) for form in ("plain", "parts"))
    plain_env.reset(seed=4)
    parts_env.reset(seed=4)
    parts = parts_env.observe("player_1")["observation"]
    row = plain_env.observe("player_1")
    assert row.shape == (OBSERVATION_SIZE,)
    assert (np.concatenate([part.ravel() for part in parts.values()]) == row).all()


def test_the_same_seed_and_moves_give_the_same_game_without_the_environment() -> None:
    env = silver_v1.raw_env(boxes="dagger", players=2)
    reset_with_seed(env, 9)
    play_randomly(env)
    game = Game.new("dagger", 2, env.game.position().table.seed)
    for move in env.game.history():
        game.play(move)
    assert game.totals == env.game.totals


def test_the_state_is_the_observation_of_the_seat_to_move_and_the_hidden_state() -> None:
    env = silver_v1.raw_env(boxes="amulet", players=3, observation="plain", history=2)
    reset_with_seed(env, 4)
    play_randomly(env, 40)
    state = env.state()
    assert env.state_space.contains(state)
    assert len(state) == OBSERVATION_SIZE + 2 * EVENT_TOKEN_SIZE + HIDDEN_STATE_SIZE
    observation = env.observe(env.agent_selection)
    assert (state[: len(observation)] == observation).all()
    table, seat = env.game.position().table, env.possible_agents.index(env.agent_selection)
    own = [table.faces[card] for card in table.villages[seat]]
    assert [(resident - 1) % 14 for resident in state[len(observation) :][: len(own)].tolist()] == own
    hidden = silver_v1.raw_env(boxes="amulet", players=3).observation_space("player_0")["observation"]
    assert hidden.shape == (OBSERVATION_SIZE,)


def test_observations_hide_cards_that_the_state_has() -> None:
    env = silver_v1.raw_env(observation="parts")
    env.reset(seed=1)
    cards = env.observe("player_0")["observation"]["cards"]
    assert (cards[:10, COLUMN_INDEX["resident"]] == 0).all()
    assert (env.state()[OBSERVATION_SIZE:][:10] > 0).all()


def test_every_agents_final_info_has_the_result() -> None:
    env = silver_v1.raw_env(rounds=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        assert "points" not in env.infos[env.agent_selection]
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    for info in env.infos.values():
        assert info["points"].tolist() == list(env.game.totals.values())
        assert info["ranks"][SEAT_LETTERS.index(env.game.winner)] == 1
        assert info["reason"] == env.game.view().reason


def test_a_game_can_have_one_round() -> None:
    env = silver_v1.raw_env(rounds=1, reward="round")
    reset_with_seed(env, 1)
    play_randomly(env)
    assert env.game.rounds_finished == 1
    assert env.game.over
