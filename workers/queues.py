"""The queues, and the only jobs that workers take from them: a kind of work and a list of games, in JSON.

RQ itself imports functions and callbacks that a stored job names. Here a worker reads only the kind and the games of a
job, and neither can name code.
"""

import logging
import re
import zlib
from collections.abc import Iterable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from redis import Redis
from redis.exceptions import ResponseError
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

NUDGES: Final = "nudges"
QUICK_BOTS: Final = "quick-bots"
BOTS: Final = "bots"
AUDITS: Final = "audits"

GAMES_MAX = {NUDGES: 50, QUICK_BOTS: 10, BOTS: 1, AUDITS: 1}
"""The queues in the order in which a worker reads them, with the most games in one job.

The next game waits until the whole job is done, so the longer the work on a game takes, the fewer games share a job.
"""

DATA_BYTES_MAX = 8192
"""The limit for the data of a job; those of the largest job take a quarter of it."""

_OUR_ID = re.compile(rb"[0-9a-f]{32}")
GAME_ID = re.compile(rb"g_[0-9a-f]{24}")
_GameId = Annotated[str, Meta(pattern="^g_[0-9a-f]{24}$")]
_Games = Annotated[tuple[_GameId, ...], Meta(min_length=1, max_length=max(GAMES_MAX.values()))]
_decoder = msgspec.json.Decoder(tuple[str, None, tuple[_Games], Annotated[dict[str, str], Meta(max_length=0)]])
"""What RQ stores of a call: the name of a function, its object, its positional arguments, its keyword arguments."""

_log = logging.getLogger(__name__)


class _Refused(Exception):
    """An item of a queue that this service did not put there."""


class GamesJob(Job):
    """A job that was taken from its queue, with its kind and its games."""

    kind: str = ""
    games: tuple[str, ...] = ()


class GamesQueue(Queue):
    """A queue whose jobs leave Redis when they are taken; if a worker dies, the sweep queues its games again."""

    job_class = GamesJob

    @classmethod
    def dequeue_any(cls, queues: Iterable[Queue], timeout: int | None, connection: Redis, *_: Any, **__: Any) -> Any:
        """Take the next valid job off the queues and drop every invalid one before it."""
        named = {queue.key: queue for queue in queues}
        while (taken := cls.lpop(list(named), timeout, connection=connection)) is not None:
            key, id = taken
            queue = named[key.decode() if isinstance(key, bytes) else key]
            try:
                return _take(queue, id), queue
            except _Refused as reason:
                _log.warning("job refused: queue=%s: %s", queue.name, reason)
        return None


def _take(queue: Queue, id: bytes) -> GamesJob:
    """Read a job and delete it from Redis; raises _Refused."""
    if _OUR_ID.fullmatch(id) is None:
        raise _Refused("its id does not have 32 hexadecimal digits")
    job = GamesJob(id.decode(), connection=queue.connection, serializer=JSONSerializer)
    with queue.connection.pipeline() as pipe:
        pipe.hget(job.key, "data")
        pipe.delete(job.key)
        stored = pipe.execute(raise_on_error=False)[0]
    if stored is None or isinstance(stored, ResponseError):
        raise _Refused("it has no data")
    job.kind, job.games = _read(stored)
    if job.kind != queue.name:
        raise _Refused("it is for another queue")
    return job


def _read(stored: bytes) -> tuple[str, tuple[str, ...]]:
    """The kind and the games of stored data; raises _Refused."""
    unpacking = zlib.decompressobj()
    try:
        kind, _, (games,), _ = _decoder.decode(unpacking.decompress(stored, DATA_BYTES_MAX))
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _Refused("its data are not a kind and a list of games") from None
    return kind, games


def queue(redis: Redis, name: str) -> GamesQueue:
    """A queue that workers listen to."""
    return GamesQueue(name, connection=redis, serializer=JSONSerializer)
