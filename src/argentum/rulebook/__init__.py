"""The book of the game: every ruling in words, and how each resident and token is pictured."""
