"""The encoder in C, which writes the rows of a batch straight into its arrays. An install without it works the same.

What a row says is defined by :mod:`argentum.envs.observation` and :mod:`argentum.envs.actions`; a test holds the two
equal byte for byte.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.observations.layout import _BASE_OF_KIND, _KIND_OF_MOVE, _STEP
from argentum.rules.table import Table

if TYPE_CHECKING:
    from argentum.observations._encode import Encoder


def table_fields(table: Table) -> list[object]:
    """What the encoder in C reads of a table, in its order. (Compiled, this is quicker than to look it up there.)"""
    return [
        table.asker,
        table.untraceable,
        table.caller,
        table.covered_card,
        table.deck,
        table.deck_up,
        table.direction,
        table.discard,
        table.extra_turns,
        table.faces,
        table.guards,
        table.hand,
        table.last_turns,
        table.first_look_pending,
        table.named_places,
        table.round_over,
        table.passed_over,
        table.first_peeks,
        table.picked,
        table.private,
        table.pile_choices,
        table.end_reason,
        table.cooldowns,
        table.round,
        table.scores,
        table.seen_by,
        table.shown,
        table.sideways,
        table.step,
        table.token_seat,
        table.token_state,
        table.scored_token_seat,
        table.totals,
        table.turn,
        table.turns,
        table.faceup,
        table.used_cards,
        table.villages,
    ]


def encoder_tables() -> tuple[dict[str, int], list[int], list[int]]:
    """What the encoder in C is told: the number of each step, the kind of each move, and where each kind begins."""
    return _STEP, _KIND_OF_MOVE, _BASE_OF_KIND


def is_available() -> bool:
    """Whether the encoder was built with this install."""
    try:
        from argentum.observations import _encode  # noqa: F401
    except ImportError:
        return False
    return True


def make_encoder(
    observations: memoryview, masks: memoryview, seats: memoryview, truths: memoryview, players: int, history: int
) -> "Encoder | None":
    """An encoder that writes to these arrays; none where it was not built."""
    if not is_available():
        return None
    from argentum.observations._encode import Encoder

    return Encoder(
        observations,
        masks,
        seats,
        truths,
        players,
        ob.OBSERVATION_SIZE + EVENT_TOKEN_SIZE * history,
        (ob.OBSERVATION_SIZE, ACTION_COUNT),
        *encoder_tables(),
        ACTION_OF_MOVE[players],
    )


def get_sampler() -> Callable[[Any, Any, Any], bool] | None:
    """What chooses legal actions from masks, by chances from 0 to 1; none where it was not built."""
    if not is_available():
        return None
    from argentum.observations._encode import sample

    return sample


def get_checker() -> Callable[[Any, Any], int] | None:
    """What finds an illegal action, by masks; none where it was not built."""
    if not is_available():
        return None
    from argentum.observations._encode import check

    return check
