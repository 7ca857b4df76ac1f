"""Games between bots without a server: as many as wanted, from a seed, on all cores."""
