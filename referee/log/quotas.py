"""What all processes have used up together, and what each of them holds. It may be lost at any time without harm."""

from collections.abc import Mapping

from redis import Redis


class Quotas:
    """Counters in the Redis of the queues; each is forgotten a while after it was last touched."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def take(self, name: str, amount: int, lasts_s: int) -> int:
        """Take an amount; gives how much has been taken by everybody, this amount included."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incrby(f"quota:{name}", amount)
            pipe.expire(f"quota:{name}", lasts_s)
            return int(pipe.execute()[0])

    def hold(self, holder: str, counts: Mapping[str, int], now_s: int, lasts_s: int) -> dict[str, int]:
        """Note how much a holder has of each name; gives how much others have.

        A holder that does not say so again in time is believed to be gone.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            for name, count in counts.items():
                if count:
                    pipe.hset(f"held:{name}", holder, f"{count} {now_s + lasts_s}")
                else:
                    pipe.hdel(f"held:{name}", holder)
                pipe.expire(f"held:{name}", 2 * lasts_s)
                pipe.hgetall(f"held:{name}")
            answers = pipe.execute()
        mine = holder.encode()
        return {
            name: sum(_held(note, now_s) for who, note in answers[3 * number + 2].items() if who != mine)
            for number, name in enumerate(counts)
        }


def _held(note: bytes, now_s: int) -> int:
    """What a holder noted; nothing, if others have written what no holder writes."""
    try:
        count, until = map(int, note.split())
    except ValueError:
        return 0
    return count if until > now_s else 0
