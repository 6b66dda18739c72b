"""The rules of the game: pure, without any dependency. Begin with :mod:`argentum.rules.game`."""
