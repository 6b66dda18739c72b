# mypyc: compile
"""Prompts for players."""
