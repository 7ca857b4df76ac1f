"""The URLs of Redis: one server, one that Sentinels name, or a cluster."""

from typing import Any, NamedTuple

from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import SSLConnection, parse_url
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelManagedConnection, SentinelManagedSSLConnection

from referee.store.cluster import Address, Cluster, ClusterClient, ClusterStore
from referee.store.connections import PATIENCE_S, RawConnections, Store

CONNECTIONS_MAX = 64
TIMEOUTS: dict[str, Any] = {"socket_timeout": 10, "socket_connect_timeout": 5}
FAILOVER_TIMEOUTS: dict[str, Any] = {"socket_timeout": 3, "socket_connect_timeout": 1}
"""Where another server takes over, waiting long for one that is cut off helps nobody."""
SENTINEL_TIMEOUTS: dict[str, Any] = {"socket_timeout": 1, "socket_connect_timeout": 1}
SENTINEL_PREFIX = "sentinel_"

FORMS = (
    "redis://host:6379 (one server), redis+sentinel://host:26379,host:26379/name (a master that Sentinels name), "
    "redis+cluster://host:6379,host:6379 (a cluster); rediss for TLS, or unix:///path"
)


class InvalidUrl(ValueError):
    """A URL that names no Redis; the message says what to write."""


class Several(NamedTuple):
    """A URL that names several servers."""

    kind: str
    servers: tuple[Address, ...]
    name: str
    """The name of the master, for Sentinels."""
    options: dict[str, Any]
    """The options of each connection: user, password, TLS."""
    sentinel_options: dict[str, Any]


def read_url(url: str) -> Several | None:
    """The parts of a URL with several servers; None: it names one server. Raises InvalidUrl."""
    scheme, _, rest = url.partition("://")
    base, _, kind = scheme.partition("+")
    if not kind:
        if base not in ("redis", "rediss", "unix"):
            raise InvalidUrl(f"it begins with {base!r}. Write one of: {FORMS}.")
        return None
    if base not in ("redis", "rediss") or kind not in ("cluster", "sentinel"):
        raise InvalidUrl(f"it begins with {scheme!r}. Write one of: {FORMS}.")
    authority, _, query = rest.partition("?")
    authority, _, name = authority.partition("/")
    login, at, hosts = authority.rpartition("@")
    if kind == "sentinel" and not name:
        raise InvalidUrl("it does not name the master. End it with the name, as in redis+sentinel://host:26379/logs.")
    if kind == "cluster" and name:
        raise InvalidUrl(f"it ends with /{name}, but a cluster has only database 0. Leave that out.")
    words = [word for word in query.split("&") if word]
    plain = "&".join(word for word in words if not word.startswith(SENTINEL_PREFIX))
    try:
        options = parse_url(f"{base}://{login}{at}host:1?{plain}")
    except ValueError as error:
        raise InvalidUrl(f"{error}.") from None
    of_sentinels = dict(word.removeprefix(SENTINEL_PREFIX).split("=", 1) for word in words if word not in plain)
    default = 26379 if kind == "sentinel" else 6379
    servers = tuple(_address(host, default) for host in hosts.split(","))
    rest_of = {key: value for key, value in options.items() if key not in ("host", "port", "db")}
    return Several(kind, servers, name, rest_of, of_sentinels)


def without_password(url: str) -> str:
    """A URL that can be shown."""
    scheme, _, rest = url.partition("://")
    login, at, hosts = rest.partition("?")[0].rpartition("@")
    return f"{scheme}://{login.partition(':')[0]}{':***@' if at else ''}{hosts}"


def _address(text: str, default: int) -> Address:
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        host, port = text, str(default)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise InvalidUrl(f"{text!r} is no address of a server. Write host:port, separated by commas.")
    return host, int(port)


def open_redis(url: str) -> Redis:
    """A client with a timeout for every call and a limited number of connections; raises InvalidUrl."""
    several = read_url(url)
    if several is None:
        try:
            pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS_MAX, timeout=10, **TIMEOUTS)
        except ValueError as error:
            raise InvalidUrl(f"{error}.") from None
        return Redis(connection_pool=pool)
    if several.kind == "sentinel":
        return _open_sentinel(several)
    return ClusterClient(Cluster(several.servers, lambda address: _open_node(address, several.options)))


def _open_node(address: Address, options: dict[str, Any]) -> Redis:
    """A client of one server that does not try again by itself: another server may have to be asked instead."""
    given = {**FAILOVER_TIMEOUTS, "host": address[0], "port": address[1], "retry": Retry(NoBackoff(), 0), **options}
    return Redis(connection_pool=BlockingConnectionPool(max_connections=CONNECTIONS_MAX, timeout=10, **given))


class _Closing(SentinelManagedConnection):
    """A connection that is closed when reading is interrupted, as by a signal: its next reply would be a wrong one."""

    def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply."""
        return super().read_response(*args, **{"disconnect_on_error": True, **options})


class _ClosingTls(_Closing, SentinelManagedSSLConnection):
    """The same over TLS."""


def _open_sentinel(several: Several) -> Redis:
    options = {**FAILOVER_TIMEOUTS, **several.options}
    of_sentinels, kind = dict(SENTINEL_TIMEOUTS), _Closing
    if options.pop("connection_class", None) is SSLConnection:
        kind = _ClosingTls
        of_sentinels |= {"ssl": True} | {key: value for key, value in options.items() if key.startswith("ssl_")}
    sentinels = Sentinel(several.servers, sentinel_kwargs={**of_sentinels, **several.sentinel_options})
    client: Redis = sentinels.master_for(several.name, connection_class=kind, **options)
    return client


def open_store(redis: Redis, replicas: int = 0, replicas_timeout_ms: int = 1000) -> Store:
    """The store that a client reaches."""
    if isinstance(redis, ClusterClient):
        return ClusterStore(redis.topology, replicas, replicas_timeout_ms)
    is_named = hasattr(redis.connection_pool, "sentinel_manager")
    patience_s = PATIENCE_S if is_named else 0.0
    return RawConnections(redis, replicas=replicas, replicas_timeout_ms=replicas_timeout_ms, patience_s=patience_s)
