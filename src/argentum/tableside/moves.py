"""Whole moves, as they are made at a table: tried out on a copy of the game, so that they can be written down first."""

from typing import NamedTuple

from argentum import bots
from argentum.rules.game import Game, IllegalMove
from argentum.rules.move import Move
from argentum.tableside.refusals import Refused


class Made(NamedTuple):
    """A move: the game after it, whose move it was, the one-card moves that it is made of, and the bot that chose."""

    game: Game
    seat: str
    steps: list[Move]
    bot: str = ""


def persons_move(game: Game, seat: str, text: str) -> Made:
    """A move as a person writes it."""
    new = game.copy()
    try:
        return Made(new, seat, new.play(text, seat))
    except IllegalMove as error:
        raise Refused(str(error)) from None


def bots_move(game: Game, seat: str, bot: bots.Bot) -> Made:
    """What a bot does in one move, all cards of it."""
    new = game.copy()
    steps: list[Move] = []
    while _unfinished(new, steps):
        steps += new.play(int(bots.ask(bot, new, seat)), seat)
    return Made(new, seat, steps, bot.name)


def any_move(game: Game, seat: str) -> Made:
    """Some legal move, the last of them: what happens if every bot fails, so that the table goes on."""
    new = game.copy()
    steps: list[Move] = []
    while _unfinished(new, steps):
        steps += new.play(int(new.legal(seat)[-1]), seat)
    return Made(new, seat, steps)


def _unfinished(game: Game, steps: list[Move]) -> bool:
    """Whether a card is still to be named: the first, the second of a first look (G4), more of an exchange (G10)."""
    return not steps or steps[-1].verb == "peek" or (steps[0].verb == "exchange" and game.naming)
