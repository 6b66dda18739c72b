"""Many games between random players, or bots."""

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
class Played:
    """A game that was simulated, and how many decisions were made in it."""

    game: Game
    decisions: int


def simulate(
    boxes: str, players: int, games: int, seed: int, token: str = "", named: Sequence[str] = ()
) -> Iterator[Played]:
    """Play games one by one; each follows from the seed and its place alone. Boxes `random`: a new deck code each.

    The bots that are named take the seats in turn, and move on by one seat from game to game.
    """
    for nth in range(1, games + 1):
        random = Random(f"argentum {seed} {nth}")
        code, dealt = resolve_deck_code(boxes, random), random.getrandbits(62)
        seated = [named[(seat + nth - 1) % len(named)] for seat in range(players)] if named else []
        game = Game.new(code, players, dealt, token, [f"{bot} {SEAT_LETTERS[seat]}" for seat, bot in enumerate(seated)])
        minds = {SEAT_LETTERS[seat]: bots.make(bot, random.getrandbits(62)) for seat, bot in enumerate(seated)}
        decisions = 0
        while not game.over:
            if minds:
                game.play(bots.ask(minds[game.to_move], game, game.to_move))
            else:
                game.play(random_move(game.legal_moves(), random))
            decisions += 1
        yield Played(game, decisions)


def write_record(folder: Path, nth: int, played: Played) -> bytes:
    """Write a game's record into a folder; what was written is returned. Another record there is not overwritten."""
    record = records.write(played.game).encode()
    file = folder / f"game-{nth:05d}.silver"
    if file.exists() and file.read_bytes() != record:
        raise ValueError(f"{file} is another game's record; name another folder")
    file.write_bytes(record)
    return record
