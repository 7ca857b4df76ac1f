"""A witness of a transparency log: it remembers what it saw, and shows both stories of a log that tells two."""
