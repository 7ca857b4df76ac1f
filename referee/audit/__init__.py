"""Proves a game from its record alone: no server, no Redis, nobody to trust."""
