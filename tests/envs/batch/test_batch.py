"""The batch engine: the games are those of the rules, in any number of processes."""

import copy
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from argentum.envs import settings as settings_module
from argentum.envs import spaces
from argentum.envs.batch.batch import Batch, place_seeds
from argentum.envs.batch.workers import WorkerLost
from argentum.envs.episode import Episode, new_episode
from argentum.observations.actions import MOVE_OF_ACTION
from argentum.observations.history import EVENT_TOKEN_SIZE, OWN_ACTION_KIND
from argentum.observations.layout import COLUMN_INDEX, OBSERVATION_SIZE
from argentum.rules.table import NO_END_REASON


def games_of(seed: int, **settings: object) -> Iterator[Episode]:
    """The games that a place of a batch plays one after another, each in a `Game`."""
    chance, made = np.random.default_rng(seed), settings_module.make_settings(**settings)  # type: ignore[arg-type]
    while True:
        yield new_episode(made, Random(int(chance.integers(1 << 62))), True)


@pytest.mark.parametrize(
    "settings",
    [
        {"boxes": "dagger", "players": 2, "reward": "rank"},
        {"boxes": "coin", "players": 3, "reward": "round", "rounds": 2, "history": 5},
        {"boxes": "random", "players": 4, "reward": "difference", "rounds": 1},
        {"boxes": "amulet", "players": 3, "reward": "rank", "rounds": 1, "history": 16},
    ],
)
def test_every_row_is_what_a_game_of_the_rules_says(settings: dict[str, object]) -> None:
    """The batch plays on engines, and the games beside it in `Game`: rows, masks, memories and rewards are the same."""
    places, chance, ended = 3, np.random.default_rng(5), 0
    coming = [games_of(seed, **settings) for seed in place_seeds(11, places)]
    games = [next(one) for one in coming]
    with Batch(places, with_hidden_state=True, **settings) as batch:  # type: ignore[arg-type]
        step = batch.reset(seed=11)
        while ended < 2:
            for place, game in enumerate(games):
                seat = game.chooser
                assert step.seats[place] == seat
                assert step.masks[place].tobytes() == spaces.action_mask(game, seat).tobytes()
                both = step.observations[place].tobytes() + batch.hidden_states[place].tobytes()
                assert both == spaces.state_row(game, seat).tobytes()
            actions = batch.sample(chance)
            step = batch.step(actions)
            for place, game in enumerate(games):
                seat, finished = game.chooser, len(game.scores)
                game.step(MOVE_OF_ACTION[game.players][seat][actions[place]])
                gained = game.rewards(str(settings["reward"]), finished)
                assert step.rewards[place].tolist() == pytest.approx(gained)
                assert step.terminations[place] == game.over
                if game.over:
                    ended += 1
                    assert len(game.scores) == settings.get("rounds", 4)
                    assert batch.last_observations[place].tobytes() == spaces.observation_row(game, seat).tobytes()
                    outcome = game.outcome()
                    assert outcome is not None
                    assert batch.last_points[place].tolist() == outcome.points == game.table.totals
                    assert batch.last_ranks[place].tolist() == outcome.ranks
                    assert batch.last_reasons[place] == outcome.reason == game.table.end_reason
                    games[place] = next(coming[place])


def test_a_history_has_what_the_seat_was_told_and_did() -> None:
    with Batch(1, "dagger", history=6, rounds=1) as batch:
        step = batch.reset(seed=1)
        assert step.observations.shape == (1, OBSERVATION_SIZE + 6 * EVENT_TOKEN_SIZE)
        seat = int(step.seats[0])
        look = int(step.masks[0].argmax())
        step = batch.step([look])
        told = spaces.split_parts(step.observations)["history"][0]
        assert step.seats[0] == seat
        assert told[-1].tolist() == [OWN_ACTION_KIND, 1, 0, 0, 0, 0, 0, 0, look & 255, look >> 8, 0]
        assert told[-2][0] == 1  # the deal
        assert not told[:-2].any()
        step = batch.step([int(step.masks[0].argmax())])
        assert step.seats[0] != seat  # it is told that the other looked, but not at what, nor how it said so
        other = spaces.split_parts(step.observations)["history"][0]
        assert OWN_ACTION_KIND not in other[:, 0]
        assert other[-2:, 1].tolist() == [2, 2]
        assert not other[:, 4].any()


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("opponents", [(), "random"])
def test_a_batch_goes_on_the_same_after_pickling_and_copying(processes: int, opponents: str) -> None:
    def played(batch: Batch, chance: np.random.Generator) -> list[bytes]:
        told = []
        for _ in range(60):
            step = batch.step(batch.sample(chance))
            told.append(b"".join(array.tobytes() for array in [*step, batch.hidden_states]))
        return told

    with Batch(
        4, "random", 3, opponents=opponents, processes=processes, history=3, with_hidden_state=True, rounds=1
    ) as batch:
        batch.reset(seed=3)
        played(batch, np.random.default_rng(1))
        twins = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
        expected = played(batch, np.random.default_rng(2))
        for twin in twins:
            with twin:
                assert (twin.masks.any(axis=1)).all()
                assert played(twin, np.random.default_rng(2)) == expected


def test_hidden_states_are_separate_from_observations() -> None:
    with Batch(2, with_hidden_state=True) as batch, Batch(2) as plain:
        step, other = batch.reset(seed=1), plain.reset(seed=1)
        assert (step.observations == other.observations).all()
        assert batch.hidden_states.shape == (2, 2, 52)
        known = spaces.split_parts(step.observations)["cards"][..., COLUMN_INDEX["resident"]]
        assert (batch.hidden_states[:, 0] != known).sum() == 2 * 10  # the villages
        with pytest.raises(ValueError, match="has no hidden states"):
            _ = plain.hidden_states


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


@pytest.mark.parametrize("actions", [[1], [0.5, 0.5], [0, 872], [-2, 0]])
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
        ({"games": 1, "reward": "money"}, "'money' is not a reward"),
        ({"games": 1, "rounds": 5}, "5 rounds: a game has one to four"),
        ({"games": 1, "history": -1}, "history=-1"),
        ({"games": 1, "token": "zinc"}, "'zinc' is not a token"),
    ],
)
def test_bad_settings(settings: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Batch(**settings)  # type: ignore[arg-type]


def test_neighbouring_seeds_share_no_games() -> None:
    dealt: list[set[bytes]] = []
    with Batch(16, with_hidden_state=True) as batch:
        for seed in (1, 2):
            batch.reset(seed=seed)
            dealt.append({row.tobytes() for row in batch.hidden_states})
    first, second = dealt
    assert len(first) == len(second) == 16
    assert not first & second
    assert place_seeds(1, 8)[:4] == place_seeds(1, 4), "a place has its seed in a batch of any size"


def test_a_program_without_a_main_guard_is_told_of_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("from argentum.envs.batch.batch import Batch\nBatch(4, processes=2).reset(seed=1)\n")
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    said = ended.stderr.splitlines()[-1]
    assert "did not start" in said
    assert 'below `if __name__ == "__main__":`' in said


def test_seeds_must_be_as_many_as_games() -> None:
    with Batch(2) as batch, pytest.raises(ValueError, match="3 seeds for 2 games"):
        batch.reset(seed=[1, 2, 3])


def test_sampling_gives_each_legal_action_a_chance() -> None:
    with Batch(200) as batch:
        step = batch.reset(seed=1)
        chosen = batch.sample(np.random.default_rng(1))
        assert step.masks[np.arange(200), chosen].all()
        assert len(set(chosen.tolist())) == 5  # the first look: any of five cards


def test_an_illegal_action_can_end_a_game_and_cost() -> None:
    with Batch(3, boxes="coin", illegal_reward=-2.5) as batch:
        before = batch.reset(seed=4).observations.copy()
        step = batch.step(np.array([871, -1, int(batch.masks[2].argmax())]))
        assert step.terminations.tolist() == [True, False, False]
        assert sorted(step.rewards[0].tolist()) == [-2.5, 0.0]
        assert not step.rewards[1:].any()
        assert np.array_equal(batch.last_observations[0], before[0])
        assert batch.last_reasons[0] == NO_END_REASON, "nobody has won it"
        assert batch.step(np.array([4_000, -7, -1])).terminations.tolist() == [True, True, False]


def test_no_number_without_a_sign_is_taken_for_no_action() -> None:
    """In eight bytes, the largest is written as -1 is."""
    actions = np.array([2**64 - 1, 0], np.uint64)
    with Batch(2, illegal_reward=-2.5) as batch:
        actions[1] = batch.reset(seed=4).masks[1].argmax()
        assert batch.step(actions).terminations.tolist() == [True, False]
    with Batch(2) as batch:
        batch.reset(seed=4)
        with pytest.raises(ValueError, match="actions are numbered 0 to"):
            batch.step(actions)


def test_a_game_is_cut_short_at_its_limit() -> None:
    random = np.random.default_rng(2)
    with Batch(4, max_steps=6) as batch:
        batch.reset(seed=4)
        for nth in range(1, 13):
            step = batch.step(batch.sample(random))
            assert step.truncations.tolist() == [nth % 6 == 0] * 4
            assert not step.terminations.any()
            if nth == 9:
                travelled = pickle.loads(pickle.dumps(batch))
        again = np.random.default_rng(3)
        for _ in range(3):
            cut = travelled.step(travelled.sample(again)).truncations
        assert cut.all()  # the count has travelled, too
    with pytest.raises(ValueError, match="max_steps=-1"):
        Batch(1, max_steps=-1)


def by_place(place: int, random: Random) -> list[str]:
    """Opponents for a league: the first place always meets the same, the others somebody at random."""
    return ["quick", "random"] if place == 0 else random.choices(["random", "quick"], k=2)


@pytest.mark.parametrize("processes", [1, 2])
def test_opponents_for_each_game_anew(processes: int) -> None:
    with (
        Batch(4, "dagger", 3, opponents=by_place, rounds=1, processes=processes) as batch,
        Batch(4, "dagger", 3, opponents=by_place, rounds=1) as other,
    ):
        chance = np.random.default_rng(2)
        batch.reset(seed=3)
        other.reset(seed=3)
        met = {bots_met(other)}
        for _ in range(120):
            actions = batch.sample(chance)
            assert np.array_equal(batch.step(actions).observations, other.step(actions).observations)
            met.add(bots_met(other))
        assert {names[0] for names in met} == {("quick", "random")}
        assert len({names[1] for names in met}) > 1


def bots_met(batch: Batch) -> tuple[tuple[str, ...], ...]:
    """Who plays against each learner, clockwise from it."""
    found = []
    for match in batch._local_slice.games.episodes:
        seated = [match.bots[(match.learner + nth) % 3] for nth in (1, 2)]
        found.append(tuple(bot.name for bot in seated if bot is not None))
    return tuple(found)


@pytest.mark.parametrize("processes", [1, 2])
def test_other_opponents_from_the_next_game_on(processes: int) -> None:
    with Batch(2, "coin", 3, opponents="random", max_steps=3, processes=processes) as batch:
        batch.reset(seed=1)
        batch.set_opponents(["quick", "random"])
        assert bots_met(batch)[0] == ("random", "random")
        for _ in range(3):
            step = batch.step(batch.sample(np.random.default_rng(1)))
        assert step.truncations.all()
        assert bots_met(batch)[0] == ("quick", "random")
        with copy.copy(batch) as again:
            assert again._arguments["opponents"] == ["quick", "random"]
        with pytest.raises(ValueError, match="there is no bot 'nobody'"):
            batch.set_opponents("nobody")


def test_a_function_that_names_too_many_is_told() -> None:
    with (
        Batch(1, players=2, opponents=lambda place, random: ["random"] * 2) as batch,
        pytest.raises(ValueError, match="2 opponents for 2 players"),
    ):
        batch.reset(seed=1)
