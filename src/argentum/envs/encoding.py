"""The encoder in C, which writes the rows of a batch straight into its arrays. An install without it works the same.

What a row says is defined by :mod:`argentum.envs.observation` and :mod:`argentum.envs.actions`; a test holds the two
equal byte for byte.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from argentum.envs import observation as ob
from argentum.envs.actions import ACTION_TABLE, ACTIONS
from argentum.envs.history import WIDTH

if TYPE_CHECKING:
    from argentum.envs._encode import Encoder


def built() -> bool:
    """Whether the encoder was built with this install."""
    try:
        from argentum.envs import _encode  # noqa: F401
    except ImportError:
        return False
    return True


def encoder(
    observations: memoryview, masks: memoryview, seats: memoryview, truths: memoryview, players: int, history: int
) -> "Encoder | None":
    """An encoder that writes to these arrays; none where it was not built."""
    if not built():
        return None
    from argentum.envs._encode import Encoder

    return Encoder(
        observations,
        masks,
        seats,
        truths,
        players,
        ob.SIZE + WIDTH * history,
        (ob.SIZE, ACTIONS),
        *ob.tables(),
        ACTION_TABLE[players],
    )


def sampler() -> Callable[[Any, Any, Any], bool] | None:
    """What chooses legal actions from masks, by chances from 0 to 1; none where it was not built."""
    if not built():
        return None
    from argentum.envs._encode import sample

    return sample


def checker() -> Callable[[Any, Any], int] | None:
    """What finds an illegal action, by masks; none where it was not built."""
    if not built():
        return None
    from argentum.envs._encode import check

    return check
