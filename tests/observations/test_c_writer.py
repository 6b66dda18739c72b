"""The C writer is optional and writes the same bytes as the plain definitions."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from argentum import Game
from argentum.envs import episode as episode_module
from argentum.envs.batch.batch import Batch
from argentum.envs.episode import Episode, EpisodeSetup, GameEpisode
from argentum.envs.rows import RowWriter, row_of
from argentum.observations import c_header, c_writer, history, layout, one_hot
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.history import EVENT_TOKEN_SIZE, PlainHistory
from argentum.observations.view_writer import write_observation
from argentum.rules import engine
from argentum.rules.boxes import BOX_LETTERS, BOX_NAMES
from argentum.rules.events import DREW, EVENT_KINDS
from argentum.rules.notation import DONE, SEAT_LETTERS
from argentum.rules.table import NO_SEAT
from tests.random_games import games, play_drawing_and_using, random_move

needs_c_writer = pytest.mark.skipif(c_writer.load() is None, reason="the C writer is not built here")
HISTORY = 5


@contextmanager
def without_c_writer() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(c_writer, "load", lambda: None)
        patch.setattr(c_writer, "problem", lambda: c_writer.MISSING)
        yield


def make_setup(boxes: str, seed: int) -> EpisodeSetup:
    """Return a game of a box or, for other names, of a random deck."""
    random = Random(seed)
    code = {box: letter * 14 for box, letter in zip(BOX_NAMES, BOX_LETTERS, strict=True)}.get(boxes)
    return EpisodeSetup(
        code or "".join(random.choices(BOX_LETTERS, k=14)),
        2 + seed % 3,
        random.choice(["", *BOX_NAMES]),
        1 + seed % 2,
        seed,
        HISTORY,
    )


def row_bytes(row: RowWriter) -> tuple[bytes, bytes, bytes, bytes]:
    return bytes(row.observations), bytes(row.masks), bytes(row.seats), bytes(row.hidden_states)


def test_the_c_writer_is_built_for_the_current_layout() -> None:
    assert c_writer.problem() != c_writer.STALE


def test_the_c_header_is_written_only_if_it_changes(tmp_path: Path) -> None:
    header = tmp_path / "_layout.h"
    c_header.write_c_header(header)
    assert f"#define OBSERVATION_SIZE ({layout.OBSERVATION_SIZE})" in header.read_text(encoding="utf-8").splitlines()
    os.utime(header, (1, 1))
    c_header.write_c_header(header)
    assert header.stat().st_mtime == 1
    header.write_text("")
    c_header.write_c_header(header)
    assert header.read_text(encoding="utf-8") == c_header.c_header()


# Rows.


@needs_c_writer
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "mixed"])
def test_rows_are_equal_throughout_games(boxes: str) -> None:
    random = Random(7)
    for seed in range(6):
        setup = make_setup(boxes, seed)
        episode = Episode(setup)
        with without_c_writer():
            plain = GameEpisode(setup) if seed % 4 == 0 else Episode(setup)
        assert isinstance(plain.history, PlainHistory) != isinstance(episode.history, PlainHistory)
        while True:
            if random.random() < 0.3 or episode.over:
                rows = [row_bytes(row_of(episode, seat)) for seat in range(episode.players)]
                with without_c_writer():
                    expected = [row_bytes(row_of(plain, seat)) for seat in range(episode.players)]
                assert rows == expected, (boxes, seed, episode.moves)
            if episode.over:
                break
            moves = episode.legal_moves()
            move = random.choice(moves) if random.random() < 0.3 else engine.random_move(moves, DONE in moves, random)
            episode.step(move)
            plain.step(move)


def c_observation(game: Game, seat: int) -> bytes:
    """Return the observation of a seat, written by the C writer over other bytes."""
    arrays = [bytearray(b"\xff" * size) for size in (layout.OBSERVATION_SIZE, ACTION_COUNT, 1, 0)]
    chooser = NO_SEAT if game.over else SEAT_LETTERS.index(game.to_move)
    table, legal = game.position().table, [*game.legal()] if seat == chooser else []
    encoder = c_writer.load().Encoder(*arrays, game.players, 0)
    encoder.write(0, table, seat, chooser, game.over, legal, layout.cast_bytes(table.cast), b"")
    return bytes(arrays[0])


def assert_equal_observations(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        assert c_observation(game, seat) == write_observation(game.view(letter))


@needs_c_writer
@settings(max_examples=150)
@given(games())
def test_observations_are_equal_in_random_positions(game: Game) -> None:
    assert_equal_observations(game)


@needs_c_writer
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "abcdabcdabcdab"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_observations_are_equal_throughout_games(boxes: str, players: int) -> None:
    """The games differ in how moves are chosen, because each way leads to other positions."""
    random = Random(players)
    choosers = (
        lambda game: game.play(random_move(game, random)),
        lambda game: game.play(random.choice([*game.legal()])),  # leads to large villages
        lambda game: play_drawing_and_using(game, random, 1),
    )
    for play in choosers:
        game = Game.new(boxes, players, seed=players)
        positions = 0
        while not game.over and positions < 400:
            if positions < 20 or random.random() < 0.2:
                assert_equal_observations(game)
            play(game)
            positions += 1
        assert_equal_observations(game)


# Histories.


@needs_c_writer
@settings(max_examples=60)
@given(games())
def test_histories_are_equal_in_random_positions(game: Game) -> None:
    """The events of a table are those that the last turns have left there."""
    events = game.position().table.events
    for limit in (1, 3, 200):
        plain, fast = PlainHistory(game.players, limit), c_writer.load().History(game.players, limit)
        for first in range(0, len(events), 7):
            plain.append_token(first % game.players, history.action_token(first))
            fast.append_token(first % game.players, history.action_token(first))
            plain.add_events(events[: first + 7], first)
            fast.add_events(events[: first + 7], first)
        for seat in range(game.players):
            assert fast.tokens(seat) == plain.tokens(seat)


@needs_c_writer
@pytest.mark.parametrize("kind", range(len(EVENT_KINDS)))
def test_histories_are_equal_for_each_kind_of_event(kind: int) -> None:
    plain, fast = PlainHistory(3, 40), c_writer.load().History(3, 40)
    for extra in range(-1 if kind == DREW else 0, 40):
        raw = (kind, 1, 64 + 5, 9, 0b011, extra, 0)
        try:
            plain.add_events([raw], 0)
        except IndexError:
            continue  # no event of this kind has this value
        fast.add_events([raw], 0)
    assert [fast.tokens(seat) for seat in range(3)] == [plain.tokens(seat) for seat in range(3)]


# Batches.


def record_batch_arrays(**settings: Any) -> list[NDArray[Any]]:
    """Run 100 random steps of a batch; return copies of all its arrays after each step."""
    random = np.random.default_rng(3)
    arrays: list[NDArray[Any]] = []
    with Batch(4, boxes="random", with_hidden_state=True, history=4, **settings) as games:
        step = games.reset(seed=5)
        for _ in range(100):
            step = games.step(games.sample(random))
            arrays += [array.copy() for array in (*step, games.hidden_states, games.last_observations)]
    return arrays


@needs_c_writer
@pytest.mark.parametrize("settings", [{"players": 3, "max_steps": 40}, {"opponents": "random", "rounds": 1}])
def test_a_batch_is_the_same_without_the_c_writer(settings: dict[str, Any]) -> None:
    with_c_writer = record_batch_arrays(**settings)
    with without_c_writer(), pytest.warns(RuntimeWarning, match="slow.*C compiler"):
        without = record_batch_arrays(**settings)
    for first, second in zip(with_c_writer, without, strict=True):
        assert np.array_equal(first, second)


def test_a_missing_c_writer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argentum.observations._encode", None)
    monkeypatch.delattr("argentum.observations._encode", raising=False)
    assert c_writer.problem.__wrapped__() == c_writer.MISSING


@needs_c_writer
def test_a_c_writer_for_another_layout_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert c_writer.problem.__wrapped__() == ""
    monkeypatch.setattr(c_writer.load(), "LAYOUT_DIGEST", 1)
    assert c_writer.problem.__wrapped__() == c_writer.STALE


def test_sampling_before_a_reset_is_refused() -> None:
    random = np.random.default_rng(1)
    with Batch(2) as games, pytest.raises(ValueError, match="reset"):
        games.sample(random)
    with without_c_writer(), pytest.warns(RuntimeWarning):
        plain = Batch(2)
    with without_c_writer(), plain, pytest.raises(ValueError, match="reset"):
        plain.sample(random)


# Vectors.


@needs_c_writer
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "mixed"])
def test_vectors_are_equal_throughout_games(boxes: str) -> None:
    for seed in range(3):
        random, episode = Random(seed), Episode(make_setup(boxes, seed))
        rows = []
        while not episode.over:
            rows.append(bytes(row_of(episode, random.randrange(episode.players)).observations))
            episode.step(random.choice(episode.legal_moves()))
        observations = np.stack([np.frombuffer(row, np.uint8) for row in rows])
        vectors = np.full_like(one_hot.encode_one_hot(observations), 7)
        one_hot.encode_one_hot(observations, vectors)
        expected = np.empty_like(vectors)
        one_hot.write_one_hot(observations, expected)
        assert np.array_equal(vectors, expected)


@needs_c_writer
def test_vectors_of_any_bytes_are_equal() -> None:
    """Larger values than in any game are clipped, or have no float."""
    size = layout.OBSERVATION_SIZE + 3 * EVENT_TOKEN_SIZE
    rows = np.random.default_rng(1).integers(0, 256, (20, size)).astype(np.uint8)
    cards = rows[:, layout.PART_BY_NAME["cards"].offset : layout.OBSERVATION_SIZE].reshape(20, -1, layout.TOKEN_SIZE)
    cards[..., layout.COLUMN_INDEX["where"]] = 0  # Two tokens of the same slot have no meaning.
    cards[..., layout.COLUMN_INDEX["place"]] = 0
    expected = np.empty_like(one_hot.encode_one_hot(rows))
    one_hot.write_one_hot(rows, expected)
    assert np.array_equal(one_hot.encode_one_hot(rows), expected)


def test_vectors_are_not_written_to_an_array_of_another_shape_or_type() -> None:
    rows = np.zeros((2, layout.OBSERVATION_SIZE), np.uint8)
    vectors = one_hot.encode_one_hot(rows)
    out: Any
    for out in (vectors[:1], vectors.astype(np.float64), np.asfortranarray(vectors)):
        with pytest.raises(ValueError, match="need a contiguous array"):
            one_hot.encode_one_hot(rows, out)


# Errors.


@needs_c_writer
def test_invalid_arguments_of_an_encoder_raise_errors() -> None:
    module, table = c_writer.load(), Episode(make_setup("dagger", 3)).table.copy()
    cast = layout.cast_bytes(table.cast)
    arrays = [bytearray(size) for size in (layout.OBSERVATION_SIZE, ACTION_COUNT, 1, 0)]
    encoder = module.Encoder(*arrays, 2, 0)
    with pytest.raises(ValueError, match="no such row"):
        encoder.write(1, table, 0, 0, False, [], cast, b"")
    with pytest.raises(ValueError, match="no such row"):
        encoder.write(0, table, 2, 0, False, [], cast, b"")
    with pytest.raises(ValueError, match="no such row"):
        encoder.write(0, table, 0, 0, False, [], cast, b"more")
    with pytest.raises(TypeError, match="write"):
        encoder.write(0, table, 0, 0, False, [], b"", b"")
    with pytest.raises(AttributeError):
        encoder.write(0, object(), 0, 0, False, [], cast, b"")
    with pytest.raises(ValueError, match="does not make sense"):
        encoder.write(0, table, 0, 0, False, [99_999], cast, b"")
    table.deck = list(range(60))
    with pytest.raises(ValueError, match="too long"):
        encoder.write(0, table, 0, 0, False, [], cast, b"")
    with pytest.raises(ValueError, match="different numbers of games"):
        module.Encoder(bytearray(1), *arrays[1:], 2, 0)
    with pytest.raises(ValueError, match="number of players"):
        module.Encoder(*arrays, 5, 0)


@needs_c_writer
def test_invalid_arguments_of_a_history_raise_errors() -> None:
    module = c_writer.load()
    for players, limit in ((1, 3), (5, 3), (2, 0)):
        with pytest.raises(ValueError, match="number of players"):
            module.History(players, limit)
    fast = module.History(2, 3)
    with pytest.raises(TypeError, match="add_events"):
        fast.add_events((), 0)
    for events in ([(0, 0)], [(99, 0, 0, 0, 0, 0)], [("dealt", 0, 0, 0, 0, 0)]):
        with pytest.raises(ValueError, match="six integers"):
            fast.add_events(events, 0)
    with pytest.raises(TypeError, match="append_token"):
        fast.append_token(2, bytes(EVENT_TOKEN_SIZE))
    with pytest.raises(ValueError, match="no such seat"):
        fast.tokens(2)


@needs_c_writer
def test_invalid_arguments_of_functions_raise_errors() -> None:
    module = c_writer.load()
    for size, row_size, floats in ((10, 10, 0), (layout.OBSERVATION_SIZE, layout.OBSERVATION_SIZE, 3)):
        with pytest.raises(ValueError, match="does not fit"):
            module.one_hot(bytes(size), row_size, np.zeros(floats, np.float32))
    assert not module.sample(bytes(ACTION_COUNT), np.zeros(2), np.zeros(1, np.int64))


def test_an_episode_without_a_history_has_none() -> None:
    assert episode_module.make_history(2, 0) is None
