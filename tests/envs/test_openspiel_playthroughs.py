"""Golden playthroughs, as OpenSpiel keeps them of its own games: nothing that its players are shown changes unnoticed.

Tensors are kept as digests. Where a change is meant, play the games in the files again, and read the difference:

    python -m tests.envs.test_openspiel_playthroughs
"""

from hashlib import blake2b
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import argentum.envs.mini
import argentum.envs.spiel  # noqa: F401  # both register their game

FILES = sorted((Path(__file__).parent / "playthroughs").iterdir())


def digest(tensor: Any, name: str) -> list[str]:
    """A line for a tensor, or for a part of it; none if it is all 0."""
    values = np.ascontiguousarray(tensor, "<f4")
    return [f"{name}: {blake2b(values.tobytes(), digest_size=4).hexdigest()}"] * bool(values.any())


def played_again(path: Path) -> tuple[str, str]:
    """What is kept of a playthrough, and how its game goes now."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel's module has a flag, which it looks at
    with patch.object(generate_playthrough, "_format_tensor", digest):
        kept, new = generate_playthrough.replay(path)
    return kept, new


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_playthrough_is_as_it_was(path: Path) -> None:
    kept, new = played_again(path)
    assert new.splitlines() == kept.splitlines()


if __name__ == "__main__":
    for file in FILES:
        file.write_text(played_again(file)[1], encoding="utf-8")
