"""Positions and random games for the tests of the words."""

from collections.abc import Iterator
from random import Random
from typing import Any

from argentum import Game
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.engine import random_move
from argentum.words import Prompt, build_log, button_text, prompt

NAMES = ["Ann", "Bo", "Cy", "Dee"]
EAGER = ("use", "ability", "token", "call")


def at(**position: Any) -> Game:
    """A game from a position, with names: Ann, Bo and so on."""
    return Game.at({"discard": "12 9", "deck": "3 5 7 8 10", **position}, NAMES[: position["players"]])


def played(game: Game, *moves: str) -> Game:
    """The game after these moves."""
    for move in moves:
        game.play(move)
    return game


def asked(game: Game, seat: str = "") -> Prompt:
    """What a seat (the one to move) is asked now."""
    return prompt(game.view(seat or game.to_move))


def buttons(game: Game) -> list[str]:
    """The buttons of the seat to move."""
    view = game.view(game.to_move)
    return [button_text(move, view) for move in view.legal]


def log(game: Game, seat: str | None = "A", secret: bool = True) -> list[str]:
    """The log of a seat as plain text."""
    view = game.view(seat)
    entries = build_log(game.events(seat), game.events(None), view)
    return [entry.text(view.residents, secret) for entry in entries]


def decisions(seeds: range) -> Iterator[Game]:
    """Every decision of the first rounds of random games of all boxes and mixes.

    They use what can be used three times in four.
    """
    for seed in seeds:
        random = Random(seed)
        code = random_deck_code(random) if seed % 3 else BOX_NAMES[seed // 3 % 4]
        players = random.randint(2, 4)
        game = Game.new(code, players, seed, random.choice(BOX_NAMES), NAMES[:players])
        while not game.over and game.round < 3:
            yield game
            uses = [move for move in game.legal() if str(move).split()[0] in EAGER]
            eager = uses and random.random() < 0.75
            game.play(random.choice(uses) if eager else random_move(game.legal_moves(), random))
