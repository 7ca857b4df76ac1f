"""The missions: one module each, and what they bring to a tile that is discovered."""
