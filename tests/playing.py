"""Games at random points, for the property tests."""

from random import Random

from hypothesis import strategies as st

from argentum import Game
from argentum.rules.game import random_move
from argentum.rules.notation import AND, DONE, EXCHANGE
from argentum.rules.residents import LETTERS

codes = st.text(alphabet=LETTERS, min_size=14, max_size=14)
seeds = st.integers(0, 2**32)


def play_some(game: Game, random: Random, moves: int) -> Game:
    """Play a number of random moves, or to the end."""
    for _ in range(moves):
        if game.over:
            break
        game.play(random_move(game.choices(), random))
    return game


def finish_move(game: Game) -> Game:
    """Finish a look or an exchange of which only some cards are named, so that the game stands between moves."""
    while any(AND <= move < EXCHANGE for move in game.options):
        game.play(DONE if DONE in game.options else next(move for move in game.options if AND <= move < EXCHANGE))
    return game


@st.composite
def games(draw: st.DrawFn, most_moves: int = 400, codes: st.SearchStrategy[str] = codes) -> Game:
    """A game of any deck and number of seats, at a random point."""
    seed = draw(seeds)
    token = draw(st.sampled_from(["", "bullet", "coin", "dagger"]))
    game = Game.new(draw(codes), draw(st.integers(2, 4)), seed, token)
    return play_some(game, Random(seed), draw(st.integers(0, most_moves)))
