"""The batch environment: rows equal those of single games, in any number of processes."""

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

from argentum.envs import spaces
from argentum.envs.batch import Batch, SettingsBlock, WorkerLost
from argentum.envs.batch.batch import place_seeds
from argentum.envs.episode import Episode, new_episode
from argentum.envs.settings import EnvSettings
from argentum.observations.actions import MOVE_OF_ACTION
from argentum.observations.history import EVENT_TOKEN_SIZE, OWN_ACTION_KIND
from argentum.observations.layout import COLUMN_INDEX, OBSERVATION_SIZE
from argentum.processes import ProcessPool
from argentum.rules.table import NO_END_REASON


def episodes_of_row(seed: int, **settings: object) -> Iterator[Episode]:
    """Yield, in succession, the games that a batch row with this seed plays, each running on a `Game`."""
    generator, env_settings = np.random.default_rng(seed), EnvSettings(**settings)  # type: ignore[arg-type]
    while True:
        yield new_episode(env_settings, Random(int(generator.integers(1 << 62))), True)


@pytest.mark.parametrize(
    "settings",
    [
        {"boxes": "dagger", "players": 2, "reward": "rank"},
        {"boxes": "coin", "players": 3, "reward": "round", "rounds": 2, "history": 5},
        {"boxes": "random", "players": 4, "reward": "difference", "rounds": 1},
        {"boxes": "amulet", "players": 3, "reward": "rank", "rounds": 1, "history": 16},
    ],
)
def test_rows_equal_those_of_single_games(settings: dict[str, object]) -> None:
    """Compare the rows of a batch, whose games run on the engine, with those of games that run on a `Game`."""
    rows, generator, ended = 3, np.random.default_rng(5), 0
    episodes = [episodes_of_row(seed, **settings) for seed in place_seeds(11, rows)]
    games = [next(row_episodes) for row_episodes in episodes]
    with Batch(rows, with_hidden_state=True, **settings) as batch:  # type: ignore[arg-type]
        step = batch.reset(seed=11)
        while ended < 2:
            for row, game in enumerate(games):
                seat = game.chooser
                assert step.seats[row] == seat
                assert step.masks[row].tobytes() == spaces.action_mask(game, seat).tobytes()
                state = step.observations[row].tobytes() + batch.hidden_states[row].tobytes()
                assert state == spaces.state_row(game, seat).tobytes()
            actions = batch.sample(generator)
            step = batch.step(actions)
            for row, game in enumerate(games):
                seat, finished = game.chooser, len(game.scores)
                game.step(MOVE_OF_ACTION[game.players][seat][actions[row]])
                rewards = game.rewards(str(settings["reward"]), finished)
                assert step.rewards[row].tolist() == pytest.approx(rewards)
                assert step.terminations[row] == game.over
                if game.over:
                    ended += 1
                    assert len(game.scores) == settings.get("rounds", 4)
                    assert (
                        batch.last_observations[row].tobytes()
                        == spaces.observe(game, seat, spaces.FORM_PLAIN).tobytes()
                    )
                    outcome = game.outcome()
                    assert outcome is not None
                    assert batch.last_points[row].tolist() == outcome.points == game.table.totals
                    assert batch.last_ranks[row].tolist() == outcome.ranks
                    assert batch.last_reasons[row] == outcome.reason == game.table.end_reason
                    games[row] = next(episodes[row])


def test_a_history_has_the_seats_events_and_actions() -> None:
    with Batch(1, boxes="dagger", history=6, rounds=1) as batch:
        step = batch.reset(seed=1)
        assert step.observations.shape == (1, OBSERVATION_SIZE + 6 * EVENT_TOKEN_SIZE)
        seat = int(step.seats[0])
        look = int(step.masks[0].argmax())
        step = batch.step([look])
        history = spaces.split_parts(step.observations)["history"][0]
        assert step.seats[0] == seat
        assert history[-1].tolist() == [OWN_ACTION_KIND, 1, 0, 0, 0, 0, 0, 0, look & 255, look >> 8, 0]
        assert history[-2][0] == 1  # the event of the deal
        assert not history[:-2].any()
        step = batch.step([int(step.masks[0].argmax())])
        assert step.seats[0] != seat  # The other seat has the event of the look, but neither the card nor the action.
        other = spaces.split_parts(step.observations)["history"][0]
        assert OWN_ACTION_KIND not in other[:, 0]
        assert other[-2:, 1].tolist() == [2, 2]
        assert not other[:, 4].any()


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("opponents", [(), "random"])
def test_pickled_and_copied_batches_continue_identically(processes: int, opponents: str) -> None:
    def play_randomly(batch: Batch, generator: np.random.Generator) -> list[bytes]:
        steps = []
        for _ in range(60):
            step = batch.step(batch.sample(generator))
            steps.append(b"".join(array.tobytes() for array in [*step, batch.hidden_states]))
        return steps

    with Batch(
        4,
        boxes="random",
        players=3,
        opponents=opponents,
        processes=processes,
        history=3,
        with_hidden_state=True,
        rounds=1,
    ) as batch:
        batch.reset(seed=3)
        play_randomly(batch, np.random.default_rng(1))
        copies = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
        expected = play_randomly(batch, np.random.default_rng(2))
        for copied in copies:
            with copied:
                assert (copied.masks.any(axis=1)).all()
                assert play_randomly(copied, np.random.default_rng(2)) == expected


def test_hidden_states_are_separate_from_observations() -> None:
    with Batch(2, with_hidden_state=True) as batch, Batch(2) as plain:
        step, other = batch.reset(seed=1), plain.reset(seed=1)
        assert (step.observations == other.observations).all()
        assert batch.hidden_states.shape == (2, 2, 52)
        known = spaces.split_parts(step.observations)["cards"][..., COLUMN_INDEX["resident"]]
        assert (batch.hidden_states[:, 0] != known).sum() == 2 * 10  # the cards in the villages
        with pytest.raises(ValueError, match="has no hidden states"):
            _ = plain.hidden_states


def test_games_do_not_depend_on_the_number_of_processes() -> None:
    def play_randomly(processes: int) -> list[bytes]:
        generator, steps = np.random.default_rng(2), []
        with Batch(5, boxes="random", players=3, processes=processes, reward="round") as batch:
            step = batch.reset(seed=3)
            for _ in range(150):
                steps.append(b"".join(array.tobytes() for array in step))
                step = batch.step(batch.sample(generator))
            steps.append(b"".join(array.tobytes() for array in batch.reset(seed=range(5))))
        return steps

    assert play_randomly(1) == play_randomly(3)


def test_a_lost_worker_is_reported_and_the_batch_can_be_closed() -> None:
    with Batch(4, processes=2) as batch:
        batch.reset(seed=1)
        (worker,) = batch.workers
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(WorkerLost, match=r"worker process 1 of 1 of the batch is gone \(exit code -9\)"):
            batch.step(batch.sample(np.random.default_rng(1)))


def test_closing_ends_the_worker_processes() -> None:
    batch = Batch(4, processes=2)
    step = batch.reset(seed=1)
    (worker,) = batch.workers
    batch.close()
    batch.close()
    assert step.masks.any(axis=1).all()  # closing keeps the arrays
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
def test_invalid_actions_are_refused(actions: list[float]) -> None:
    with Batch(2) as batch:
        batch.reset(seed=1)
        with pytest.raises(ValueError, match="actions are"):
            batch.step(actions)


def test_an_action_before_the_first_reset_is_refused() -> None:
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
        ({"games": 1, "boxes": ["coin", "gold"]}, "'gold' names no deck"),
        ({"games": 1, "boxes": []}, "boxes is an empty list"),
        ({"games": []}, "a batch has at least one block"),
        ({"games": [SettingsBlock(1, EnvSettings())], "boxes": "coin"}, "have their own settings"),
        ({"games": [SettingsBlock(1, EnvSettings()), SettingsBlock(1, EnvSettings(history=2))]}, "the same history"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Batch(**settings)  # type: ignore[arg-type]


def test_consecutive_seeds_share_no_games() -> None:
    dealt: list[set[bytes]] = []
    with Batch(16, with_hidden_state=True) as batch:
        for seed in (1, 2):
            batch.reset(seed=seed)
            dealt.append({row.tobytes() for row in batch.hidden_states})
    first, second = dealt
    assert len(first) == len(second) == 16
    assert not first & second
    assert place_seeds(1, 8)[:4] == place_seeds(1, 4), "the seed of a row does not depend on the number of games"


def test_a_missing_main_guard_is_explained(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("from argentum.envs.batch.batch import Batch\nBatch(4, processes=2).reset(seed=1)\n")
    result = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    message = result.stderr.splitlines()[-1]
    assert "did not start" in message
    assert 'below `if __name__ == "__main__":`' in message


def test_a_wrong_number_of_seeds_is_refused() -> None:
    with Batch(2) as batch, pytest.raises(ValueError, match="3 seeds for 2 games"):
        batch.reset(seed=[1, 2, 3])


def test_sampling_covers_all_legal_actions() -> None:
    with Batch(200) as batch:
        step = batch.reset(seed=1)
        actions = batch.sample(np.random.default_rng(1))
        assert step.masks[np.arange(200), actions].all()
        assert len(set(actions.tolist())) == 5  # five cards can be chosen in the first look


def test_with_an_illegal_reward_an_illegal_action_ends_its_game() -> None:
    with Batch(3, boxes="coin", illegal_reward=-2.5) as batch:
        before = batch.reset(seed=4).observations.copy()
        step = batch.step(np.array([871, -1, int(batch.masks[2].argmax())]))
        assert step.terminations.tolist() == [True, False, False]
        assert sorted(step.rewards[0].tolist()) == [-2.5, 0.0]
        assert not step.rewards[1:].any()
        assert np.array_equal(batch.last_observations[0], before[0])
        assert batch.last_reasons[0] == NO_END_REASON, "the game has no result"
        assert batch.step(np.array([4_000, -7, -1])).terminations.tolist() == [True, True, False]


def test_large_unsigned_actions_are_not_read_as_no_action() -> None:
    """Converted to int64, 2**64 - 1 would be -1, which stands for no action."""
    actions = np.array([2**64 - 1, 0], np.uint64)
    with Batch(2, illegal_reward=-2.5) as batch:
        actions[1] = batch.reset(seed=4).masks[1].argmax()
        assert batch.step(actions).terminations.tolist() == [True, False]
    with Batch(2) as batch:
        batch.reset(seed=4)
        with pytest.raises(ValueError, match="actions are numbered 0 to"):
            batch.step(actions)


def test_games_are_truncated_after_max_steps() -> None:
    random = np.random.default_rng(2)
    with Batch(4, max_steps=6) as batch:
        batch.reset(seed=4)
        for number in range(1, 13):
            step = batch.step(batch.sample(random))
            assert step.truncations.tolist() == [number % 6 == 0] * 4
            assert not step.terminations.any()
            if number == 9:
                restored = pickle.loads(pickle.dumps(batch))
        generator = np.random.default_rng(3)
        for _ in range(3):
            truncations = restored.step(restored.sample(generator)).truncations
        assert truncations.all(), "the counts of steps are pickled, too"
    with pytest.raises(ValueError, match="max_steps=-1"):
        Batch(1, max_steps=-1)


def league_opponents(index: int, random: Random) -> list[str]:
    """Return fixed opponents for the first game of a batch, random ones for the others."""
    return ["quick", "random"] if index == 0 else random.choices(["random", "quick"], k=2)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_opponents_function_is_called_for_each_game(processes: int) -> None:
    with (
        Batch(4, boxes="dagger", players=3, opponents=league_opponents, rounds=1, processes=processes) as batch,
        Batch(4, boxes="dagger", players=3, opponents=league_opponents, rounds=1) as other,
    ):
        generator = np.random.default_rng(2)
        batch.reset(seed=3)
        other.reset(seed=3)
        seen_opponents = {opponents_by_row(other)}
        for _ in range(120):
            actions = batch.sample(generator)
            assert np.array_equal(batch.step(actions).observations, other.step(actions).observations)
            seen_opponents.add(opponents_by_row(other))
        assert {names[0] for names in seen_opponents} == {("quick", "random")}
        assert len({names[1] for names in seen_opponents}) > 1


def opponents_by_row(batch: Batch) -> tuple[tuple[str, ...], ...]:
    """Return, for each game, the names of the bots, clockwise from the learner."""
    opponents = []
    for episode in batch._local_shares[0].slices[0].games.episodes:
        bots = [episode.bots[(episode.learner + offset) % 3] for offset in (1, 2)]
        opponents.append(tuple(bot.name for bot in bots if bot is not None))
    return tuple(opponents)


@pytest.mark.parametrize("processes", [1, 2])
def test_new_opponents_play_from_the_next_game_on(processes: int) -> None:
    with Batch(2, boxes="coin", players=3, opponents="random", max_steps=3, processes=processes) as batch:
        batch.reset(seed=1)
        batch.set_opponents(["quick", "random"])
        assert opponents_by_row(batch)[0] == ("random", "random")
        for _ in range(3):
            step = batch.step(batch.sample(np.random.default_rng(1)))
        assert step.truncations.all()
        assert opponents_by_row(batch)[0] == ("quick", "random")
        with copy.copy(batch) as copied:
            assert copied._plan.blocks[0].settings.opponents == ["quick", "random"]
        with pytest.raises(ValueError, match="there is no bot 'nobody'"):
            batch.set_opponents("nobody")


def test_an_opponents_function_that_returns_too_many_names_is_refused() -> None:
    with (
        Batch(1, players=2, opponents=lambda index, random: ["random"] * 2) as batch,
        pytest.raises(ValueError, match="2 opponents for 2 players"),
    ):
        batch.reset(seed=1)


def draw_deck(index: int, random: Random) -> str:
    """Return a deck that depends on the index in the batch."""
    return "bullet" if index == 0 else random.choice(["coin", "random"])


@pytest.mark.parametrize("boxes", [["amulet", "cccccccddddddd", "random"], draw_deck])
def test_each_game_draws_its_deck(boxes: object) -> None:
    with Batch(6, boxes=boxes, rounds=1, max_steps=2) as batch:  # type: ignore[arg-type]
        decks: list[set[str]] = [set() for _ in range(6)]
        batch.reset(seed=2)
        for _ in range(40):
            batch.step(batch.sample(np.random.default_rng(1)))
            for index, episode in enumerate(batch._local_shares[0].slices[0].games.episodes):
                decks[index].add(episode.episode.setup.code)
    assert len(decks[5]) > 5, "random decks differ"
    if callable(boxes):
        assert decks[0] == {"b" * 14}
        assert "c" * 14 in decks[1]
    else:
        assert {"a" * 14, "cccccccddddddd"} < decks[0]


BLOCKS = (
    SettingsBlock(3, EnvSettings(boxes="dagger", rounds=1)),
    SettingsBlock(4, EnvSettings(boxes="random", players=4, opponents="quick", seat="B", reward="round")),
    SettingsBlock(2, EnvSettings(boxes="coin", players=3, max_steps=5)),
)


def play_blocks(batch: Batch, steps: int, seed: int) -> list[bytes]:
    """Play random actions; return the results of each step."""
    generator, results = np.random.default_rng(seed), []
    for _ in range(steps):
        step = batch.step(batch.sample(generator))
        results.append(b"".join(array.tobytes() for array in (*step, batch.round_ends)))
    return results


def test_a_block_plays_the_games_that_its_settings_would_play_alone() -> None:
    first = 0
    seeds = place_seeds(5, 9)
    with Batch(BLOCKS) as batch:
        for games, settings in BLOCKS:
            rows = slice(first, first + games)
            with Batch(games, settings) as alone:
                batch.reset(seeds)
                alone.reset(seeds[rows])
                generator = np.random.default_rng(3)
                for _ in range(60):
                    actions = batch.sample(generator)
                    step, step_alone = batch.step(actions), alone.step(actions[rows])
                    assert np.array_equal(step.observations[rows], step_alone.observations)
                    assert np.array_equal(step.rewards[rows, : settings.players], step_alone.rewards)
                    assert not step.rewards[rows, settings.players :].any()
                    assert np.array_equal(step.terminations[rows], step_alone.terminations)
                    assert np.array_equal(step.truncations[rows], step_alone.truncations)
                    assert np.array_equal(batch.round_ends[rows], alone.round_ends)
            first += games


def test_saved_games_continue_identically_in_other_processes() -> None:
    with Batch(BLOCKS, processes=2) as batch:
        batch.reset(seed=3)
        play_blocks(batch, 30, 1)
        saved = batch.save()
        expected = play_blocks(batch, 60, 2)
    with Batch(BLOCKS, processes=3) as other:
        other.restore(saved)
        assert play_blocks(other, 60, 2) == expected


def test_two_batches_share_the_processes_of_a_pool() -> None:
    results: list[list[bytes]] = [[], []]
    with ProcessPool(2, "test") as pool:
        halves = [Batch(BLOCKS, pool=pool) for _ in range(2)]
        for seed, half in enumerate(halves):
            half.reset(seed)
        assert halves[0].workers == halves[1].workers
        generators = [np.random.default_rng(2) for _ in halves]
        for _ in range(40):
            for half, generator in zip(halves, generators, strict=True):
                half.send(half.sample(generator))
            for index in (1, 0):  # not in the order of the requests
                results[index].append(halves[index].wait().observations.tobytes())
    for seed, observations in enumerate(results):
        with Batch(BLOCKS) as alone:
            alone.reset(seed)
            generator = np.random.default_rng(2)
            expected = [alone.step(alone.sample(generator)).observations.tobytes() for _ in range(40)]
        assert observations == expected


def fail_in_the_first_game(index: int, random: Random) -> str:
    return "nowhere" if index == 0 else "coin"


def test_a_call_that_failed_in_this_process_leaves_no_results_of_the_others() -> None:
    with Batch(4, boxes=fail_in_the_first_game, processes=2) as batch:
        for _ in range(2):
            with pytest.raises(ValueError, match="'nowhere' names no deck"):
                batch.reset(seed=1)
        batch._remote_shares.send("save")
        (saved,) = batch._remote_shares.receive()
        assert list(saved) == [2, 3]


def test_games_of_another_batch_are_refused() -> None:
    with Batch(2) as batch, Batch(3) as other:
        assert pickle.loads(pickle.dumps(batch)).save() == []
        batch.reset(seed=1)
        with pytest.raises(ValueError, match="2 saved games for a batch of 3"):
            other.restore(batch.save())


def test_send_and_wait_alternate() -> None:
    with Batch(2) as batch:
        batch.reset(seed=1)
        with pytest.raises(ValueError, match=r"call send\(\)"):
            batch.wait()
        batch.send(batch.sample(np.random.default_rng(1)))
        with pytest.raises(ValueError, match=r"call wait\(\)"):
            batch.send([0, 0])
        with pytest.raises(ValueError, match=r"call wait\(\)"):
            pickle.dumps(batch)
        assert batch.wait().masks.any(axis=1).all()
