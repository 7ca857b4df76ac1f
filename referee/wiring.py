"""Builds a repository from the settings, for the web, the workers and the sweep alike."""

from collections.abc import Callable
from pathlib import Path

from redis import Redis

from referee.service.game import Game
from referee.service.log import PublicLog
from referee.service.receipts import Receipts
from referee.service.repository import Quotas, Repository
from referee.settings import SettingError, Settings
from referee.store.channels import player_channel
from referee.store.directory import Directory
from referee.store.redis_log import RedisLog
from referee.store.urls import InvalidUrl, open_redis, open_store
from referee.tlog.keys import RECEIPTS_FILE, KeyFile, Notices, receipts_name
from referee.tlog.leaves import Leaves
from referee.tlog.note import InvalidNote
from referee.tlog.published import Published
from referee.tlog.tree import Tree

DAY_MS = 86_400_000


def connect(url: str) -> Redis:
    """A Redis client with a limited number of connections and a timeout for every call; raises SettingError."""
    if not url:
        raise SettingError("REDIS_URL is not set; `make run` starts an embedded Redis and sets it.")
    try:
        return open_redis(url)
    except InvalidUrl as error:
        raise SettingError(f"The URL of Redis is not usable: {error}") from None


def make_repository(settings: Settings, redis: Redis, nudge: Callable[[Game], object]) -> Repository:
    """A repository over this Redis."""

    store = open_store(redis)

    def tell(player: str, message: bytes) -> None:
        store.call(store.publishing, player_channel(player), message)

    def nudge_by_id(game: str) -> None:
        nudge(repository.game(game))

    confirmation = settings.redis_replicas, settings.redis_replicas_timeout_ms
    repository = Repository(
        log=RedisLog(redis, *confirmation, logs=bool(settings.log_origin)),
        directory=Directory(redis, *confirmation),
        nudge=nudge_by_id,
        tell=tell,
        games_in_memory=settings.games_in_memory,
        bot_budget_ms=settings.bot_budget_ms,
        waiting_ms=round(settings.waiting_days * DAY_MS),
        invitations_max=settings.invitations,
        quotas=Quotas(settings.open_games, settings.bot_games, settings.player_keys),
    )
    return repository


def make_public_log(settings: Settings, redis: Redis) -> PublicLog:
    """The transparency log as everybody may read it."""
    return PublicLog(Published(redis), Tree(redis, Path(settings.log_dir)), Leaves(redis), Notices(redis))


def make_receipts(settings: Settings, redis: Redis) -> Receipts | None:
    """What signs receipts; None: the service keeps no transparency log, so it signs none. Raises SettingError."""
    if not settings.log_origin:
        return None
    try:
        signers = KeyFile(Path(settings.log_dir) / RECEIPTS_FILE, receipts_name(settings.log_origin)).signers()
    except (InvalidNote, OSError) as error:
        raise SettingError(f"LOG_DIR={settings.log_dir!r}: no key for receipts: {error}") from None
    return Receipts(signers[-1], Notices(redis))
