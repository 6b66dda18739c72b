"""Prompts for players."""
