"""Rulings, help topics, and styles of boxes and cards."""
