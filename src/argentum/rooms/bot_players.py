"""Run bots in thread pools, and replace a bot that fails or takes too long."""

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from argentum import bots
from argentum.bots.search.worker_pool import POOL
from argentum.display.session import PlayedMove, play_any_legal_move, play_bot
from argentum.rules.game import Game

STAND_IN: Final = "steady"  # the bot that fills in for a person, or for a bot that fails
BOT_TIME_LIMIT: Final = 20.0  # seconds; then the stand-in moves instead
FAST_BOT_THREADS: Final = 6  # for bots that answer at once
logger = logging.getLogger(__name__)


class BotExecutor:
    """Thread pools for bots: one for bots that search, and one for bots that answer at once.

    Fast bots never wait for searching ones. Searching bots move in order of arrival, and a room waits for one bot at a
    time, so that rooms take turns.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Create new pools, because threads do not survive a fork."""
        self.fast_pool = ThreadPoolExecutor(FAST_BOT_THREADS, "light bot")
        self.search_pool = ThreadPoolExecutor(POOL.size, "heavy bot")

    async def play(self, game: Game, seat: str, bot: bots.Bot, may_call: bool = True) -> PlayedMove:
        """Let a bot play a complete move on a copy of the game, in a thread of the pool for its kind."""
        loop = asyncio.get_running_loop()
        if not bot.uses_search:
            return await loop.run_in_executor(self.fast_pool, play_bot, game, seat, bot, may_call)
        with POOL.count_waiting_bot():
            return await loop.run_in_executor(self.search_pool, play_bot, game, seat, bot, may_call)


BOT_EXECUTOR: Final = BotExecutor()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=BOT_EXECUTOR.reset)


class BotRunner:
    """Plays the moves of one seat. If its bot fails or takes too long, the stand-in moves instead."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed  # for the bots' random numbers
        self.bot: bots.Bot | None = None

    async def play(
        self, game: Game, seat: str, name: str, time_limit: float = BOT_TIME_LIMIT, may_call: bool = True
    ) -> PlayedMove:
        """Play a move with the named bot in a thread; if it fails, use the stand-in, or else play any legal move.

        Without `may_call`, the move is not a call unless it is the only legal move.
        """
        for bot_name in (name, STAND_IN):
            try:
                async with asyncio.timeout(time_limit):
                    return await BOT_EXECUTOR.play(game, seat, self._get_bot(bot_name), may_call)
            except asyncio.CancelledError:
                self._abandon_bot()
                raise
            except Exception:
                self._abandon_bot()
                logger.exception("the bot %s failed in seat %s", bot_name, seat)
            finally:
                self.cancel()
        return play_any_legal_move(game, seat, may_call)

    def _get_bot(self, name: str) -> bots.Bot:
        if self.bot is None or self.bot.name != name.partition(":")[0]:
            self.bot = bots.make(name, self.seed)
        return self.bot

    def _abandon_bot(self) -> None:
        """Stop the bot and do not use it again, because its thread may still be running."""
        self.cancel()
        self.bot = None

    def cancel(self) -> None:
        """Stop the bot's search if it is running."""
        try:
            if self.bot is not None:
                self.bot.close()
        except Exception:
            logger.exception("a bot could not be stopped")
