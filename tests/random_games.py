"""Games at random points, for the property tests."""

from random import Random

from hypothesis import strategies as st

from argentum import Game
from argentum.rules.boxes import BOX_LETTERS, BOX_NAMES
from argentum.rules.engine import random_move
from argentum.rules.notation import AND_CARD, DONE, DRAW, USE, is_base
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
    """Play a number of random moves, or to the end; but draw and use where possible, so that Things come up."""
    for _ in range(moves):
        if game.over:
            break
        eager = [move for move in game.legal_moves() if move in (DRAW, USE)]
        game.play(random.choice(eager or game.legal_moves()))
    return game


def options(game: Game) -> list[int]:
    """Return the legal moves of all seats: in the first look, several have some."""
    return [move for seat in range(game.players) for move in game.legal_moves_of(seat)]


def finish_move(game: Game) -> Game:
    """Finish an incomplete look or exchange."""
    while named := [move for move in options(game) if is_base(move, AND_CARD)]:
        game.play(DONE if game.is_choosing_cards else named[0])
    return game


def cards_in_play(table: Table) -> list[int]:
    """Return every card that lies anywhere on a table."""
    rows = [*table.villages, *table.private, table.deck, table.discard, table.shown]
    return [card for row in rows for card in row] + [table.hand] * (table.hand != NO_CARD)


@st.composite
def games(draw: st.DrawFn, most_moves: int = 400, codes: st.SearchStrategy[str] = codes) -> Game:
    """Draw a game of any deck, token and number of seats, at a random point."""
    seed = draw(seeds)
    token = draw(st.sampled_from(["", *BOX_NAMES]))
    game = Game.new(draw(codes), draw(st.integers(2, 4)), seed, token)
    return play_some(game, Random(seed), draw(st.integers(0, most_moves)))
