"""A witness of a transparency log: it remembers what it saw, and shows the evidence if the log contradicts itself."""
