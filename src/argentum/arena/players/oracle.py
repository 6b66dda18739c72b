"""The oracle: a player that sees all cards, and so bounds what any bot could reach. It plays in the arena only.

It is no :class:`argentum.bots.Bot`: it has no `choose`, `bots.make` does not know it, and it wants the true game, which
nobody but the arena gives away. So there is no way to seat it at a table.
"""

from math import sqrt
from statistics import NormalDist
from typing import Final

from argentum.bots import make
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME, tally_round
from argentum.rules.views import View, make_view

ORACLE_NAME: Final = "oracle"
MAX_TRIAL_TURNS: Final = 8  # turns of each seat after which a trial stops: some rounds go on for very long (G14)
ROUND_STD: Final = 14.0  # by how many points a round usually changes the lead


class Oracle:
    """Tries every legal move on a copy of the true game, plays the round on, and makes the best one.

    In these trials it plays on as a steady bot with all cards open, and the others as steady bots with what they know.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.open = make("steady", seed)

    def decide(self, game: Game, seat: str) -> Move:
        """The move after which the game is most likely won; at equal chances, what steady would do with open cards."""
        liked = self.open.choose(view_with_all_faces(game, seat))
        moves = game.legal(seat)
        if game.in_first_look or len(moves) == 1:
            return liked
        moves.sort(key=lambda move: move != liked)
        return max(moves, key=lambda move: self.win_probability_after(game, seat, move))

    def close(self) -> None:
        """There is nothing to stop."""

    def win_probability_after(self, game: Game, seat: str, move: Move) -> float:
        """How likely the game is won if the round goes on with a move."""
        trial = game.copy()
        trial.play(move, seat)
        bots = {one: make("steady", self.seed) for one in trial.seats}
        end = game.turns + MAX_TRIAL_TURNS * game.players
        while not trial.over and trial.round == game.round and trial.turns < end:
            one = trial.to_move
            trial.play(bots[one].choose(view_with_all_faces(trial, one) if one == seat else trial.view(one)), one)
        return trial_win_probability(trial, game.seats.index(seat), game.round)


def trial_win_probability(game: Game, seat: int, round: int) -> float:
    """How likely a seat wins the game after this round, which counts as it stands if it is not over; a lead is good."""
    table = game.copy_table()
    round_running = table.round == round and not game.over
    sums = tally_round(table, table.token_seat, False).sums if round_running else [0] * table.players
    totals = [total + points for total, points in zip(table.totals, sums, strict=True)]
    lead = min([total for one, total in enumerate(totals) if one != seat]) - totals[seat]
    if game.over:
        return float(game.winner == SEAT_LETTERS[seat]) + lead / 1000
    spread = ROUND_STD * sqrt(ROUNDS_PER_GAME - round) + 1.0
    return NormalDist(0.0, spread).cdf(lead) + lead / 1000


def view_with_all_faces(game: Game, seat: str) -> View:
    """A seat's view as if it had looked at every card."""
    table = game.copy_table()
    number = game.seats.index(seat)
    table.seen_by = [seen | 1 << number for seen in table.seen_by]
    return make_view(table, game.names, number, game.chooser, [int(move) for move in game.legal(seat)], game.over)
