"""Run bots in thread pools, with fallback."""

from typing import Final

BOT_PAUSE: Final = 1.1  # seconds before a bot's move, so that people can follow
PACES: Final = {"slow": 2.2, "even": 1.0, "fast": 0.4, "instant": 0.0}  # as people wish it: times that pause
