# mypyc: compile
"""Finished turns of a game, and the start from which the game can be replayed."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from argentum.rules import events as ev
from argentum.rules.deal import Deal
from argentum.rules.notation import AND_CARD, DONE, EXCHANGE, PEEK, SEAT_LETTERS, card_move, has_base, seat_of
from argentum.rules.table import SHUFFLE_COVERED, SHUFFLE_FACEUP, SHUFFLE_SIDEWAYS, Table
from argentum.rules.views import Card

# The start seat of a round, and the numbers of its cards in the order of the deal.
DealtRound: TypeAlias = tuple[int, list[int]]


class VillageShuffle(NamedTuple):
    """A village after a shuffle (B8), with every face."""

    seat: str
    village: tuple[Card, ...]  # from the owner's left

    @property
    def cards(self) -> str:
        """The village in the notation of positions: `3 9 2^ 4`."""
        return " ".join([str(card) for card in self.village])

    @property
    def numbers(self) -> list[int]:
        return [card.number for card in self.village if card.number is not None]


def read_shuffle(entry: Sequence[int]) -> VillageShuffle:
    """Decode an entry of `Table.shuffle_log`."""
    village = [
        Card(card & 15, card & SHUFFLE_FACEUP != 0, card & SHUFFLE_SIDEWAYS != 0, card & SHUFFLE_COVERED != 0)
        for card in entry[1:]
    ]
    return VillageShuffle(SEAT_LETTERS[entry[0]], tuple(village))


class FinishedTurn:
    """A finished turn or first look, linked to the turn before it.

    `known_to` is a bit mask of the viewers that may receive the card numbers in these and in earlier events. After a
    re-deal, it is a single viewer.
    """

    def __init__(
        self, previous: "FinishedTurn | None", moves: list[int], events: list[ev.RawEvent], known_to: int
    ) -> None:
        self.previous: Final = previous
        self.moves: Final = moves
        self.events: Final = events
        self.known_to: Final = known_to
        # The number of events up to and including this turn.
        self.event_count: Final[int] = len(events) + (previous.event_count if previous is not None else 0)


class GameStart:
    """The start of a game, or a re-deal, from which the game can be replayed."""

    def __init__(
        self,
        table: Table,
        names: list[str],
        last_round: int,
        deals: Sequence[Deal] = (),
        history: FinishedTurn | None = None,
        finished_rounds: tuple[Table, ...] = (),
        dealt_rounds: tuple[DealtRound, ...] = (),
    ) -> None:
        self.table: Final = table
        self.names: Final = names
        self.last_round: Final = last_round  # the game ends after this round
        self.deals: Final = deals  # of the first rounds; the other rounds are shuffled
        self.history: Final = history  # the turns before a re-deal
        self.finished_rounds: Final = finished_rounds  # last tables of finished rounds
        self.dealt_rounds: Final = dealt_rounds


def drop_last_move(steps: list[int]) -> None:
    """Remove the last move from a list of one-card moves, in place. All cards of an exchange or look are one move."""
    last = steps.pop()
    named = has_base(last, AND_CARD)
    # The first card of the same look; moves of other seats may lie between (G4).
    first = card_move(PEEK, seat_of(last), 0)
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if named and first <= step < first + 64:
            del steps[place]
            return
        if (named or last == DONE) and has_base(step, EXCHANGE):
            del steps[place:]
            return
        if not (named or last == DONE):
            return
