"""What the sequencer publishes: the newest checkpoint, the key of the log, and an alarm if it publishes nothing."""

from redis import Redis

CHECKPOINT, ALARM, VKEY, SIGNED_AT = "{tlog}:checkpoint", "{tlog}:alarm", "{tlog}:vkey", "{tlog}:signed-at"
ROLLED_BACK, UNWITNESSED = "log-rolled-back", "log-unwitnessed"
ALARMS = (ROLLED_BACK, UNWITNESSED)


class Published:
    """Reads what the sequencer published last."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def checkpoint(self) -> str | None:
        """The newest signed checkpoint."""
        return self._text(CHECKPOINT)

    def vkey(self) -> str | None:
        """The public key of the log."""
        return self._text(VKEY)

    def alarm(self) -> str | None:
        """Why no checkpoint is published; None: everything is well."""
        return self._text(ALARM)

    def signed_at(self) -> int | None:
        """When the newest checkpoint was published, in seconds since 1970; None: there is none."""
        text = self._text(SIGNED_AT)
        return None if text is None else int(text)

    def _text(self, name: str) -> str | None:
        found: object = self._redis.get(name)
        return found.decode() if isinstance(found, bytes) else None
