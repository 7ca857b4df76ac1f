"""The storage: an append-only log for each game, and a directory of players, keys and lists of games."""
