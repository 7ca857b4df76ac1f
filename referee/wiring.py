"""Puts a desk together from the settings: what the web, the workers and the sweep have in common."""

from collections.abc import Callable

from redis import Redis

from referee.log.directory import Directory
from referee.log.feed import player_channel
from referee.log.redis_log import RedisLog
from referee.service.desk import Desk
from referee.settings import SettingError, Settings


def connect(url: str) -> "Redis[bytes]":
    """A client of Redis that gives up on a silent server."""
    if not url:
        raise SettingError("REDIS_URL is not set; `make run` starts an embedded Redis and sets it.")
    return Redis.from_url(url, socket_timeout=10, socket_connect_timeout=5, health_check_interval=0)


def make_desk(settings: Settings, redis: "Redis[bytes]", nudge: Callable[[str], None]) -> Desk:
    """A desk over this Redis."""

    def tell(player: str, message: bytes) -> None:
        redis.publish(player_channel(player), message)

    return Desk(
        log=RedisLog(redis, settings.redis_replicas, settings.redis_replicas_timeout_ms),
        directory=Directory(redis),
        nudge=nudge,
        tell=tell,
        games_in_memory=settings.games_in_memory,
    )
