"""Stepping through a game in the terminal."""
