# mypyc: compile
"""Access to the optional C observation writer.

It writes the same bytes as :mod:`argentum.observations.table_writer`, directly into the arrays of a batch.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.observations.layout import ASKER_BYTES, BASE_OF_KIND, KIND_OF_MOVE, OBSERVATION_SIZE, STEP_NUMBERS
from argentum.rules.table import Table

if TYPE_CHECKING:
    from argentum.observations._encode import Encoder


def table_fields(table: Table) -> list[object]:
    """Return the fields of a table in the order of the FIELD constants in `_encode.c`.

    Reading the attributes here and not in C is faster in the compiled build.
    """
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
        table.seen,
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


def encoder_tables() -> tuple[dict[str, int], dict[str, bytes], list[int], list[int]]:
    """Return lookup tables for the C writer.

    They map steps of questions to numbers, askers to bytes, moves to the index of their kind, and kinds to their first
    move.
    """
    return STEP_NUMBERS, ASKER_BYTES, KIND_OF_MOVE, BASE_OF_KIND


def is_available() -> bool:
    """Return whether the C writer was built."""
    try:
        from argentum.observations import _encode  # noqa: F401
    except ImportError:
        return False
    return True


def make_encoder(
    observations: memoryview,
    masks: memoryview,
    seats: memoryview,
    hidden_states: memoryview,
    players: int,
    history: int,
) -> "Encoder | None":
    """Return an encoder that writes to these arrays of a batch, one row per game; None if the writer was not built."""
    if not is_available():
        return None
    from argentum.observations._encode import Encoder

    return Encoder(
        observations,
        masks,
        seats,
        hidden_states,
        players,
        OBSERVATION_SIZE + EVENT_TOKEN_SIZE * history,
        (OBSERVATION_SIZE, ACTION_COUNT),
        *encoder_tables(),
        ACTION_OF_MOVE[players],
    )


def get_sampler() -> Callable[[Any, Any, Any], bool] | None:
    """Return the C function `sample(masks, random_values, actions)`, or None if it was not built.

    It writes a legal action for each mask, chosen by a random value from 0 to 1, and returns False if a mask has none.
    """
    if not is_available():
        return None
    from argentum.observations._encode import sample

    return sample


def get_checker() -> Callable[[Any, Any], int] | None:
    """Return the C function `check(masks, actions)`, or None if it was not built.

    It returns the index of the first action that is neither legal nor -1; -1 if there is none.
    """
    if not is_available():
        return None
    from argentum.observations._encode import check

    return check
