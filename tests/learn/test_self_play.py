"""Settings, rewards, advantages, self-play games and datasets."""

import re
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from argentum.learn import config as cf
from argentum.learn import imitation
from argentum.learn.gae import compute_gae
from argentum.learn.round_rewards import round_reward, seat_values
from argentum.learn.self_play import (
    END_GAME,
    OPPONENT_LEAGUE,
    OPPONENT_SELF,
    SelfPlayGames,
    make_blocks,
    split_by_weight,
)
from argentum.observations.actions import ACTION_OF_MOVE

Array: TypeAlias = NDArray[Any]
TINY = cf.config_from_dict(
    {
        "processes": 1,
        "games": {
            "per_half": 8,
            "players": {"2": 1, "3": 1},
            "decks": {"dagger": 1, "random": 1},
            "bots": {"quick": 0.25},
        },
    }
)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("network.width=0", "'network.width' is 0: it should be above 0"),
        ("network.heads=0", "'network.heads' is 0: it should be above 0"),
        ("network.layers=-1", "'network.layers' is -1: it should be above 0"),
        ("games.steps=0", "'games.steps' is 0: it should be above 0"),
        ("ppo.learning_rate=nan", "'ppo.learning_rate' is nan: it should be above 0"),
        ("ppo.confident_fraction=0", "'ppo.confident_fraction' is 0.0: it should be above 0"),
        ("ppo.confident_fraction=2", "'ppo.confident_fraction' is 2.0: it should be at most 1"),
        ("league.fraction=-0.1", "'league.fraction' is -0.1: it should not be below 0"),
        ("games.players={2=-1}", "'games.players.2' is -1: it should not be below 0"),
        ("games.players={2=0}", "'games.players' has no weights: give one a number above 0"),
        ("games.decks={}", "'games.decks' has no weights: give one a number above 0"),
        ("games.bots={quick='often'}", "'games.bots.quick' is 'often': it should be a weight, such as 1"),
        ("games.bots={nobody=0.1}", "there is no bot 'nobody'"),
        ("network=3", "'network' is 3: it has settings of its own: width, "),
        ("ppo.clip=0.1", "the setting 'ppo.clip' is now called 'ppo.clip_range'"),
        ("games.reward=chance", "the reward 'chance' is now called 'win_probability'"),
    ],
)
def test_invalid_settings_are_explained(override: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        cf.load_config("small", [override])


@pytest.mark.parametrize(("old", "new"), cf.RENAMED_SETTINGS.items())
def test_old_setting_names_in_a_file_are_refused_with_the_new_name(old: str, new: str, tmp_path: Path) -> None:
    section, _, name = old.rpartition(".")
    file = tmp_path / "old.toml"
    file.write_text(f"[{section}]\n{name} = 1\n" if section else f"{name} = 1\n")
    with pytest.raises(ValueError, match=f"'{old}' is now called '{new}'"):
        cf.load_config(str(file))
    current: object = cf.config_to_dict(cf.TrainingConfig())
    for part in new.split("."):
        assert isinstance(current, dict)
        current = current[part]


@pytest.mark.parametrize(
    ("kind", "at_the_end"), [(cf.REWARD_WIN_PROBABILITY, [-0.5, -0.5, 1]), (cf.REWARD_RANK, [-1, 0, 1])]
)
def test_round_rewards_sum_to_the_value_of_the_game(kind: str, at_the_end: list[float]) -> None:
    random = np.random.default_rng(1)
    points = random.integers(0, 40, (4, 1, 3)).astype(np.float32)
    before = np.zeros((1, 3), np.float32)
    total = np.zeros((1, 3), np.float32)
    for number in range(1, 5):
        total += round_reward(kind, before, points[number - 1], number, 15.0)
        before = before + points[number - 1]
    expected = seat_values(kind, before, 0, 15.0)
    assert total == pytest.approx(expected, abs=1e-5)
    assert sorted(expected[0].tolist()) == at_the_end
    assert expected[0].argmax() == before[0].argmin()


@pytest.mark.parametrize("kind", cf.TRAINING_REWARDS)
def test_round_rewards_prefer_fewer_points_and_sum_to_zero(kind: str) -> None:
    rewards = round_reward(kind, np.zeros((1, 2), np.float32), np.array([[3, 21]], np.float32), 1, 15.0)
    assert rewards[0, 0] > 0.1
    assert rewards.sum() == pytest.approx(0, abs=1e-6)


def reference_advantages(seats: Array, values: Array, rewards: Array, dones: Array, gae_lambda: float) -> Array:
    """Compute the advantages by their definition, one decision at a time."""
    steps, games = values.shape
    advantages = np.full(values.shape, np.nan)
    for game in range(games):
        for step in reversed(range(steps)):
            seat, reward = seats[step, game], 0.0
            for later in range(step, steps):
                if later > step and seats[later, game] == seat:
                    next_advantage = advantages[later, game]
                    target = values[later, game] + gae_lambda * (0.0 if np.isnan(next_advantage) else next_advantage)
                    advantages[step, game] = reward + target - values[step, game]
                    break
                if dones[later, game]:
                    advantages[step, game] = rewards[later, game, seat] - values[step, game]
                    break
    return advantages


def test_gae_follows_the_decisions_of_each_seat() -> None:
    random = np.random.default_rng(2)
    seats = random.integers(0, 3, (30, 7))
    values = random.normal(size=(30, 7)).astype(np.float32)
    dones = random.random((30, 7)) < 0.1
    rewards = random.normal(size=(30, 7, 4)).astype(np.float32) * dones[:, :, None]
    expected = reference_advantages(seats, values, rewards, dones, 0.9)
    is_learner = torch.ones((30, 7), dtype=torch.bool)
    turns, valued = torch.from_numpy(seats.astype(np.uint8)), torch.from_numpy(values)
    advantages, is_valid = compute_gae(
        turns, valued, torch.from_numpy(rewards), torch.from_numpy(dones), is_learner, 0.9
    )
    assert (is_valid.numpy() == ~np.isnan(expected)).all()
    assert advantages.numpy()[is_valid] == pytest.approx(expected[is_valid], abs=1e-5)


def test_blocks_cover_all_rows() -> None:
    assert split_by_weight(10, {"a": 1, "b": 1, "c": 1}) == {"a": 3, "b": 4, "c": 3}
    blocks = make_blocks(TINY.games, 0.25)
    assert blocks[0].first == 0
    assert [block.end for block in blocks[:-1]] == [block.first for block in blocks[1:]]
    assert blocks[-1].end == TINY.games.per_half
    assert {block.opponent for block in blocks} == {OPPONENT_LEAGUE, OPPONENT_SELF, "quick"}


def play(games: SelfPlayGames, steps: int, seed: int) -> list[bytes]:
    """Play random actions; return the contents of the arrays after each step."""
    random = np.random.default_rng(seed)
    states = []
    for _ in range(steps):
        for half, arrays in enumerate(games.arrays):
            random_values = random.random(arrays.masks.shape) * arrays.masks
            arrays.actions[:] = random_values.argmax(1)
            games.send(half)
            games.wait(half)
            states.append(arrays.observations.tobytes() + arrays.hidden_states.tobytes() + arrays.end_kinds.tobytes())
    return states


def test_saved_games_continue_the_same_with_more_workers() -> None:
    with SelfPlayGames(TINY, 0.25) as games:
        games.start({})
        play(games, 40, 1)
        saved = games.save()
        expected = play(games, 40, 2)
        assert max(arrays.end_kinds.max() for arrays in games.arrays) <= END_GAME
    with SelfPlayGames(cf.config_from_dict(cf.config_to_dict(TINY) | {"processes": 2}), 0.25) as other:
        other.start(saved)
        assert play(other, 40, 2) == expected


def test_dataset_is_saved_loaded_and_replayed(tmp_path: Path) -> None:
    games = imitation.to_dataset(imitation.play_task("quick", 3, {"2": 1.0, "3": 1.0}, {"random": 1.0}))
    games.save(tmp_path / "games.npz")
    for path in (tmp_path, tmp_path / "games.npz"):
        loaded = imitation.load_dataset(path)
        assert loaded.all() == games.all()
    game = games.all()[0]
    arrays = imitation.replay_game(game)
    count = len(game.moves)
    assert [len(arrays[name]) for name in ("actions", "seats", "rounds", "points", "totals_before")] == [count] * 5
    assert arrays["rounds"][0] == 1
    assert arrays["rounds"][-1] == 4
    moves = [ACTION_OF_MOVE[game.players][seat][move] for seat, move in zip(arrays["seats"], game.moves, strict=True)]
    assert moves == arrays["actions"]
    masks = np.frombuffer(arrays["masks"][0], np.bool_).reshape(count, -1)
    assert masks[np.arange(count), arrays["actions"]].all()


def test_folder_without_datasets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no games in it"):
        imitation.load_dataset(tmp_path)
