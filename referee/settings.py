"""Every setting: read once from the environment, typed, with its default and its meaning."""

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

Network = IPv4Network | IPv6Network


def _setting(default: Any, description: str) -> Any:
    return field(default=default, metadata={"description": description})


@dataclass(frozen=True)
class Settings:
    """The settings, named as their environment variables in lower case."""

    host: str = _setting("127.0.0.1", "The address to serve on.")
    port: int = _setting(8000, "The port to serve on.")
    redis_url: str = _setting("", "The Redis of the logs; empty: an embedded server under VAR.")
    queue_redis_url: str = _setting("", "The Redis of the queues; `make run` starts one.")
    var: str = _setting("var", "Where the embedded Redis keeps its data.")
    redis_fsync: str = _setting("always", "The embedded Redis's `appendfsync`: always, everysec or no.")
    redis_memory_mb: int = _setting(
        1024, "MiB of memory beyond which the embedded Redis of the logs refuses writes; 0: no limit."
    )
    queue_memory_mb: int = _setting(
        256, "MiB of memory beyond which the embedded Redis of the queues refuses writes; 0: no limit."
    )
    redis_replicas: int = _setting(0, "A move is answered when so many replicas have it (`WAIT`).")
    redis_replicas_timeout_ms: int = _setting(1000, "How long to wait for the replicas.")
    web_processes: int = _setting(2, "The number of gunicorn processes.")
    web_connections: int = _setting(10000, "Connections that one gunicorn process holds at most.")
    workers: int = _setting(1, "The number of RQ workers that do what the referee owes: triggers, clocks.")
    quick_bot_workers: int = _setting(1, "The number of RQ workers that move the bots `random` and `greedy`.")
    bot_workers: int = _setting(1, "The number of RQ workers that move the bot `search`.")
    audit_workers: int = _setting(1, "The number of RQ workers that audit games that are over.")
    bot_budget_ms: int = _setting(1000, "How long a move of the bot `search` takes, in a game with players always.")
    sweep_seconds: float = _setting(0.1, "How often games are looked for on which something is overdue.")
    waiting_days: float = _setting(
        7.0, "A game that has not started after so many days is annulled; after as many more it is removed; 0: never."
    )
    open_registration: bool = _setting(False, "Whether anybody may make a player; `make run` switches it on.")
    cors_origins: str = _setting("*", "Origins whose pages may read answers, apart by commas; `*`: any; empty: none.")
    rate_player: int = _setting(30000, "Calls a minute of one player, accepted moves aside; 0: no limit.")
    rate_address: int = _setting(12000, "Calls a minute without a key from one address; 0: no limit.")
    rate_registrations: int = _setting(600, "Players that one address makes a minute; 0: no limit.")
    open_games: int = _setting(50, "Open games that one player may have created, an admin's key aside; 0: no limit.")
    bot_games: int = _setting(20, "Those of them in which built-in bots have seats; 0: no limit.")
    player_keys: int = _setting(20, "Keys that one player may have; 0: no limit.")
    invitations: int = _setting(5, "Unanswered invitations that one player may have sent another; 0: no limit.")
    streams_player: int = _setting(100, "Event streams and long polls of one player at once; 0: no limit.")
    streams_address: int = _setting(1000, "Event streams and long polls of one address at once; 0: no limit.")
    trusted_proxies: str = _setting("", "Addresses and networks whose `X-Forwarded-For` is believed, apart by commas.")
    client_seconds: int = _setting(30, "How long a client may take for a head, for a body, for a part of an answer.")
    body_bytes_max: int = _setting(262144, "The longest request body.")
    games_in_memory: int = _setting(10000, "The positions that one process keeps.")
    heartbeat_seconds: float = _setting(15.0, "How often an idle event stream gets a comment.")
    wait_seconds_max: int = _setting(60, "The longest wait of a long poll.")
    key_cache_seconds: float = _setting(0.5, "How long a process trusts a key that it has looked up.")
    log_level: str = _setting("INFO", "The least level that is logged.")

    @property
    def queue_url(self) -> str:
        """The Redis of the queues."""
        return self.queue_redis_url or self.redis_url

    @property
    def proxies(self) -> tuple[Network, ...]:
        """The proxies that are believed; raises SettingError."""
        try:
            return tuple(ip_network(word, strict=False) for word in self.trusted_proxies.replace(",", " ").split())
        except ValueError as error:
            raise SettingError(f"TRUSTED_PROXIES={self.trusted_proxies!r}: {error}.") from None

    def __post_init__(self) -> None:
        """What cannot be read stops the start."""
        assert isinstance(self.proxies, tuple)
        for name in ("redis_memory_mb", "queue_memory_mb"):
            if getattr(self, name) < 0:
                raise SettingError(f"{name.upper()}={getattr(self, name)}: expected 0 or more.")


class SettingError(Exception):
    """A setting cannot be read."""


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
    """Each setting with its default and its meaning, for the docs."""
    return [(each.name.upper(), _spelled(each.default), each.metadata["description"]) for each in fields(Settings)]


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
