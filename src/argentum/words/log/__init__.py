"""The log of a game, in sentences."""
