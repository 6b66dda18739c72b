"""Who may play in the arena: every bot, the oracle, and bots with an ability switched off."""

from typing import Protocol

from argentum import bots
from argentum.arena.players.exploiter import exploiter
from argentum.arena.players.oracle import ORACLE, Oracle
from argentum.arena.players.without_ability import WITHOUT, Muted
from argentum.rules.game import Game
from argentum.rules.move import Move


class Player(Protocol):
    """Somebody who plays a seat in the arena."""

    def decide(self, game: Game, seat: str) -> Move:
        """What to play at a seat that is to choose."""

    def close(self) -> None:
        """The game is over."""


class Guest:
    """A bot in the arena: it is asked as anywhere else, so that it sees what its seat may know and nothing else."""

    def __init__(self, bot: bots.Bot) -> None:
        self.bot = bot

    def decide(self, game: Game, seat: str) -> Move:
        """What the bot plays."""
        return bots.ask(self.bot, game, seat)

    def close(self) -> None:
        """The bot is not needed any more."""
        self.bot.close()


def player(name: str, seed: int) -> Player:
    """A player of the arena by its name: a bot's, `oracle`, `exploiter of steady`, or such as `steady without C8`."""
    if name == ORACLE:
        return Oracle(seed)
    found = exploiter(name, seed)
    if found is not None:
        return Guest(found)
    bot, _, label = name.partition(WITHOUT)
    made = bots.make(bot, seed)
    return Guest(Muted(made, label) if label else made)
