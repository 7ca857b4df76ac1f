"""Games between bots without a server: any number of them, from a seed, on all cores."""
