"""A game as one seat sees it: views with memory, log lines, a scene to draw, and protocol JSON."""
