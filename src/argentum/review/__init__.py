"""Review of finished games: compare a seat's moves with those of a bot."""
