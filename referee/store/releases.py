"""The files of the page, by release: a browser that got its shell before a deploy still finds the rest."""

from collections.abc import Mapping

from redis import Redis, RedisError

LASTS_S = 7 * 86_400


class Releases:
    """Compressed files in the Redis of the queues. They may be lost at any time: a reload brings the newest page."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def keep(self, release: str, files: Mapping[str, bytes]) -> bool:
        """Keep the files of a release; false: not now."""
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                for name, file in files.items():
                    pipe.hset(f"page:{release}", name, file)
                pipe.expire(f"page:{release}", LASTS_S)
                pipe.execute()
        except RedisError:
            return False
        return True

    def find(self, release: str, name: str) -> bytes | None:
        """A file of a release; None: it is not kept, or cannot be read now."""
        try:
            found = self._redis.hget(f"page:{release}", name)
        except RedisError:
            return None
        return found if isinstance(found, bytes) else None
