"""The games that are learned from: outcomes, advantages, fleets and a teacher's games."""

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
        "games": {"games": 8, "seats": {"2": 1, "3": 1}, "boxes": {"dagger": 1, "random": 1}, "bots": {"quick": 0.25}},
    }
)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("network.width=0", "'network.width' is 0: it should be above 0"),
        ("network.heads=0", "'network.heads' is 0: it should be above 0"),
        ("network.layers=-1", "'network.layers' is -1: it should be above 0"),
        ("games.steps=0", "'games.steps' is 0: it should be above 0"),
        ("ppo.rate=nan", "'ppo.rate' is nan: it should be above 0"),
        ("ppo.decided=0", "'ppo.decided' is 0.0: it should be above 0"),
        ("ppo.decided=2", "'ppo.decided' is 2.0: it should be at most 1"),
        ("league.share=-0.1", "'league.share' is -0.1: it should not be below 0"),
        ("games.seats={2=-1}", "'games.seats.2' is -1: it should not be below 0"),
        ("games.seats={2=0}", "'games.seats' has no shares: give one a number above 0"),
        ("games.boxes={}", "'games.boxes' has no shares: give one a number above 0"),
        ("games.bots={quick='often'}", "'games.bots.quick' is 'often': it should be a share, such as 1"),
        ("games.bots={nobody=0.1}", "there is no bot 'nobody'"),
        ("network=3", "'network' is 3: it has settings of its own: width, "),
        ("games.games.x=3", "there is no setting 'games.games.x': 'games' has no settings of its own"),
    ],
)
def test_nonsense_in_a_configuration_is_told(change: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        cf.load_config("small", [change])


@pytest.mark.parametrize(
    ("kind", "at_the_end"), [(cf.REWARD_WIN_PROBABILITY, [-0.5, -0.5, 1]), (cf.REWARD_RANK, [-1, 0, 1])]
)
def test_the_worth_of_all_rounds_is_that_of_the_end(kind: str, at_the_end: list[float]) -> None:
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
def test_fewer_points_are_worth_more_and_all_is_shared_out(kind: str) -> None:
    brought = round_reward(kind, np.zeros((1, 2), np.float32), np.array([[3, 21]], np.float32), 1, 15.0)
    assert brought[0, 0] > 0.1
    assert brought.sum() == pytest.approx(0, abs=1e-6)


def slow_advantages(seats: Array, values: Array, rewards: Array, ends: Array, trace: float) -> Array:
    """The same, one game and choice at a time, straight from the definition."""
    steps, games = values.shape
    found = np.full(values.shape, np.nan)
    for game in range(games):
        for step in reversed(range(steps)):
            seat, reward = seats[step, game], 0.0
            for later in range(step, steps):
                if later > step and seats[later, game] == seat:
                    gain = found[later, game]
                    follow = values[later, game] + trace * (0.0 if np.isnan(gain) else gain)
                    found[step, game] = reward + follow - values[step, game]
                    break
                if ends[later, game]:
                    found[step, game] = rewards[later, game, seat] - values[step, game]
                    break
    return found


def test_advantages_go_along_a_seats_own_choices() -> None:
    random = np.random.default_rng(2)
    seats = random.integers(0, 3, (30, 7))
    values = random.normal(size=(30, 7)).astype(np.float32)
    ends = random.random((30, 7)) < 0.1
    rewards = random.normal(size=(30, 7, 4)).astype(np.float32) * ends[:, :, None]
    expected = slow_advantages(seats, values, rewards, ends, 0.9)
    learns = torch.ones((30, 7), dtype=torch.bool)
    turns, valued = torch.from_numpy(seats.astype(np.uint8)), torch.from_numpy(values)
    found, sure = compute_gae(turns, valued, torch.from_numpy(rewards), torch.from_numpy(ends), learns, 0.9)
    assert (sure.numpy() == ~np.isnan(expected)).all()
    assert found.numpy()[sure] == pytest.approx(expected[sure], abs=1e-5)


def test_shares_add_up() -> None:
    assert split_by_weight(10, {"a": 1, "b": 1, "c": 1}) == {"a": 3, "b": 4, "c": 3}
    told = make_blocks(TINY.games, 0.25)
    assert told[0].first == 0
    assert [one.after for one in told[:-1]] == [one.first for one in told[1:]]
    assert told[-1].after == TINY.games.games
    assert {one.opponent for one in told} == {OPPONENT_LEAGUE, OPPONENT_SELF, "quick"}


def play(fleet: SelfPlayGames, steps: int, seed: int) -> list[bytes]:
    """Random choices, and what was seen."""
    random = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        for half, arrays in enumerate(fleet.arrays):
            chances = random.random(arrays.masks.shape) * arrays.masks
            arrays.actions[:] = chances.argmax(1)
            fleet.send(half)
            fleet.wait(half)
            seen.append(arrays.observations.tobytes() + arrays.hidden_states.tobytes() + arrays.end_kinds.tobytes())
    return seen


def test_games_that_are_kept_go_on_as_they_were() -> None:
    with SelfPlayGames(TINY, 0.25) as fleet:
        fleet.start({})
        play(fleet, 40, 1)
        kept = fleet.save()
        expected = play(fleet, 40, 2)
        assert max(arrays.end_kinds.max() for arrays in fleet.arrays) <= END_GAME
    with SelfPlayGames(cf.config_from_dict(cf.config_to_dict(TINY) | {"processes": 2}), 0.25) as other:
        other.start(kept)
        assert play(other, 40, 2) == expected


def test_a_teachers_games_are_played_again_from_a_file(tmp_path: Path) -> None:
    games = imitation.to_dataset(imitation.play_task("quick", 3, {"2": 1.0, "3": 1.0}, {"random": 1.0}))
    games.save(tmp_path / "games.npz")
    for path in (tmp_path, tmp_path / "games.npz"):
        again = imitation.load_dataset(path)
        assert again.all() == games.all()
    game = games.all()[0]
    told = imitation.replay_game(game)
    count = len(game.moves)
    assert [len(told[name]) for name in ("actions", "seats", "rounds", "points", "before")] == [count] * 5
    assert told["rounds"][0] == 1
    assert told["rounds"][-1] == 4
    moves = [ACTION_OF_MOVE[game.players][seat][move] for seat, move in zip(told["seats"], game.moves, strict=True)]
    assert moves == told["actions"]
    masks = np.frombuffer(told["masks"][0], np.bool_).reshape(count, -1)
    assert masks[np.arange(count), told["actions"]].all()


def test_a_folder_without_games_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no games in it"):
        imitation.load_dataset(tmp_path)
