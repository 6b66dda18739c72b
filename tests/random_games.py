"""Games at random points, for the property tests."""

from random import Random

from hypothesis import strategies as st

from argentum import Game
from argentum.rules.boxes import BOX_LETTERS, BOX_NAMES
from argentum.rules.engine import random_move
from argentum.rules.notation import AND_CARD, DONE, DRAW, EXCHANGE, USE
from argentum.rules.table import NO_CARD, Table

codes = st.text(alphabet=BOX_LETTERS, min_size=14, max_size=14)
seeds = st.integers(0, 2**32)
viewers = st.sampled_from(["A", "B", None])


def play_some(game: Game, random: Random, moves: int) -> Game:
    """Play a number of random moves, or to the end."""
    for _ in range(moves):
        if game.over:
            break
        game.play(random_move(game.legal_moves(), random))
    return game


def play_eagerly(game: Game, random: Random, moves: int) -> Game:
    """Play a number of random moves, or to the end; but draw and use where that is possible, so that Things are met."""
    for _ in range(moves):
        if game.over:
            break
        eager = [move for move in game.legal_moves() if move in (DRAW, USE)]
        game.play(random.choice(eager or game.legal_moves()))
    return game


def options(game: Game) -> list[int]:
    """All that anybody may play now: in the first look, several seats."""
    return [move for seat in range(game.players) for move in game.legal_moves_of(seat)]


def finish_move(game: Game) -> Game:
    """Finish a look or an exchange of which only some cards are named, so that the game stands between moves."""
    while named := [move for move in options(game) if AND_CARD <= move < EXCHANGE]:
        game.play(DONE if game.is_choosing_cards else named[0])
    return game


def lying(table: Table) -> list[int]:
    """Every card of a table that lies anywhere, by its place in the round's order: all the places there are."""
    rows = [*table.villages, *table.private, table.deck, table.discard, table.shown]
    return [card for row in rows for card in row] + [table.hand] * (table.hand != NO_CARD)


@st.composite
def games(draw: st.DrawFn, most_moves: int = 400, codes: st.SearchStrategy[str] = codes) -> Game:
    """A game of any deck, token and number of seats, at a random point."""
    seed = draw(seeds)
    token = draw(st.sampled_from(["", *BOX_NAMES]))
    game = Game.new(draw(codes), draw(st.integers(2, 4)), seed, token)
    return play_some(game, Random(seed), draw(st.integers(0, most_moves)))
