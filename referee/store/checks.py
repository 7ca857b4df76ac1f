"""Whether the service can work with the servers of a URL, checked when it starts."""

import logging
from typing import Any

from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from referee.store.cluster import SLOTS, ClusterClient

VERSION_MIN = 7
"""From this version on servers have sharded pub/sub."""

_log = logging.getLogger(__name__)


class Refused(Exception):
    """The service cannot work with these servers; the message says what to do."""


def check(redis: Redis) -> None:
    """Raise Refused if waiting would not help, and RedisError if no server can be reached now."""
    try:
        if isinstance(redis, ClusterClient):
            _check_cluster(redis)
        else:
            _check_server(redis)
    except (AuthenticationError, NoPermissionError) as error:
        raise Refused(f"the server refuses the user or the password: {error}. Correct them in the URL.") from None
    except RedisError as error:
        if "CERTIFICATE" in str(error) or "WRONG_VERSION_NUMBER" in str(error):
            detail = "Name its certificate authority with ?ssl_ca_certs=FILE, or write redis for a server without TLS"
            raise Refused(f"TLS failed: {error}. {detail}.") from None
        raise


def _check_server(redis: Redis) -> None:
    pool: Any = redis.connection_pool
    if hasattr(pool, "sentinel_manager"):
        _check_name(pool.sentinel_manager, pool.service_name)
    mode = _info(redis)["redis_mode"]
    if mode == "cluster":
        raise Refused("the server is part of a cluster. Begin the URL with redis+cluster:// instead.")
    if mode == "sentinel":
        raise Refused("the server is a Sentinel. Write redis+sentinel://host:port/name instead.")


def _check_name(manager: Any, name: str) -> None:
    """Raise Refused if Sentinels answer and none of them knows a master of this name."""
    known: set[str] = set()
    failed: RedisError | None = None
    for sentinel in manager.sentinels:
        try:
            known |= set(sentinel.sentinel_masters())
        except RedisError as error:
            failed = error
            _log.warning("a Sentinel cannot be reached: %s", error)
    if name not in known and known:
        raise Refused(f"the Sentinels know no master {name!r}, but {', '.join(sorted(known))}. Correct the URL.")
    if not known and failed is not None:
        raise failed


def _check_cluster(redis: ClusterClient) -> None:
    for node in redis.topology.seeds():
        try:
            info = _info(node.redis)
        except (AuthenticationError, NoPermissionError):
            raise
        except RedisError as error:
            _log.warning("%s cannot be reached: %s", node.name, error)
            continue
        if info["redis_mode"] != "cluster":
            raise Refused(f"{node.name} is not part of a cluster. For one server begin the URL with redis://.")
        version = str(info["redis_version"])
        if int(version.partition(".")[0]) < VERSION_MIN:
            raise Refused(f"{node.name} runs version {version}, without sharded pub/sub. Use Valkey, or Redis 7.")
    failed = redis.topology.learn(None)
    if failed is not None:
        raise failed
    missing = redis.topology.uncovered()
    if missing:
        detail = "Assign the others first, for example with `valkey-cli --cluster fix`"
        raise Refused(f"the cluster serves only {SLOTS - missing} of {SLOTS} slots. {detail}.")


def _info(redis: Redis) -> dict[str, Any]:
    found: Any = redis.info("server")
    return {**found, "redis_mode": found.get("redis_mode") or found.get("server_mode", "standalone")}
