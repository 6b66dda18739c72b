"""The Gymnasium environment: Gymnasium's own checks, opponents, rewards, infos and settings."""

import pickle
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import argentum.envs  # noqa: F401  # registers the environment
from argentum.envs.gym import SilverEnv
from argentum.observations.actions import ACTION_COUNT, action_of_move
from argentum.rules.notation import SEAT_LETTERS


def make_env(**settings: Any) -> SilverEnv:
    """Return the registered environment without Gymnasium's wrappers."""
    env = gymnasium.make("argentum/Silver-v1", **settings).unwrapped
    assert isinstance(env, SilverEnv)
    return env


def play_randomly(env: SilverEnv, seed: int) -> list[Any]:
    """Play a random game; return the first observation, then the action, observation and reward of each step."""
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    trajectory: list[Any] = [observation]
    over = False
    while not over:
        action = int(env.action_space.sample(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        trajectory += [action, observation, reward]
        over = terminated or truncated
    return trajectory


@pytest.mark.parametrize("observation", ["plain", "masked", "parts", "vector", "float", "rllib"])
def test_the_environment_passes_gymnasiums_env_checker(observation: str) -> None:
    check_env(make_env(boxes="random", players=3, opponents="random", observation=observation, history=4))


def test_the_wrapped_environment_plays_without_warnings() -> None:
    env = gymnasium.make("argentum/Silver-v1", players=4, opponents=["random", "novice", "steady"])
    _, info = env.reset(seed=1)
    for _ in range(30):
        _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not terminated
    env.close()


def test_the_final_info_has_the_result() -> None:
    env = make_env(players=3, opponents="random", rounds=1, reward="rank")
    _, info = env.reset(seed=2)
    over, reward = False, 0.0
    while not over:
        assert info.keys() == {"action_mask"}
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert info["points"].tolist() == list(env.game.totals.values())
    assert info["ranks"][SEAT_LETTERS.index(env.game.winner)] == 1
    assert (info["ranks"][env.learner] == 1) == (reward == 1.0)
    assert info["reason"] == env.game.view().reason != ""


def test_a_seed_determines_the_game() -> None:
    env = make_env(boxes="random", opponents="random")
    first = play_randomly(env, 3)
    assert data_equivalence(play_randomly(env, 3), first)
    assert data_equivalence(play_randomly(make_env(boxes="random", opponents="random"), 3), first)
    assert not data_equivalence(play_randomly(env, 4)[0], first[0])


@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_the_learner_has_the_requested_seat_and_moves_only_there(seat: str) -> None:
    env = make_env(boxes="coin", players=3, seat=seat, opponents="random")
    _, info = env.reset(seed=5)
    for _ in range(40):
        game = env.game
        assert game.to_move == seat
        legal = sorted([action_of_move(seat, 3, move) for move in game.legal()])
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        assert np.flatnonzero(env.action_masks()).tolist() == legal
        info = env.step(legal[-1])[-1]


def test_the_learners_seat_is_drawn_for_each_game() -> None:
    env = make_env(players=4, opponents="random")
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.learner)
    assert seats == {0, 1, 2, 3}


def test_rewards_are_those_of_the_learners_seat() -> None:
    env = make_env(players=3, seat="B", opponents="random", reward="round")
    rewards = play_randomly(env, 1)[3::3]
    assert sum(rewards) == -env.game.totals["B"]
    assert len([reward for reward in rewards if reward]) <= 4


def test_a_steady_opponent_beats_random_play() -> None:
    results = [play_randomly(make_env(opponents="steady"), seed)[-1] for seed in range(2)]
    assert results == [-1.0] * 2


def test_an_illegal_action_changes_nothing_and_sets_illegal() -> None:
    env = make_env()
    before, _ = env.reset(seed=1)
    for action in (0, -1, ACTION_COUNT):
        after, reward, terminated, truncated, info = env.step(action)
        assert info["illegal"]
        assert (after == before).all()
        assert (reward, terminated, truncated) == (0, False, False)


def test_with_an_illegal_reward_an_illegal_action_ends_the_game() -> None:
    env = make_env(illegal_reward=-2.0, opponents="random")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal"]) == (-2.0, True, True)


def test_a_game_can_have_one_round() -> None:
    env = make_env(rounds=1, opponents="random", reward="round", seat="A")
    rewards = play_randomly(env, 3)[3::3]
    assert env.game.over
    assert env.game.rounds_finished == 1
    assert [reward for reward in rewards if reward] == [-env.game.totals["A"]]


@pytest.mark.parametrize("moves", [0, 1, 60])
def test_pickled_and_copied_environments_continue_identically(moves: int) -> None:
    env = make_env(boxes="amulet", players=3, opponents="random", history=8)
    env.action_space.seed(2)
    _, info = env.reset(seed=2)
    for _ in range(moves):
        *_, info = env.step(int(env.action_space.sample(info["action_mask"])))
    copies = [pickle.loads(pickle.dumps(env)), deepcopy(env)]
    for _ in range(60):
        action = int(np.flatnonzero(info["action_mask"])[-1])
        *expected, info = env.step(action)
        for copied in copies:
            assert data_equivalence(list(copied.step(action)), [*expected, info])


def test_rendering_shows_the_learners_view() -> None:
    env = make_env(seat="B", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "sees this, to move" in text.splitlines()[2]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": "nobody"}, "there is no bot 'nobody'"),
        ({"opponents": ["random", "random"]}, "2 opponents for 2 players"),
        ({"seat": "C"}, "there is no seat 'C': choose one of A, B, or random"),
        ({"seat": ""}, "there is no seat"),
        ({"reward": "fame"}, "is not a reward"),
        ({"boxes": "silver"}, "names no deck"),
        ({"rounds": 0}, "0 rounds"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SilverEnv(**settings)


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        SilverEnv().step(0)


@pytest.mark.parametrize(("form", "key"), [("float", "observation"), ("rllib", "observations")])
def test_forms_for_libraries_are_a_vector_with_a_mask(form: str, key: str) -> None:
    observation, info = make_env(observation=form, opponents="random").reset(seed=3)
    vector, _ = make_env(observation="vector", opponents="random").reset(seed=3)
    assert list(observation) == [key, "action_mask"]
    assert observation[key].dtype == np.float32
    assert observation["action_mask"].dtype == np.int8
    assert np.array_equal(observation[key], vector)
    assert np.array_equal(observation["action_mask"], info["action_mask"])


def test_opponents_can_change_between_games() -> None:
    env = make_env(opponents=lambda index, random: random.choice(["random", "quick"]), rounds=1)
    opponents = set()
    for _ in range(12):
        env.reset()
        opponents |= {bot.name for bot in env._require_episode().bots if bot is not None}
    assert opponents == {"random", "quick"}
    env.set_opponents("novice")
    env.reset()
    assert [bot.name for bot in env._require_episode().bots if bot is not None] == ["novice"]
