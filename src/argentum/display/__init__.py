"""Presentation of a game for one seat: views, memory mode, log lines, scenes, and protocol JSON."""
