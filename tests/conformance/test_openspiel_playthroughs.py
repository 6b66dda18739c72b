"""Golden playthroughs, as OpenSpiel keeps them of its own games: nothing that its players are shown changes unnoticed.

Tensors are kept as digests. Where a change is meant, play the games in the files again, and read the difference:

    python -m tests.conformance.test_openspiel_playthroughs

Where the numbers of actions change, play new games, each by a seed:

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
    """A line for each tensor instead of its values. OpenSpiel asks part by part: the line comes with the last one."""

    LAST = ("ObservationTensor.private", "InformationStateTensor.recall", "InformationStateTensor.told")

    def __init__(self, recalls: bool) -> None:
        self.last = self.LAST[:2] if recalls else self.LAST[2:]
        self.parts = blake2b(digest_size=4)

    def __call__(self, tensor: Any, name: str) -> list[str]:
        self.parts.update(np.ascontiguousarray(tensor, "<f4").tobytes())
        kind, _, rest = name.partition("(")
        if f"{kind}.{rest.partition('.')[2]}" not in self.last:
            return []
        line = f"{name.partition('.')[0]}: {self.parts.hexdigest()}"
        self.parts = blake2b(digest_size=4)
        return [line]


def digests(game: str) -> Any:
    """Put digests in the place of tensors."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel's module has a flag, which it looks at
    return patch.object(generate_playthrough, "_format_tensor", Digests("mini" not in game))


def played_again(path: Path) -> tuple[str, str]:
    """What is kept of a playthrough, and how its game goes now."""
    with digests(path.stem):
        kept, new = generate_playthrough.replay(path)
    return kept, new


def played(game: str, seed: int) -> str:
    """A new playthrough: at random, but sets are of one card and calls come early, so that it is not long."""
    chance, state = Random(seed), pyspiel.load_game(game).new_initial_state()
    while not state.is_terminal():
        actions, weights = zip(*(state.chance_outcomes() if state.is_chance_node() else likely(state)), strict=True)
        state.apply_action(chance.choices(actions, weights)[0])
    with digests(game):
        text: str = generate_playthrough.playthrough(game, state.history())
    return text


def likely(state: Any) -> list[tuple[int, float]]:
    """The legal actions, each with its weight."""
    weights = {"done": 20.0, "call": 0.5, "use": 2.0}
    return [(action, weights.get(state.action_to_string(action), 1.0)) for action in state.legal_actions()]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_playthrough_is_as_it_was(path: Path) -> None:
    kept, new = played_again(path)
    assert new.splitlines() == kept.splitlines()


if __name__ == "__main__":
    if sys.argv[1:]:
        name, game, seed = sys.argv[1:]
        (FOLDER / f"{name}.txt").write_text(played(game, int(seed)), encoding="utf-8")
    else:
        for file in FILES:
            file.write_text(played_again(file)[1], encoding="utf-8")
