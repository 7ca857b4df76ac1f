"""What the service counts about games, for operators. Every process adds to the same figures."""

from functools import cache
from typing import Any

from prometheus_client import Counter, Gauge, Histogram

COMMITS = Counter("referee_commits_total", "Commits by ruleset, and by who acted.", ["ruleset", "by"])
REFUSALS = Counter("referee_refusals_total", "Posted moves that the rules refused, by clause.", ["clause"])
MISSED_DEADLINES = Counter("referee_missed_deadlines_total", "Deadlines that a player missed.", ["ruleset"])
LATE_SECONDS = Histogram(
    "referee_late_seconds",
    "Time from when the referee owed a move until it was made.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
)
BOT_SECONDS = Histogram(
    "referee_bot_seconds",
    "Time that a built-in bot thought about a move.",
    ["ruleset", "bot"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
STREAM_LAG_SECONDS = Histogram(
    "referee_stream_lag_seconds",
    "Time from a commit until a web process has sent it to all its streams.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
QUEUE_GAMES = Gauge("referee_queue_games", "Games that wait for a worker.", ["queue"], multiprocess_mode="mostrecent")
LOG_ALARM = Gauge(
    "referee_log_alarm",
    "1 if the transparency log publishes no checkpoint for this reason, otherwise 0.",
    ["alarm"],
    multiprocess_mode="mostrecent",
)
LOG_AGE = Gauge(
    "referee_log_checkpoint_age_seconds",
    "Time since the transparency log last published a checkpoint.",
    multiprocess_mode="mostrecent",
)


REWOUND = Counter("referee_rewound_total", "Readers that had commits which the log has lost.")


def count_commit(ruleset: str, actor: int | str, cause: dict[str, Any] | None) -> None:
    """Count a commit that was appended."""
    by = actor_kind(actor, cause)
    _commits(ruleset, by).inc()
    if by == "clock":
        MISSED_DEADLINES.labels(ruleset).inc()


def actor_kind(actor: int | str, cause: dict[str, Any] | None) -> str:
    """Who acted: `player`, `bot`, `clock` (a default move), `referee` or `admin`."""
    if isinstance(actor, str):
        return actor
    if cause is None:
        return "player"
    return "bot" if "bot" in cause else "clock"


@cache
def _commits(ruleset: str, by: str) -> Counter:
    return COMMITS.labels(ruleset, by)


def count_refusal(clause: str) -> None:
    """Count a posted move that the rules refused."""
    REFUSALS.labels(clause).inc()
