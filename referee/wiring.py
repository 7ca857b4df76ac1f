"""Puts a desk together from the settings: what the web, the workers and the sweep have in common."""

from collections.abc import Callable

from redis import BlockingConnectionPool, Redis

from referee.log.directory import Directory
from referee.log.feed import player_channel
from referee.log.redis_log import RedisLog
from referee.service.desk import Desk, Quotas
from referee.service.game import Game
from referee.settings import SettingError, Settings

CONNECTIONS_MAX = 64
DAY_MS = 86_400_000


def connect(url: str) -> Redis:
    """A client of Redis with a bounded number of connections, which gives up on a silent server."""
    if not url:
        raise SettingError("REDIS_URL is not set; `make run` starts an embedded Redis and sets it.")
    pool = BlockingConnectionPool.from_url(
        url, max_connections=CONNECTIONS_MAX, timeout=10, socket_timeout=10, socket_connect_timeout=5
    )
    return Redis(connection_pool=pool)


def make_desk(settings: Settings, redis: Redis, nudge: Callable[[Game], object]) -> Desk:
    """A desk over this Redis."""

    def tell(player: str, message: bytes) -> None:
        redis.publish(player_channel(player), message)

    def nudge_by_id(game: str) -> None:
        nudge(desk.game(game))

    desk = Desk(
        log=RedisLog(redis, settings.redis_replicas, settings.redis_replicas_timeout_ms),
        directory=Directory(redis),
        nudge=nudge_by_id,
        tell=tell,
        games_in_memory=settings.games_in_memory,
        bot_budget_ms=settings.bot_budget_ms,
        waiting_ms=round(settings.waiting_days * DAY_MS),
        invitations_max=settings.invitations,
        quotas=Quotas(settings.open_games, settings.bot_games, settings.player_keys),
    )
    return desk
