"""Make the players of the arena by name: bots, the oracle, exploiters, and bots without an ability."""

from typing import Protocol

from argentum import bots
from argentum.arena.players.exploiter import parse_exploiter
from argentum.arena.players.oracle import ORACLE_NAME, Oracle
from argentum.arena.players.without_ability import WITHOUT_SEPARATOR, BotWithoutAbility
from argentum.rules.game import Game
from argentum.rules.move import Move


class ArenaPlayer(Protocol):
    def decide(self, game: Game, seat: str) -> Move:
        """Return the move of `seat`, which must choose in `game`."""

    def close(self) -> None:
        """Release resources after the game."""


class BotPlayer:
    """A bot in the arena, which sees only what its seat may know."""

    def __init__(self, bot: bots.Bot) -> None:
        self.bot = bot

    def decide(self, game: Game, seat: str) -> Move:
        return bots.ask(self.bot, game, seat)

    def close(self) -> None:
        self.bot.close()


def make_player(name: str, seed: int) -> ArenaPlayer:
    """Make a player by name: `oracle`, a bot's name, or one such as `exploiter of steady` or `steady without C8`.

    Raise ValueError if the name is invalid.
    """
    if name == ORACLE_NAME:
        return Oracle(seed)
    exploiter = parse_exploiter(name, seed)
    if exploiter is not None:
        return BotPlayer(exploiter)
    bot_name, _, label = name.partition(WITHOUT_SEPARATOR)
    bot = bots.make(bot_name, seed)
    return BotPlayer(BotWithoutAbility(bot, label) if label else bot)
