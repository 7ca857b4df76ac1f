"""The transparency log: it records what the service says about games, and nobody can change it unnoticed."""
