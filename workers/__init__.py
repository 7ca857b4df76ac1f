"""RQ workers: they do what no player does."""
