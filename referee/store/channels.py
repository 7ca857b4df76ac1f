"""The channels on which the service publishes."""

from referee.store.redis_log import channel_of
from referee.table.record import Entry


def game_channel(game: str) -> str:
    """The channel on which a game's entries are published."""
    return channel_of(game)


def player_channel(player: str) -> str:
    """The channel on which a player's invitations and the starts of their games are published."""
    return f"player:{player}"


REVOKED = "revoked"
"""The channel on which the ids of revoked keys are published. All servers of a cluster forward it to each other."""


def read_published(message: bytes) -> Entry:
    """The entry that an append published."""
    version, hash, body = message.split(b" ", 2)
    return Entry(int(version), body, hash.decode())
