"""Lists of games, newest first. A public list has one part per hash tag, which is stored with its games."""

from collections.abc import Sequence
from typing import Any

from redis import RedisError

from referee.store.connections import Store

Row = tuple[int, str]
"""A row of a list: when the game was created, in milliseconds, and its id."""

SHARE = 4
"""From each part as many rows are read at first as it has on a page, times this, if the games are spread evenly."""
SHARE_MIN = 2


def is_spread(name: str) -> bool:
    """Whether a list is public, so that it has games of everybody and one part per hash tag."""
    return name == "all" or name.startswith(("status:", "ruleset:"))


def own_rows(store: Store, key: str, before: Row | None, count: int) -> list[Row]:
    """At most `count` rows of a list that one key holds, newest first, beginning after the row `before`."""
    found: list[Row] = []
    skip = 0
    while len(found) < count:
        rows = _rows(store.call(*_asked(key, before, skip, count)))
        found.extend(row for row in rows if before is None or row < before)
        if len(rows) < count:
            break
        skip += count
    return found[:count]


def spread_rows(store: Store, keys: Sequence[str], before: Row | None, count: int) -> tuple[list[Row], bool]:
    """Like `own_rows` for a list with many parts, and whether all of them could be read.

    A part whose rows are all on the page, and that has more of them, is read again, further down.
    """
    most = max(SHARE_MIN, -(-SHARE * count // len(keys)))
    parts: dict[str, list[Row]] = {}
    is_whole, unread = True, list(keys)
    while True:
        replies = store.try_each([_asked(key, before, 0, most) for key in unread])
        ends: dict[str, Row] = {}
        for key, reply in zip(unread, replies, strict=True):
            if isinstance(reply, RedisError):
                is_whole = False
                continue
            rows = _rows(reply)
            parts[key] = [row for row in rows if before is None or row < before]
            if len(rows) == most:
                ends[key] = rows[-1]
        merged = sorted((row for rows in parts.values() for row in rows), reverse=True)
        last = merged[count - 1] if len(merged) >= count else (0, "")
        unread = [key for key, end in ends.items() if end > last]
        if not unread:
            return merged[:count], is_whole
        most *= 4


def _asked(key: str, before: Row | None, skip: int, count: int) -> tuple[Any, ...]:
    newest = "+inf" if before is None else before[0]
    return "ZREVRANGEBYSCORE", key, newest, "-inf", "WITHSCORES", "LIMIT", skip, count


def _rows(reply: Any) -> list[Row]:
    return [(int(float(score)), member.decode()) for member, score in pairs(reply)]


def pairs(reply: Any) -> list[tuple[Any, Any]]:
    """The pairs of a reply: a mapping, a list of pairs, or one flat list, depending on the protocol."""
    if isinstance(reply, dict):
        return list(reply.items())
    flat = [part for pair in reply for part in pair] if reply and isinstance(reply[0], list) else reply
    return list(zip(flat[::2], flat[1::2], strict=True))
