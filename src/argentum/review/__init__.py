"""Review finished games: compare the moves of a seat with those that a bot would have made."""
