"""The rules of the game. They need the standard library only. Start with :mod:`argentum.rules.game`."""
