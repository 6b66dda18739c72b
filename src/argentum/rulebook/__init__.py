"""Rulings, help topics, and the look of boxes and cards."""
