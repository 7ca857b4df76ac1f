"""What the API needs to know of where games are kept."""

from referee.log.log import ENTRIES_MAX, Unavailable, reason

__all__ = ["ENTRIES_MAX", "Unavailable", "reason"]
