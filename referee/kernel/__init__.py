"""The kernel: the contract of a ruleset, and what can be asked of every ruleset. Pure, without I/O."""
