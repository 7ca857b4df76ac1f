"""Builds a repository from the settings, for the web, the workers and the sweep alike."""

from collections.abc import Callable
from pathlib import Path

from redis import Redis

from referee.service import hosts, shares
from referee.service.game import Game
from referee.service.hosts import Hosts
from referee.service.log import PublicLog
from referee.service.receipts import Receipts
from referee.service.repository import Quotas, Repository
from referee.service.shares import Share
from referee.settings import SettingError, Settings
from referee.store.archive import Archive, Aside, InvalidArchive, root_of
from referee.store.channels import player_channel
from referee.store.directory import Directory
from referee.store.finished_log import FinishedLog
from referee.store.members import Members
from referee.store.urls import InvalidUrl, open_redis, open_store
from referee.tlog.keys import RECEIPTS_FILE, CurrentKey, KeyFile, Notices, receipts_name
from referee.tlog.leaves import Leaves
from referee.tlog.note import InvalidNote
from referee.tlog.published import Published
from referee.tlog.tree import Tree

DAY_MS = 86_400_000
MINUTE_MS = 60_000


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
    archive = make_archive(settings, lambda work: repository.aside(work))
    log = FinishedLog(redis, *confirmation, logs=bool(settings.log_origin), archive=archive)
    repository: Repository = Repository(
        log=log,
        directory=Directory(redis, *confirmation),
        nudge=nudge_by_id,
        tell=tell,
        games_in_memory=settings.games_in_memory,
        bot_budget_ms=settings.bot_budget_ms,
        waiting_ms=round(settings.waiting_days * DAY_MS),
        invitations_max=settings.invitations,
        finished=log,
        pack_after_ms=round(settings.pack_minutes * MINUTE_MS),
        quotas=Quotas(settings.open_games, settings.bot_games, settings.player_keys),
    )
    return repository


def make_archive(settings: Settings, aside: Aside) -> Archive | None:
    """The archive of finished games; None: they stay in Redis. Raises SettingError."""
    if not settings.archive_url:
        return None
    try:
        return Archive(root_of(settings.archive_url), aside)
    except InvalidArchive as error:
        raise SettingError(f"ARCHIVE_URL={settings.archive_url!r}: {error}.") from None


def make_share(queues: Redis) -> Share:
    """What a sweep shares with the other sweeps."""
    return Share(Members(queues, "sweeps", shares.LASTS_MS))


def make_hosts(queues: Redis) -> Hosts:
    """What this process and the others say about the rules that they have."""
    return Hosts(Members(queues, "rules", hosts.LASTS_MS))


def make_public_log(settings: Settings, redis: Redis, finished: FinishedLog | None = None) -> PublicLog:
    """The transparency log as everybody may read it, with the leaves of packed games."""
    leaves = Leaves(redis) if finished is None else Leaves(redis, finished.packed_games.leaves)
    return PublicLog(Published(redis), Tree(redis, Path(settings.log_dir)), leaves, Notices(redis))


def make_receipts(settings: Settings, redis: Redis) -> Receipts | None:
    """What signs receipts; None: the service keeps no transparency log, so it signs none. Raises SettingError."""
    if not settings.log_origin:
        return None
    file, notices = KeyFile(Path(settings.log_dir) / RECEIPTS_FILE, receipts_name(settings.log_origin)), Notices(redis)
    try:
        return Receipts(CurrentKey(file, notices), notices)
    except (InvalidNote, OSError) as error:
        raise SettingError(f"LOG_DIR={settings.log_dir!r}: no key for receipts: {error}") from None
