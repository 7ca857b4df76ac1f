"""Which parts of a cluster can be used now."""

from typing import Any

from redis.exceptions import RedisError

from referee.store.cluster import ClusterStore, slot_of
from referee.store.connections import Store, Unconfirmed
from referee.store.redis_log import ALL_TAGS

UP, UNCONFIRMED, DOWN = "up", "unconfirmed", "down"


def probe(store: Store) -> dict[str, str]:
    """Write something on every server that has games; returns the state of each by its slots.

    There is nothing to tell apart on one server: it raises a RedisError if it cannot be used. So does a cluster of
    which no server can be reached.
    """
    if not isinstance(store, ClusterStore):
        store.call("SET", "ready", "1")
        return {}
    found: dict[str, str] = {}
    failed: RedisError | None = None
    for node, slots in store.cluster.owners().items():
        tag = next((tag for tag in ALL_TAGS if slot_of(tag) in set(slots)), None)
        command: tuple[Any, ...] = ("SET", f"ready:{tag}", "1")
        try:
            if tag is not None:
                store.confirmed.ask(node, command)
            state = UP
        except Unconfirmed as error:
            state, failed = UNCONFIRMED, error
        except RedisError as error:
            state, failed = DOWN, error
            store.cluster.learn(node)
        found[_ranges(slots)] = state
    if failed is not None and UP not in found.values():
        raise failed
    return found


def _ranges(slots: list[int]) -> str:
    """Slots in words, such as `0-5460,9000`."""
    ranges: list[list[int]] = []
    for slot in slots:
        if ranges and ranges[-1][1] == slot - 1:
            ranges[-1][1] = slot
        else:
            ranges.append([slot, slot])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
