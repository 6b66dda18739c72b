"""The batch engine: the games are those of the rules, in any number of processes."""

import os
import signal
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from argentum.envs.actions import MOVE_TABLE, mask
from argentum.envs.batch import Batch
from argentum.envs.observation import SIZE, encode
from argentum.envs.pool import WorkerLost
from argentum.envs.rewards import rewards
from argentum.envs.spaces import new_game
from argentum.rules.game import Game


def games_of(seed: int, boxes: str, players: int) -> Iterator[Game]:
    """The games that a place of a batch plays one after another, made anew by the rules alone."""
    chance = np.random.default_rng(seed)
    while True:
        yield new_game(boxes, players, "", Random(int(chance.integers(1 << 62))))


def seen(game: Game, seat: int) -> bytes:
    row = bytearray(SIZE)
    encode(game, seat, row)
    return bytes(row)


@pytest.mark.parametrize(
    ("boxes", "players", "reward"), [("dagger", 2, "rank"), ("coin", 3, "round"), ("random", 4, "difference")]
)
def test_every_row_is_what_the_rules_say(boxes: str, players: int, reward: str) -> None:
    places, chance, ended = 3, np.random.default_rng(5), 0
    coming = [games_of(11 + place, boxes, players) for place in range(places)]
    games = [next(one) for one in coming]
    with Batch(places, boxes, players, reward=reward) as batch:
        step = batch.reset(seed=11)
        while ended < 2:
            for place, game in enumerate(games):
                seat = game.chooser
                legal = bytearray(step.masks.shape[1])
                mask(game, seat, legal)
                assert step.seats[place] == seat
                assert step.observations[place].tobytes() == seen(game, seat)
                assert step.masks[place].tobytes() == bytes(legal)
            actions = batch.sample(chance)
            step = batch.step(actions)
            for place, game in enumerate(games):
                seat, finished = game.chooser, len(game.finished)
                game.play(MOVE_TABLE[players][seat][actions[place]])
                assert step.rewards[place].tolist() == pytest.approx(rewards(game, reward, finished))
                assert step.terminations[place] == game.over
                if game.over:
                    ended += 1
                    assert batch.last_observations[place].tobytes() == seen(game, seat)
                    games[place] = next(coming[place])


def test_processes_play_the_same_games() -> None:
    def played(processes: int) -> list[bytes]:
        chance, told = np.random.default_rng(2), []
        with Batch(5, "random", 3, processes=processes, reward="round") as batch:
            step = batch.reset(seed=3)
            for _ in range(150):
                told.append(b"".join(array.tobytes() for array in step))
                step = batch.step(batch.sample(chance))
            told.append(b"".join(array.tobytes() for array in batch.reset(seed=range(5))))
        return told

    assert played(1) == played(3)


def test_a_lost_worker_is_said_and_the_rest_ends() -> None:
    with Batch(4, processes=2) as batch:
        batch.reset(seed=1)
        (worker,) = batch.workers
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(WorkerLost, match=r"games 2 to 3 of the batch is gone \(exit code -9\)"):
            batch.step(batch.sample(np.random.default_rng(1)))


def test_closing_ends_the_processes() -> None:
    batch = Batch(4, processes=2)
    step = batch.reset(seed=1)
    (worker,) = batch.workers
    batch.close()
    batch.close()
    assert step.masks.any(axis=1).all()  # the arrays stay
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    with pytest.raises(ValueError, match="the batch is closed"):
        batch.reset()


def test_an_illegal_action_changes_nothing() -> None:
    with Batch(2) as batch:
        step = batch.reset(seed=1)
        before = step.masks.copy()
        actions = batch.sample(np.random.default_rng(1))
        actions[1] = 0
        with pytest.raises(
            ValueError, match="'draw' is not legal in game 1 of the batch; its seat may play: peek own 1, "
        ):
            batch.step(actions)
        assert (step.masks == before).all()
        actions[1] = -1
        batch.step(actions)
        assert (step.masks[0] != before[0]).any()
        assert (step.masks[1] == before[1]).all()


@pytest.mark.parametrize("actions", [[1], [0.5, 0.5], [0, 816], [-2, 0]])
def test_senseless_actions_are_refused(actions: list[float]) -> None:
    with Batch(2) as batch:
        batch.reset(seed=1)
        with pytest.raises(ValueError, match="actions are"):
            batch.step(actions)


def test_no_action_before_a_reset() -> None:
    with Batch(1) as batch, pytest.raises(ValueError, match="nothing before a reset"):
        batch.step([0])


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"games": 0}, "0 games in 1 processes"),
        ({"games": 1, "processes": 0}, "1 games in 0 processes"),
        ({"games": 1, "players": 5}, "5 players"),
        ({"games": 1, "opponents": "nobody"}, "there is no bot 'nobody'"),
        ({"games": 1, "opponents": ["random"], "players": 3}, "1 opponents for 3 players"),
        ({"games": 1, "reward": "money"}, "'money' is no reward"),
    ],
)
def test_bad_settings(settings: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Batch(**settings)  # type: ignore[arg-type]


def test_seeds_must_be_as_many_as_games() -> None:
    with Batch(2) as batch, pytest.raises(ValueError, match="3 seeds for 2 games"):
        batch.reset(seed=[1, 2, 3])


def test_sampling_gives_each_legal_action_a_chance() -> None:
    with Batch(200) as batch:
        step = batch.reset(seed=1)
        chosen = batch.sample(np.random.default_rng(1))
        assert step.masks[np.arange(200), chosen].all()
        assert len(set(chosen.tolist())) == 5  # the first look: any of five cards
