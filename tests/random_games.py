"""Hypothesis strategies for random games, and helpers that play and compare games."""

from random import Random

from hypothesis import strategies as st

from argentum import Game
from argentum.rules import engine
from argentum.rules.boxes import BOX_LETTERS, BOX_NAMES
from argentum.rules.notation import AND_CARD, DONE, DRAW, SEAT_LETTERS, USE, has_base
from argentum.rules.table import NO_CARD, Table

deck_codes = st.text(alphabet=BOX_LETTERS, min_size=14, max_size=14)
seeds = st.integers(0, 2**32)
viewers = st.sampled_from(["A", "B", None])


def random_move(game: Game, random: Random) -> int:
    """Choose a random legal move of the seat to move, like :func:`argentum.rules.engine.random_move`."""
    return engine.random_move([*game.legal()], game.is_choosing_cards, random)


def play_random_moves(game: Game, random: Random, moves: int) -> Game:
    """Play up to `moves` random moves, fewer if the game ends; return the game."""
    for _ in range(moves):
        if game.over:
            break
        game.play(random_move(game, random))
    return game


def play_to_end(game: Game, random: Random) -> Game:
    """Play random moves to the end of the game; return the game."""
    while not game.over:
        game.play(random_move(game, random))
    return game


def play_drawing_and_using(game: Game, random: Random, moves: int) -> Game:
    """Play like :func:`play_random_moves`, but draw and use whenever that is legal, so that Things shuffle often."""
    for _ in range(moves):
        if game.over:
            break
        preferred = [move for move in [*game.legal()] if move in (DRAW, USE)]
        game.play(random.choice(preferred or [*game.legal()]))
    return game


def all_options(game: Game) -> list[int]:
    """Return the legal moves of all seats; only in the first look can several seats move."""
    return [move for seat in range(game.players) for move in [*game.legal(SEAT_LETTERS[seat])]]


def finish_move(game: Game) -> Game:
    """Complete a look or an exchange that has begun; return the game."""
    while more_cards := [move for move in all_options(game) if has_base(move, AND_CARD)]:
        game.play(DONE if game.is_choosing_cards else more_cards[0])
    return game


def cards_in_play(table: Table) -> list[int]:
    """Return all cards of a table: in villages, decks, the discard pile and the hand, and shown beside the deck."""
    rows = [*table.villages, *table.private, table.deck, table.discard, table.shown]
    return [card for row in rows for card in row] + [table.hand] * (table.hand != NO_CARD)


@st.composite
def games(draw: st.DrawFn, max_moves: int = 400, codes: st.SearchStrategy[str] = deck_codes) -> Game:
    """Strategy for games with a random deck, token and number of seats, after up to `max_moves` random moves."""
    seed = draw(seeds)
    token = draw(st.sampled_from(["", *BOX_NAMES]))
    game = Game.new(draw(codes), draw(st.integers(2, 4)), seed, token)
    return play_random_moves(game, Random(seed), draw(st.integers(0, max_moves)))


def visible_state(game: Game) -> list[object]:
    """Return the history, the scores, and the view and events of each seat and of a spectator."""
    return [game.history(), game.scores, *[(game.view(seat), game.events(seat)) for seat in (None, *game.seats)]]
