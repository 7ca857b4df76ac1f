"""What the API needs to know of where games are kept."""

from referee.log.log import Unavailable, reason

__all__ = ["Unavailable", "reason"]
