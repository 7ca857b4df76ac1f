"""`python -m referee.ops.pack`: pack every finished game now, and archive it if there is an archive.

Workers do this by themselves, an hour after a game has ended. This command is for the games of before: those that ended
while `PACK_MINUTES` was 0, and those that were packed before there was an archive.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from redis import Redis
from redis.exceptions import RedisError

from referee.service.game import Game
from referee.service.packing import pack
from referee.service.repository import Repository
from referee.settings import SettingError, read_settings
from referee.wiring import connect, make_repository


def games_in(repository: Repository, redis: Redis) -> Iterator[Game]:
    """Yield every game. The scan of all keys does not keep others waiting."""
    for key in redis.scan_iter("game:*:head", count=1000):
        yield repository.game(key.decode().split(":")[2])


def pack_all(repository: Repository, redis: Redis) -> Counter[str]:
    """Pack what can be packed; returns the number of games by what was done with them."""
    return Counter(pack(repository, game) for game in games_in(repository, redis))


def main(arguments: list[str]) -> int:
    """Pack, and print what was done."""
    argparse.ArgumentParser(prog="python -m referee.ops.pack", description=__doc__).parse_args(arguments)
    try:
        settings = read_settings()
        redis = connect(settings.redis_url)
        counts = pack_all(make_repository(settings, redis, nudge=lambda game: None), redis)
    except (SettingError, RedisError) as error:
        sys.exit(str(error))
    print(", ".join(f"{counts[name]} {name}" for name in sorted(counts)) or "There are no games.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
