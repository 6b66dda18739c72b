"""What one seat or spectator is shown of a game: views, memory mode, log lines, scenes, and protocol JSON."""
