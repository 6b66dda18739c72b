"""A finished game gone through again, with all faces open."""

from dataclasses import dataclass

from argentum import words
from argentum.records.steps import written_moves
from argentum.rules.game import Game
from argentum.rules.moves import SEATS
from argentum.rules.table import EVERYBODY
from argentum.rules.views import View, view_of


@dataclass(frozen=True)
class Replay:
    """Where a replay stands: after so many of the game's moves."""

    at: int
    last: int
    rounds: tuple[tuple[int, int], ...]  # each round, and after how many moves it begins
    game: Game
    log: tuple[words.Entry, ...]

    @property
    def words(self) -> str:
        """What happened last."""
        return self.log[-1].text(self.game.table.cast.residents)

    @staticmethod
    def of(game: Game, at: int) -> "Replay":
        """A finished game after some of its moves."""
        moves = written_moves(game)
        at = min(max(at, 0), len(moves))
        again = game.from_start()
        there = again.copy()
        rounds = [(1, 0)]
        for nth, (_, steps) in enumerate(moves, 1):
            finished = len(again.finished)
            for step in steps:
                again.play(step)
            if len(again.finished) > finished and not again.over:
                rounds.append((again.round, nth))
            if nth == at:
                there = again.copy()
        events = there.events(None)
        dealt = [nth for nth, event in enumerate(events) if event.kind == "dealt"]
        events = events[dealt[-1] :]  # of this round
        log = words.chronicle(events, events, open_view(there, SEATS[0])._replace(seat=""))
        return Replay(at, len(moves), tuple(rounds), there, tuple(log))


def open_view(game: Game, seat: str) -> View:
    """The table with every face open, from a seat's place; for games that are over."""
    table = game.table.copy()
    table.seen = [EVERYBODY] * len(table.seen)
    return view_of(table, game.names, SEATS.index(seat), game.chooser, [], game.over)
