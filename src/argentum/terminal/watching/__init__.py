"""Watch a recorded or live game in the terminal."""
