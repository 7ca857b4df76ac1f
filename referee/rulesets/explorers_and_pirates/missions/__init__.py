"""The missions, their tracks, and the Council."""
