"""Positions and random games for the tests of argentum.words."""

from collections.abc import Iterator
from random import Random
from typing import Any

from argentum import Game
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.words import Prompt, build_log, button_text, prompt
from tests.random_games import random_move

NAMES = ["Ann", "Bo", "Cy", "Dee"]
PREFERRED = ("use", "ability", "token", "call")


def game_at(**position: Any) -> Game:
    """Return a game at a position, with the players Ann, Bo, Cy and Dee."""
    return Game.at({"discard": "12 9", "deck": "3 5 7 8 10", **position}, NAMES[: position["players"]])


def play_moves(game: Game, *moves: str) -> Game:
    for move in moves:
        game.play(move)
    return game


def prompt_for(game: Game, seat: str = "") -> Prompt:
    """Return the prompt of a seat, by default the seat to move."""
    return prompt(game.view(seat or game.to_move))


def button_texts(game: Game) -> list[str]:
    """Return the button texts of the seat to move."""
    view = game.view(game.to_move)
    return [button_text(move, view) for move in view.legal]


def log_lines(game: Game, seat: str | None = "A", secret: bool = True) -> list[str]:
    """Return the log of a seat as plain text; without `secret`, only what spectators see too."""
    view = game.view(seat)
    entries = build_log(game.events(seat), game.events(None), view)
    return [entry.text(view.residents, secret) for entry in entries]


def random_decisions(seeds: range) -> Iterator[Game]:
    """Yield a game at each decision of the first two rounds, for random games of all boxes and mixes.

    Three times in four, an ability, a token or a call is chosen if there is one.
    """
    for seed in seeds:
        random = Random(seed)
        code = random_deck_code(random) if seed % 3 else BOX_NAMES[seed // 3 % 4]
        players = random.randint(2, 4)
        game = Game.new(code, players, seed, random.choice(BOX_NAMES), NAMES[:players])
        while not game.over and game.round < 3:
            yield game
            uses = [move for move in game.legal() if str(move).split()[0] in PREFERRED]
            eager = uses and random.random() < 0.75
            game.play(random.choice(uses) if eager else random_move(game, random))
