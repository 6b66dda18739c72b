"""Many games between random players."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from argentum import records
from argentum.rules.boxes import code_for
from argentum.rules.engine import random_move
from argentum.rules.game import Game


@dataclass(frozen=True)
class Played:
    """A game that was simulated, and how many decisions were made in it."""

    game: Game
    decisions: int


def simulate(boxes: str, players: int, games: int, seed: int, token: str = "") -> Iterator[Played]:
    """Play games one by one; each follows from the seed and its place alone. Boxes `random`: a new deck code each."""
    for nth in range(1, games + 1):
        random = Random(f"argentum {seed} {nth}")
        game = Game.new(code_for(boxes, random), players, random.getrandbits(62), token)
        decisions = 0
        while not game.over:
            game.play(random_move(game.choices(), random))
            decisions += 1
        yield Played(game, decisions)


def write_record(folder: Path, nth: int, played: Played) -> Path:
    """Write a game's record into a folder."""
    path = folder / f"game-{nth:05d}.silver"
    path.write_text(records.write(played.game), encoding="utf-8")
    return path
