"""The encoder in C is optional and writes the same bytes as `table_writer`."""

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from librt.strings import BytesWriter
from numpy.typing import NDArray

from argentum.envs.batch import batch, workers
from argentum.envs.batch.batch import Batch
from argentum.envs.episode import Episode, EpisodeSetup, GameEpisode
from argentum.observations import encoder as encoder_module
from argentum.observations import layout, table_writer
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.observations.table_writer import write_action_mask
from argentum.rules.boxes import BOX_LETTERS, BOX_NAMES
from argentum.rules.engine import random_move
from argentum.rules.notation import DONE

needs_encoder = pytest.mark.skipif(not encoder_module.is_available(), reason="the encoder is not built here")
HISTORY = 5


class RowWriter:
    """The arrays of a batch with one row, and an encoder that writes to them."""

    def __init__(self, players: int) -> None:
        self.observation = bytearray(layout.OBSERVATION_SIZE + EVENT_TOKEN_SIZE * HISTORY)
        self.mask = bytearray(ACTION_COUNT)
        self.seat = bytearray(1)
        self.hidden_state = bytearray(layout.HIDDEN_STATE_SIZE)
        arrays = [memoryview(array) for array in (self.observation, self.mask, self.seat, self.hidden_state)]
        encoder = encoder_module.make_encoder(arrays[0], arrays[1], arrays[2], arrays[3], players, HISTORY)
        assert encoder is not None
        self.encoder = encoder

    def write(self, episode: Episode, seat: int) -> tuple[bytes, bytes, bytes]:
        for array in (self.observation, self.mask, self.hidden_state):
            array[:] = b"\xff" * len(array)  # All bytes must be overwritten.
        table = episode.table
        legal = episode.legal_moves() if seat == episode.chooser else []
        deck, history = table_writer.encode_cast(table.cast).encoder_bytes, episode.histories[seat].to_bytes()
        self.encoder.write(
            0, encoder_module.table_fields(table), seat, episode.chooser, episode.over, legal, deck, history
        )
        assert self.seat[0] == seat
        return bytes(self.observation), bytes(self.mask), bytes(self.hidden_state)


def reference_row(episode: Episode, seat: int) -> tuple[bytes, bytes, bytes]:
    observation, mask, hidden_state = BytesWriter(), BytesWriter(), BytesWriter()
    episode.write_observation(seat, observation, hidden_state)
    write_action_mask(episode.legal_moves() if seat == episode.chooser else [], seat, episode.players, mask)
    return observation.getvalue(), mask.getvalue(), hidden_state.getvalue()


def make_episode(boxes: str, seed: int) -> Episode:
    """Start a game of a box or, for other names, of a random deck; on a `Game` for every fourth seed."""
    random = Random(seed)
    code = {box: letter * 14 for box, letter in zip(BOX_NAMES, BOX_LETTERS, strict=True)}.get(boxes)
    setup = EpisodeSetup(
        code or "".join(random.choices(BOX_LETTERS, k=14)),
        2 + seed % 3,
        random.choice(["", *BOX_NAMES]),
        1 + seed % 2,
        seed,
        HISTORY,
    )
    return GameEpisode(setup) if seed % 4 == 0 else Episode(setup)


def test_the_c_header_is_written_only_if_it_changes(tmp_path: Path) -> None:
    header = tmp_path / "_layout.h"
    layout.write_c_header(header)
    assert f"#define OBSERVATION_SIZE {layout.OBSERVATION_SIZE}" in header.read_text(encoding="utf-8").splitlines()
    os.utime(header, (1, 1))
    layout.write_c_header(header)
    assert header.stat().st_mtime == 1
    header.write_text("")
    layout.write_c_header(header)
    assert header.read_text(encoding="utf-8") == layout.c_header()


def test_the_asker_number_of_rules_follows_those_of_the_boxes() -> None:
    assert len(BOX_NAMES) + 1 == layout.RULE_ASKER


@needs_encoder
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "mixed"])
def test_the_encoder_writes_the_same_bytes_as_python(boxes: str) -> None:
    rows = {players: RowWriter(players) for players in (2, 3, 4)}
    random = Random(7)
    for seed in range(6):
        episode = make_episode(boxes, seed)
        while True:
            for seat in range(episode.players):
                assert rows[episode.players].write(episode, seat) == reference_row(episode, seat), (
                    boxes,
                    seed,
                    episode.moves,
                )
            if episode.over:
                break
            moves = episode.legal_moves()
            episode.step(random.choice(moves) if random.random() < 0.3 else random_move(moves, DONE in moves, random))


def record_batch_arrays(**settings: Any) -> list[NDArray[Any]]:
    """Run 300 random steps of a batch; return copies of all its arrays after each step."""
    random = np.random.default_rng(3)
    arrays: list[NDArray[Any]] = []
    with Batch(8, boxes="random", with_hidden_state=True, history=4, **settings) as games:
        step = games.reset(seed=5)
        for _ in range(300):
            step = games.step(games.sample(random))
            arrays += [array.copy() for array in (*step, games.hidden_states, games.last_observations)]
    return arrays


@needs_encoder
@pytest.mark.parametrize("settings", [{"players": 3}, {"opponents": "random", "rounds": 1}])
def test_a_batch_is_the_same_without_the_encoder(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_encoder = record_batch_arrays(**settings)
    monkeypatch.setattr(workers, "make_encoder", lambda *_: None)
    monkeypatch.setattr(batch, "get_sampler", lambda: None)
    monkeypatch.setattr(batch, "get_checker", lambda: None)
    for first, second in zip(with_encoder, record_batch_arrays(**settings), strict=True):
        assert np.array_equal(first, second)


def test_a_batch_works_without_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argentum.observations._encode", None)
    monkeypatch.delattr("argentum.observations._encode", raising=False)
    assert not encoder_module.is_available()
    with Batch(2) as games:
        assert games.reset(seed=1).masks.sum(axis=1).tolist() == [5, 5]


@needs_encoder
def test_invalid_arguments_raise_errors() -> None:
    rows = RowWriter(2)
    episode = make_episode("dagger", 3)
    table = episode.table.copy()
    deck, history = table_writer.encode_cast(table.cast).encoder_bytes, bytes(EVENT_TOKEN_SIZE * HISTORY)
    with pytest.raises(ValueError, match="no such row"):
        rows.encoder.write(1, encoder_module.table_fields(table), 0, 0, False, [], deck, history)
    with pytest.raises(ValueError, match="no such row"):
        rows.encoder.write(0, encoder_module.table_fields(table), 2, 0, False, [], deck, history)
    with pytest.raises(TypeError, match="write"):
        rows.encoder.write(0, encoder_module.table_fields(table), 0, 0, False, [], b"", history)
    with pytest.raises(ValueError, match="does not make sense"):
        rows.encoder.write(0, encoder_module.table_fields(table), 0, 0, False, [99_999], deck, history)
    table.deck = [60, *table.deck]
    with pytest.raises(ValueError, match=r"does not make sense|too long"):
        rows.encoder.write(0, encoder_module.table_fields(table), 0, 0, False, [], deck, history)
    with Batch(2) as games, pytest.raises(ValueError, match="reset"):
        games.sample(np.random.default_rng(1))


@needs_encoder
def test_prefetching_changes_no_result() -> None:
    random = np.random.default_rng(5)
    with Batch(24, boxes="random", players=3, rounds=1) as prefetching, Batch(24, "random", 3, rounds=1) as plain:
        prefetching._local_slice.games.prefetch = True
        steps = [prefetching.reset(seed=4), plain.reset(seed=4)]
        for _ in range(150):
            actions = plain.sample(random)
            steps = [prefetching.step(actions), plain.step(actions)]
            for first, second in zip(*steps, strict=True):
                assert np.array_equal(first, second)


@needs_encoder
def test_games_with_bots_are_not_prefetched() -> None:
    random = np.random.default_rng(5)
    with Batch(4, rounds=1, max_steps=20) as games:
        games._local_slice.games.prefetch = True
        games.reset(seed=4)
        games.set_opponents("novice")
        for _ in range(150):
            games.step(games.sample(random))
        assert any(bot_episode.episode.has_game for bot_episode in games._local_slice.games.episodes)


@needs_encoder
def test_invalid_trace_arguments_raise_errors() -> None:
    rows = RowWriter(2)
    fields = encoder_module.table_fields(make_episode("dagger", 1).table)
    with pytest.raises(TypeError, match="trace"):
        rows.encoder.trace(0, [], None)
    with pytest.raises(TypeError, match="trace"):
        rows.encoder.trace(1, fields, None)
    rows.encoder.trace(0, fields, None, 1, "anything")
