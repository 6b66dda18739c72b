# mypyc: compile
"""Rules of the game, with the standard library only. Start with :mod:`argentum.rules.game`."""
