"""The oracle: a player that sees all cards, as an upper bound for bots. It plays in the arena only.

It is not an :class:`argentum.bots.Bot`: it has no `choose`, `bots.make` does not know it, and it needs the true game,
to which only the arena gives access. So it cannot be seated at a table.
"""

from typing import Final

from argentum.bots import make
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME, tally_round
from argentum.rules.standings import lead_over_best, normal_win_probability

ORACLE_NAME: Final = "oracle"
MAX_TRIAL_TURNS: Final = 8  # per seat: some rounds are very long (G14)


class Oracle:
    """Try every legal move on a copy of the true game, play the round to its end, and choose the best move.

    In these trials, a steady bot that sees all cards plays the oracle's seat, and ordinary steady bots play the others.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.bot = make("steady", seed)

    def decide(self, game: Game, seat: str) -> Move:
        """Return the move with the highest win probability.

        On a tie, and in the first look, prefer the move of a steady bot that sees all cards.
        """
        default = self.bot.choose(game.view(seat, all_faces=True))
        moves = game.legal(seat)
        if game.in_first_look or len(moves) == 1:
            return default
        moves.sort(key=lambda move: move != default)
        return max(moves, key=lambda move: self.win_probability_after(game, seat, move))

    def close(self) -> None:
        """Nothing to release."""

    def win_probability_after(self, game: Game, seat: str, move: Move) -> float:
        """Return the win probability of a seat after a move, from one trial."""
        trial = game.copy()
        trial.play(move, seat)
        bots = {letter: make("steady", self.seed) for letter in trial.seats}
        end = game.turns + MAX_TRIAL_TURNS * game.players
        while not trial.over and trial.round == game.round and trial.turns < end:
            mover = trial.to_move
            trial.play(bots[mover].choose(trial.view(mover, all_faces=mover == seat)), mover)
        return trial_win_probability(trial, game.seats.index(seat), game.round)


def trial_win_probability(game: Game, seat: int, round: int) -> float:
    """Return a seat's win probability after `round`, plus a small bonus for its lead in points.

    If the round is not over, it is scored as the villages are now.
    """
    table = game.position().table
    round_running = table.round == round and not game.over
    sums = tally_round(table, table.token_seat, False).sums if round_running else [0] * table.players
    totals = [total + points for total, points in zip(table.totals, sums, strict=True)]
    lead = lead_over_best(totals, seat)
    if game.over:
        return float(game.winner == SEAT_LETTERS[seat]) + lead / 1000
    return normal_win_probability(lead, ROUNDS_PER_GAME - round) + lead / 1000
