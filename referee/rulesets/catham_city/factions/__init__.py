"""The eight factions, one module each: what a play of its cards does."""
