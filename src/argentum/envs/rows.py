# mypyc: compile
"""Rows of observations, action masks and hidden states of episodes, and their histories.

The C writer writes them if it was built. Otherwise they are written from views, which takes a hundred times as long.
"""

from typing import Any, Final

from argentum.envs.episode import Episode
from argentum.observations import c_writer
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.hidden_state import write_hidden_state
from argentum.observations.history import observation_size
from argentum.observations.layout import HIDDEN_STATE_SIZE
from argentum.observations.view_writer import write_observation


def write_mask(moves: list[int], seat: int, players: int) -> bytes:
    """Return one byte per action: 1 if the action is one of the legal `moves` of the seat, else 0."""
    mask = bytearray(ACTION_COUNT)
    actions = ACTION_OF_MOVE[players][seat]
    for move in moves:
        mask[actions[move]] = 1
    return bytes(mask)


class RowWriter:
    """Writes rows to arrays of bytes, which have a row for each game: observations, masks, seats and hidden states.

    `hidden_states` is empty if they are not wanted.
    """

    def __init__(
        self,
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
        hidden_states: memoryview,
        players: int,
        history: int,
    ) -> None:
        self.observations: Final = observations
        self.masks: Final = masks
        self.seats: Final = seats
        self.hidden_states: Final = hidden_states
        self.players: Final = players
        self.row_size: Final = observation_size(history)
        module = c_writer.load()
        self.encoder: Final[Any] = (
            None if module is None else module.Encoder(observations, masks, seats, hidden_states, players, history)
        )

    def write(self, index: int, episode: Episode, seat: int) -> None:
        """Write the row with this index: what a seat of the episode observes."""
        chooser = episode.chooser
        legal = episode.legal_moves() if seat == chooser else []
        history = b"" if episode.history is None else episode.history.tokens(seat)
        if self.encoder is not None:
            table = episode.table
            self.encoder.write(index, table, seat, chooser, episode.over, legal, episode.cast_bytes, history)
            return
        first = index * self.row_size
        self.observations[first : first + self.row_size] = write_observation(episode.view(seat)) + history
        self.masks[index * ACTION_COUNT : (index + 1) * ACTION_COUNT] = write_mask(legal, seat, self.players)
        self.seats[index] = seat
        if len(self.hidden_states):
            first = index * HIDDEN_STATE_SIZE
            self.hidden_states[first : first + HIDDEN_STATE_SIZE] = write_hidden_state(episode.table, seat)


def row_of(episode: Episode, seat: int) -> RowWriter:
    """Return a writer whose only row is what a seat of an episode observes."""
    setup = episode.setup
    row = RowWriter(
        memoryview(bytearray(observation_size(setup.history))),
        memoryview(bytearray(ACTION_COUNT)),
        memoryview(bytearray(1)),
        memoryview(bytearray(HIDDEN_STATE_SIZE)),
        setup.players,
        setup.history,
    )
    row.write(0, episode, seat)
    return row
