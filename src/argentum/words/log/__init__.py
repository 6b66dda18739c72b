# mypyc: compile
"""The log of a game: a sentence for each action."""
