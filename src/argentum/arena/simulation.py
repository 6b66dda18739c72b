"""Simulate games between random players or bots, and write their records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from argentum import bots, records
from argentum.rules.boxes import resolve_deck_code
from argentum.rules.engine import random_move
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS


@dataclass(frozen=True)
class SimulatedGame:
    game: Game
    decisions: int


def simulate_games(
    boxes: str, players: int, games: int, seed: int, token: str = "", bot_names: Sequence[str] = ()
) -> Iterator[SimulatedGame]:
    """Play games and yield them. Each depends only on its number and on the arguments other than `games`.

    If `boxes` is `random`, each game has its own mix. The bots are seated in the order of `bot_names`, rotated by one
    seat from game to game. Without bots, moves are random.
    """
    for game_number in range(1, games + 1):
        random = Random(f"argentum {seed} {game_number}")
        code, game_seed = resolve_deck_code(boxes, random), random.getrandbits(62)
        seat_names = (
            [bot_names[(seat + game_number - 1) % len(bot_names)] for seat in range(players)] if bot_names else []
        )
        game = Game.new(
            code, players, game_seed, token, [f"{bot} {SEAT_LETTERS[seat]}" for seat, bot in enumerate(seat_names)]
        )
        bots_by_seat = {
            SEAT_LETTERS[seat]: bots.make(bot, random.getrandbits(62)) for seat, bot in enumerate(seat_names)
        }
        decisions = 0
        while not game.over:
            if bots_by_seat:
                game.play(bots.ask(bots_by_seat[game.to_move], game, game.to_move))
            else:
                game.play(random_move([*game.legal()], game.is_choosing_cards, random))
            decisions += 1
        yield SimulatedGame(game, decisions)


def write_record(folder: Path, game_number: int, simulated: SimulatedGame) -> bytes:
    """Write a game's record into a folder and return it; raise `ValueError` if the file has another game's record."""
    record = records.write(simulated.game).encode()
    file = folder / f"game-{game_number:05d}.silver"
    if file.exists() and file.read_bytes() != record:
        raise ValueError(f"{file} is another game's record; name another folder")
    file.write_bytes(record)
    return record
