"""What all processes have used of each quota, and what each process holds. It may all be lost without harm."""

from collections.abc import Mapping

from redis import Redis


class Quotas:
    """Counters in the Redis of the queues; each expires a while after its last use."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def take(self, name: str, amount: int, lasts_s: int) -> int:
        """Take an amount; returns how much all processes have taken, this amount included."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incrby(f"quota:{name}", amount)
            pipe.expire(f"quota:{name}", lasts_s)
            return int(pipe.execute()[0])

    def hold(self, holder: str, counts: Mapping[str, int], now_s: int, lasts_s: int) -> dict[str, int]:
        """Record how much a holder has of each name; returns how much the others have.

        A holder that does not repeat this within `lasts_s` counts as gone.
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
            name: sum(_held(value, now_s) for other, value in answers[3 * number + 2].items() if other != mine)
            for number, name in enumerate(counts)
        }


def _held(value: bytes, now_s: int) -> int:
    """How much a holder has; 0 if its record has expired or is not of our making."""
    try:
        count, until = map(int, value.split())
    except ValueError:
        return 0
    return count if until > now_s else 0
