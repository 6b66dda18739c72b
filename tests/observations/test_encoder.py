"""The encoder in C writes what the definition in Python says, byte for byte; and nothing depends on its being there."""

import sys
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
from argentum.observations import layout as ob
from argentum.observations import table_writer
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.observations.table_writer import write_action_mask
from argentum.rules.engine import random_move
from argentum.rules.residents import BOXES, LETTERS

needs_encoder = pytest.mark.skipif(not encoder_module.is_available(), reason="the encoder is not built here")
HISTORY = 5


class Rows:
    """The arrays of one row, and the encoder that writes it."""

    def __init__(self, players: int) -> None:
        self.observation = bytearray(ob.OBSERVATION_SIZE + EVENT_TOKEN_SIZE * HISTORY)
        self.mask = bytearray(ACTION_COUNT)
        self.seat = bytearray(1)
        self.truth = bytearray(ob.HIDDEN_STATE_SIZE)
        arrays = [memoryview(array) for array in (self.observation, self.mask, self.seat, self.truth)]
        encoder = encoder_module.make_encoder(arrays[0], arrays[1], arrays[2], arrays[3], players, HISTORY)
        assert encoder is not None
        self.encoder = encoder

    def write(self, play: Episode, seat: int) -> tuple[bytes, bytes, bytes]:
        """What the encoder writes."""
        for array in (self.observation, self.mask, self.truth):
            array[:] = b"\xff" * len(array)  # nothing may stay as it was
        table = play.table
        legal = play.legal_moves() if seat == play.chooser else []
        deck, memory = table_writer.encoded_cast(table.cast).encoder_bytes, play.histories[seat].to_bytes()
        self.encoder.write(0, encoder_module.table_fields(table), seat, play.chooser, play.over, legal, deck, memory)
        assert self.seat[0] == seat
        return bytes(self.observation), bytes(self.mask), bytes(self.truth)


def defined(play: Episode, seat: int) -> tuple[bytes, bytes, bytes]:
    """What the definition says."""
    observation, mask, truth = BytesWriter(), BytesWriter(), BytesWriter()
    play.write_observation(seat, observation, truth)
    write_action_mask(play.legal_moves() if seat == play.chooser else [], seat, play.players, mask)
    return observation.getvalue(), mask.getvalue(), truth.getvalue()


def plays(boxes: str, seed: int) -> Episode:
    """A game of a box, or of a mixed deck with any token; some of them in a `Game`."""
    random = Random(seed)
    code = {box: letter * 14 for box, letter in zip(BOXES, LETTERS, strict=True)}.get(boxes)
    dealt = EpisodeSetup(
        code or "".join(random.choices(LETTERS, k=14)),
        2 + seed % 3,
        random.choice(["", *BOXES]),
        1 + seed % 2,
        seed,
        HISTORY,
    )
    return GameEpisode(dealt) if seed % 4 == 0 else Episode(dealt)


@needs_encoder
@pytest.mark.parametrize("boxes", [*BOXES, "mixed"])
def test_the_encoder_writes_what_the_definition_says(boxes: str) -> None:
    rows = {players: Rows(players) for players in (2, 3, 4)}
    random = Random(7)
    for seed in range(6):
        play = plays(boxes, seed)
        while True:
            for seat in range(play.players):
                assert rows[play.players].write(play, seat) == defined(play, seat), (boxes, seed, play.moves)
            if play.over:
                break
            choices = play.legal_moves()
            play.step(random.choice(choices) if random.random() < 0.3 else random_move(choices, random))


def played(**settings: Any) -> list[NDArray[Any]]:
    """All that a batch gives in 300 steps."""
    random = np.random.default_rng(3)
    given: list[NDArray[Any]] = []
    with Batch(8, boxes="random", with_hidden_state=True, history=4, **settings) as games:
        step = games.reset(seed=5)
        for _ in range(300):
            step = games.step(games.sample(random))
            given += [array.copy() for array in (*step, games.hidden_states, games.last_observations)]
    return given


@needs_encoder
@pytest.mark.parametrize("settings", [{"players": 3}, {"opponents": "random", "rounds": 1}])
def test_a_batch_is_the_same_without_it(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = played(**settings)
    monkeypatch.setattr(workers, "make_encoder", lambda *_: None)
    monkeypatch.setattr(batch, "get_sampler", lambda: None)
    monkeypatch.setattr(batch, "get_checker", lambda: None)
    for one, other in zip(with_it, played(**settings), strict=True):
        assert np.array_equal(one, other)


def test_an_install_without_it_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argentum.observations._encode", None)
    monkeypatch.delattr("argentum.observations._encode", raising=False)
    assert not encoder_module.is_available()
    with Batch(2) as games:
        assert games.reset(seed=1).masks.sum(axis=1).tolist() == [5, 5]


@needs_encoder
def test_what_makes_no_sense_is_an_error_and_no_crash() -> None:
    rows = Rows(2)
    play = plays("dagger", 3)
    table = play.table.copy()
    deck, memory = table_writer.encoded_cast(table.cast).encoder_bytes, bytes(EVENT_TOKEN_SIZE * HISTORY)
    with pytest.raises(ValueError, match="no such row"):
        rows.encoder.write(1, encoder_module.table_fields(table), 0, 0, False, [], deck, memory)
    with pytest.raises(ValueError, match="no such row"):
        rows.encoder.write(0, encoder_module.table_fields(table), 2, 0, False, [], deck, memory)
    with pytest.raises(TypeError, match="write"):
        rows.encoder.write(0, encoder_module.table_fields(table), 0, 0, False, [], b"", memory)
    with pytest.raises(ValueError, match="does not make sense"):
        rows.encoder.write(0, encoder_module.table_fields(table), 0, 0, False, [99_999], deck, memory)
    table.deck = [60, *table.deck]
    with pytest.raises(ValueError, match=r"does not make sense|too long"):
        rows.encoder.write(0, encoder_module.table_fields(table), 0, 0, False, [], deck, memory)
    with Batch(2) as games, pytest.raises(ValueError, match="reset"):
        games.sample(np.random.default_rng(1))


@needs_encoder
def test_games_that_are_fetched_ahead_are_played_the_same() -> None:
    random = np.random.default_rng(5)
    with Batch(24, boxes="random", players=3, rounds=1) as fetched, Batch(24, "random", 3, rounds=1) as plain:
        fetched._local_slice.games.prefetch = True
        steps = [fetched.reset(seed=4), plain.reset(seed=4)]
        for _ in range(150):
            actions = plain.sample(random)
            steps = [fetched.step(actions), plain.step(actions)]
            for one, other in zip(*steps, strict=True):
                assert np.array_equal(one, other)


@needs_encoder
def test_games_that_bots_look_at_are_not_fetched() -> None:
    random = np.random.default_rng(5)
    with Batch(4, rounds=1, max_steps=20) as games:
        games._local_slice.games.prefetch = True
        games.reset(seed=4)
        games.set_opponents("novice")
        for _ in range(150):
            games.step(games.sample(random))
        assert any(match.episode.has_game for match in games._local_slice.games.episodes)


@needs_encoder
def test_what_cannot_be_noted_is_an_error() -> None:
    rows = Rows(2)
    fields = encoder_module.table_fields(plays("dagger", 1).table)
    with pytest.raises(TypeError, match="note"):
        rows.encoder.note(0, [], None)
    with pytest.raises(TypeError, match="note"):
        rows.encoder.note(1, fields, None)
    rows.encoder.note(0, fields, None, 1, "anything")
