"""The transparency log: what the service says about games is written down where nobody can change it unseen."""
