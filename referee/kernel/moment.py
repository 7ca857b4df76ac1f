"""Moments as the log tells them: UTC, to the millisecond."""

from datetime import UTC, datetime
from functools import lru_cache


def timestamp(at_ms: int) -> str:
    """A time in UTC, to the millisecond."""
    seconds, rest = divmod(at_ms, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=16)
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def milliseconds(timestamp: str) -> int:
    """The time of a timestamp in milliseconds."""
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
