"""Flat Monte Carlo: try each move on several deals of the unknown cards, and choose the best one on average.

python examples/flat_monte_carlo.py 20    # 20 rounds against novice
"""

import sys
from random import Random

from argentum import Game, Move, View, bots
from argentum.bots.search.playouts import play_out
from argentum.rules.position import Position
from argentum.rules.standings import lead_over_best
from argentum.rules.views import card_at

DEALS = 24  # per decision


class FlatMonteCarlo(bots.Bot):
    name = "flat"
    summary = "tries every move on some deals"
    uses_search = True

    def choose(self, view: View) -> Move:
        return self.random.choice(view.legal)

    def choose_with_search(self, view: View, position: Position) -> Move:
        if view.looking:
            return view.legal[0]
        numbers = {card_at(view, spot).number for spot in view.named} - {None}  # Sets are not completed by guesses.
        moves = [move for move in view.legal if move.verb != "and" or card_at(view, move.spot).number in numbers]
        samples = [position.redealt(view.seat, self.random) for _ in range(DEALS)]
        deals, me = [sample for sample in samples if sample is not None], "ABCD".index(view.seat)
        return max(moves, key=lambda move: sum(lead_over_best(play_out(deal, [move]).scores, me) for deal in deals))


def count_wins(rounds: int, seed: int = 1) -> int:
    """Play games of one round against novice; return how many flat Monte Carlo wins."""
    wins, random = 0, Random(seed)
    for index in range(rounds):
        game, seat = Game.new("dagger", 2, random.getrandbits(62), rounds=1), "AB"[index % 2]
        players = {letter: FlatMonteCarlo(index) if letter == seat else bots.make("novice", index) for letter in "AB"}
        while not game.over:
            game.play(bots.ask(players[game.to_move], game, game.to_move))
        wins += game.winner == seat
    return wins


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"Flat Monte Carlo won {count_wins(rounds)} of {rounds} rounds against novice.")
