"""Datasets of recorded games: saving, loading and replaying."""

from pathlib import Path

import numpy as np
import pytest

from argentum.learn import imitation
from argentum.observations.actions import ACTION_OF_MOVE


def test_dataset_is_saved_loaded_and_replayed(tmp_path: Path) -> None:
    games = imitation.to_dataset(imitation.play_games("quick", 3, {"2": 1.0, "3": 1.0}, {"random": 1.0}))
    games.save(tmp_path / "games.npz")
    for path in (tmp_path, tmp_path / "games.npz"):
        loaded = imitation.load_dataset(path)
        assert loaded.to_games() == games.to_games()
    game = games.to_games()[0]
    arrays = imitation.replay_game(game)
    count = len(game.moves)
    assert {len(arrays[name]) for name in imitation.DATASET_ARRAYS} == {count}
    assert arrays["rounds"][0] == 1
    assert arrays["rounds"][-1] == 4
    moves = [ACTION_OF_MOVE[game.players][seat][move] for seat, move in zip(arrays["seats"], game.moves, strict=True)]
    assert moves == arrays["actions"]
    masks = np.frombuffer(b"".join(arrays["masks"]), np.bool_).reshape(count, -1)
    assert masks[np.arange(count), arrays["actions"]].all()


def test_folder_without_datasets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no games in it"):
        imitation.load_dataset(tmp_path)
