"""Times as the log records them: UTC, to the millisecond."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

Timestamp = Annotated[
    str,
    Meta(
        description="UTC, to the millisecond.",
        extra_json_schema={"format": "date-time", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"},
    ),
]


def timestamp(at_ms: int) -> str:
    """The timestamp of a time in milliseconds."""
    seconds, rest = divmod(at_ms, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=16)
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def milliseconds(timestamp: str) -> int:
    """The time of a timestamp in milliseconds."""
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
