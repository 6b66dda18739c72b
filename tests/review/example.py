"""A recorded game for tests of reviews."""

from pathlib import Path

from argentum import bots, records
from argentum.rules.game import Game


def write_example_record(folder: Path) -> Path:
    """Write the record of the first two rounds of a game between two novices, Ann and Bo."""
    game = Game.new("dagger", 2, 3, names=["Ann", "Bo"])
    players = {"A": bots.make("novice", 1), "B": bots.make("novice", 2)}
    while game.rounds_finished < 2:
        seat = game.to_move
        game.play(int(bots.ask(players[seat], game, seat)))
    file = folder / "game.silver"
    file.write_text(records.write(game), encoding="utf-8")
    return file
