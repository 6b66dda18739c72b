"""Positions and random games for the tests of the words."""

from collections.abc import Iterator
from random import Random
from typing import Any

from argentum import Game
from argentum.rules.game import random_move
from argentum.rules.positions import read_position
from argentum.words import Prompt, chronicle, label, prompt

NAMES = ["Ann", "Bo", "Cy", "Dee"]


def at(**position: Any) -> Game:
    """A game from a position, with names: Ann, Bo and so on."""
    table = read_position({"discard": "12 9", "deck": "3 5 7 8 10", **position})
    return Game.at(table, NAMES[: table.players])


def played(game: Game, *moves: str) -> Game:
    """The game after these moves."""
    for move in moves:
        game.play(move)
    return game


def asked(game: Game, seat: str = "") -> Prompt:
    """What a seat (the one to move) is asked now."""
    seat = seat or game.to_move
    return prompt(game.view(seat), game.events(seat))


def buttons(game: Game) -> list[str]:
    """The buttons of the seat to move."""
    view = game.view(game.to_move)
    return [label(move, view) for move in view.legal]


def log(game: Game, seat: str | None = "A", secret: bool = True) -> list[str]:
    """The log of a seat as plain text."""
    view = game.view(seat)
    entries = chronicle(game.events(seat), game.events(None), view)
    return [entry.text(view.residents, secret) for entry in entries]


class Reader:
    """Follows a game, and knows where the events of its current turn begin."""

    def __init__(self) -> None:
        self.read = self.start = 0

    def follow(self, game: Game) -> None:
        """Read what is new."""
        new = game.events(None, since=self.read)
        for place, event in enumerate(new):
            if event.kind in ("turn", "dealt", "round ended"):
                self.start = self.read + place
        self.read += len(new)


def decisions(seeds: range, letters: str = "bcd") -> Iterator[tuple[Game, Reader]]:
    """Every decision of the first rounds of random games, which use what can be used three times in four."""
    for seed in seeds:
        random = Random(seed)
        code = "".join(random.choice(letters) for _ in range(14))
        token = random.choice(["bullet", "coin", "dagger"])
        players = random.randint(2, 4)
        game = Game.new(code, players, seed, token, NAMES[:players])
        reader = Reader()
        while not game.over and game.round < 3:
            reader.follow(game)
            yield game, reader
            uses = [move for move in game.legal() if str(move).split()[0] in ("use", "ability", "token", "call")]
            eager = uses and random.random() < 0.75
            game.play(random.choice(uses) if eager else random_move(game.choices(), random))
