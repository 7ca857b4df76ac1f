"""RQ workers: they make the moves of the referee and of bots, and audit games that are over."""
