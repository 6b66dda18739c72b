"""Who may play in the arena: every bot, the oracle, and bots with an ability switched off."""

from typing import Protocol

from argentum import bots
from argentum.arena.players.exploiter import parse_exploiter
from argentum.arena.players.oracle import ORACLE_NAME, Oracle
from argentum.arena.players.without_ability import WITHOUT_SEPARATOR, BotWithoutAbility
from argentum.rules.game import Game
from argentum.rules.move import Move


class ArenaPlayer(Protocol):
    """Somebody who plays a seat in the arena."""

    def decide(self, game: Game, seat: str) -> Move:
        """What to play at a seat that is to choose."""

    def close(self) -> None:
        """The game is over."""


class BotPlayer:
    """A bot in the arena: it is asked as anywhere else, so that it sees what its seat may know and nothing else."""

    def __init__(self, bot: bots.Bot) -> None:
        self.bot = bot

    def decide(self, game: Game, seat: str) -> Move:
        """What the bot plays."""
        return bots.ask(self.bot, game, seat)

    def close(self) -> None:
        """The bot is not needed any more."""
        self.bot.close()


def make_player(name: str, seed: int) -> ArenaPlayer:
    """A player of the arena by its name: a bot's, `oracle`, `exploiter of steady`, or such as `steady without C8`."""
    if name == ORACLE_NAME:
        return Oracle(seed)
    found = parse_exploiter(name, seed)
    if found is not None:
        return BotPlayer(found)
    bot, _, label = name.partition(WITHOUT_SEPARATOR)
    made = bots.make(bot, seed)
    return BotPlayer(BotWithoutAbility(made, label) if label else made)
