"""Playing on from a position of a finished game: the same course until there, and then another."""

from random import Random

from argentum.records.steps import mover, written_moves
from argentum.rules.deal import Deal, deal_of
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.tableside.replay import film


def branch(game: Game, at: int, seat: str, seed: int) -> Game:
    """A finished game after so many of its moves, to be played on by a seat that has seen how it ended.

    So what the seat could not know there lies otherwise, in agreement with all that happened until then; only where no
    such deal is found, it lies as it did. Everything after that is shuffled anew.
    """
    random = Random(seed)
    there = film(game)[at]
    deals = list(there.dealt)
    guess = there.redeal(seat, random).snapshot().faces
    last = deals[-1]
    for new in (deal_of(last.start, guess, game.players, last.shuffles), last):
        found = _again(game, at, [*deals[:-1], new], seed)
        if found is not None and found.view(seat) == there.view(seat):
            return found
    raise AssertionError("a game can be played again as it was")


def _again(game: Game, at: int, deals: list[Deal], seed: int) -> Game | None:
    """The first moves of a game on these deals, if they can be made."""
    cast = game.cast
    again = Game.new(cast.code, game.players, seed, cast.token, game.names, deals, rulings=game.rulings)
    for _, steps in written_moves(game)[:at]:
        for step in steps:
            if step not in again.choices_of(SEATS.index(mover(again, [step]))):
                return None
            again.step(step)
    return again
