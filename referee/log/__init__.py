"""Where games are kept: an append-only log per game, and who plays."""
