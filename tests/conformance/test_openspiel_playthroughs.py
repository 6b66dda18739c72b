"""Golden playthroughs in OpenSpiel's format.

Tensors are stored as digests. After an intended change, replay the games in the files and review the difference:

    python -m tests.conformance.test_openspiel_playthroughs

If the numbers of actions change, play new games, each from a seed:

    python -m tests.conformance.test_openspiel_playthroughs silver_dagger_2 "python_silver(rounds=1)" 7
"""

import sys
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import argentum.envs.openspiel.mini
import argentum.envs.openspiel.silver  # noqa: F401  # both register their game

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.iterdir())


class Digests:
    """Tensor formatter that writes one line with a digest instead of the lines of the tensor's parts."""

    LAST_PARTS = ("ObservationTensor.private", "InformationStateTensor.recall", "InformationStateTensor.told")

    def __init__(self, has_recall: bool) -> None:
        self.last = self.LAST_PARTS[:2] if has_recall else self.LAST_PARTS[2:]
        self.parts = blake2b(digest_size=4)

    def __call__(self, tensor: Any, name: str) -> list[str]:
        self.parts.update(np.ascontiguousarray(tensor, "<f4").tobytes())
        kind, _, rest = name.partition("(")
        if f"{kind}.{rest.partition('.')[2]}" not in self.last:
            return []
        line = f"{name.partition('.')[0]}: {self.parts.hexdigest()}"
        self.parts = blake2b(digest_size=4)
        return [line]


def patch_tensors(game: str) -> Any:
    """Patch OpenSpiel to write digests instead of tensors."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel's module reads a flag.
    return patch.object(generate_playthrough, "_format_tensor", Digests("mini" not in game))


def replay(path: Path) -> tuple[str, str]:
    """Return the text of a stored playthrough and that of its replay."""
    with patch_tensors(path.stem):
        stored, new = generate_playthrough.replay(path)
    return stored, new


def new_playthrough(game: str, seed: int) -> str:
    """Return the playthrough of a random game, kept short by exchanges of single cards and early calls."""
    random, state = Random(seed), pyspiel.load_game(game).new_initial_state()
    while not state.is_terminal():
        actions, weights = zip(
            *(state.chance_outcomes() if state.is_chance_node() else weighted_actions(state)), strict=True
        )
        state.apply_action(random.choices(actions, weights)[0])
    with patch_tensors(game):
        text: str = generate_playthrough.playthrough(game, state.history())
    return text


def weighted_actions(state: Any) -> list[tuple[int, float]]:
    """Return the legal actions with their weights."""
    weights = {"done": 20.0, "call": 0.5, "use": 2.0}
    return [(action, weights.get(state.action_to_string(action), 1.0)) for action in state.legal_actions()]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_playthrough_equals_its_golden_file(path: Path) -> None:
    stored, new = replay(path)
    assert new.splitlines() == stored.splitlines()


if __name__ == "__main__":
    if sys.argv[1:]:
        name, game, seed = sys.argv[1:]
        (FOLDER / f"{name}.txt").write_text(new_playthrough(game, int(seed)), encoding="utf-8")
    else:
        for file in FILES:
            file.write_text(replay(file)[1], encoding="utf-8")
