"""What every face of a table shares: what a seat sees and was told, as words, as a scene to draw, and as JSON."""
