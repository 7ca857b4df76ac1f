"""The kernel: everything that is the same for every ruleset, pure and without I/O."""
