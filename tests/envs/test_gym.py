"""The Gymnasium environment passes Gymnasium's own checks; bots play the other seats."""

import pickle
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import argentum.envs  # noqa: F401  # it registers the environment
from argentum.envs.gym import SilverEnv
from argentum.observations.actions import ACTION_COUNT, action_of_move
from argentum.rules.notation import SEAT_LETTERS


def made(**settings: Any) -> SilverEnv:
    """The environment as Gymnasium makes it, without its wrappers."""
    env = gymnasium.make("argentum/Silver-v1", **settings).unwrapped
    assert isinstance(env, SilverEnv)
    return env


def played(env: SilverEnv, seed: int) -> list[Any]:
    """Play a game at random by the masks; what was seen on the way."""
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [observation]
    over = False
    while not over:
        action = int(env.action_space.sample(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        seen += [action, observation, reward]
        over = terminated or truncated
    return seen


@pytest.mark.parametrize("observation", ["plain", "masked", "parts", "vector", "rllib"])
def test_checks(observation: str) -> None:
    check_env(made(boxes="random", players=3, opponents="random", observation=observation, history=4))


def test_made_with_wrappers_it_plays_without_a_warning() -> None:
    env = gymnasium.make("argentum/Silver-v1", players=4, opponents=["random", "novice", "steady"])
    _, info = env.reset(seed=1)
    for _ in range(30):
        _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not terminated
    env.close()


def test_the_last_info_says_how_the_game_came_out() -> None:
    env = made(players=3, opponents="random", rounds=1, reward="rank")
    _, info = env.reset(seed=2)
    over, reward = False, 0.0
    while not over:
        assert info.keys() == {"action_mask"}
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert info["points"].tolist() == list(env.game.totals.values())
    assert info["ranks"][SEAT_LETTERS.index(env.game.winner)] == 1
    assert (info["ranks"][env.learner] == 1) == (reward == 1.0)
    assert info["reason"] == env.game.view().reason != ""


def test_a_seed_is_a_game() -> None:
    env = made(boxes="random", opponents="random")
    once = played(env, 3)
    assert data_equivalence(played(env, 3), once)
    assert data_equivalence(played(made(boxes="random", opponents="random"), 3), once)
    assert not data_equivalence(played(env, 4)[0], once[0])


@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_the_learner_sits_where_it_is_put_and_is_asked_nobody_elses_moves(seat: str) -> None:
    env = made(boxes="coin", players=3, seat=seat, opponents="random")
    _, info = env.reset(seed=5)
    for _ in range(40):
        game = env.game
        assert game.to_move == seat
        legal = sorted([action_of_move(seat, 3, move) for move in game.legal()])
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        assert np.flatnonzero(env.action_masks()).tolist() == legal
        info = env.step(legal[-1])[-1]


def test_every_seat_is_the_learners_in_time() -> None:
    env = made(players=4, opponents="random")
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.learner)
    assert seats == {0, 1, 2, 3}


def test_the_reward_is_the_learners() -> None:
    env = made(players=3, seat="B", opponents="random", reward="round")
    rewards = played(env, 1)[3::3]
    assert sum(rewards) == -env.game.totals["B"]
    assert len([reward for reward in rewards if reward]) <= 4


def test_steady_beats_somebody_who_plays_at_random() -> None:
    """So the opponents are asked, and play as they are."""
    results = [played(made(opponents="steady"), seed)[-1] for seed in range(2)]
    assert results == [-1.0] * 2


def test_what_is_not_legal_is_refused() -> None:
    env = made()
    before, _ = env.reset(seed=1)
    for action in (0, -1, ACTION_COUNT):
        after, reward, terminated, truncated, info = env.step(action)
        assert info["illegal"]
        assert (after == before).all()
        assert (reward, terminated, truncated) == (0, False, False)


def test_what_is_not_legal_may_end_the_game() -> None:
    env = made(illegal_reward=-2.0, opponents="random")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal"]) == (-2.0, True, True)


def test_a_round_is_a_game() -> None:
    env = made(rounds=1, opponents="random", reward="round", seat="A")
    rewards = played(env, 3)[3::3]
    assert env.game.over
    assert env.game.rounds_finished == 1
    assert [reward for reward in rewards if reward] == [-env.game.totals["A"]]


@pytest.mark.parametrize("moves", [0, 1, 60])
def test_a_game_goes_on_the_same_after_pickling_and_copying(moves: int) -> None:
    env = made(boxes="amulet", players=3, opponents="random", history=8)
    env.action_space.seed(2)
    _, info = env.reset(seed=2)
    for _ in range(moves):
        *_, info = env.step(int(env.action_space.sample(info["action_mask"])))
    twins = [pickle.loads(pickle.dumps(env)), deepcopy(env)]
    for _ in range(60):
        action = int(np.flatnonzero(info["action_mask"])[-1])
        *expected, info = env.step(action)
        for twin in twins:
            assert data_equivalence(list(twin.step(action)), [*expected, info])


def test_the_learner_is_shown_its_own_view() -> None:
    env = made(seat="B", render_mode="ansi")
    env.reset(seed=1)
    shown = env.render()
    assert "sees this, to move" in shown.splitlines()[2]


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
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SilverEnv(**settings)


def test_there_is_no_game_before_the_first_reset() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        SilverEnv().step(0)


def test_the_form_for_rllib_is_a_vector_with_a_mask() -> None:
    observation, info = made(observation="rllib", opponents="random").reset(seed=3)
    vector, _ = made(observation="vector", opponents="random").reset(seed=3)
    assert list(observation) == ["observations", "action_mask"]
    assert np.array_equal(observation["observations"], vector)
    assert np.array_equal(observation["action_mask"], info["action_mask"])


def test_opponents_may_change_from_game_to_game() -> None:
    env = made(opponents=lambda place, random: random.choice(["random", "quick"]), rounds=1)
    met = set()
    for _ in range(12):
        env.reset()
        met |= {bot.name for bot in env._require_episode().bots if bot is not None}
    assert met == {"random", "quick"}
    env.set_opponents("novice")
    env.reset()
    assert [bot.name for bot in env._require_episode().bots if bot is not None] == ["novice"]
