"""`make campaign-leaks`: the long form. Prints its figures; exits with an error if anything leaks."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from referee.rulesets import LATEST
from tests.api.world import World
from tests.campaigns.leaks.campaign import Campaign, Effort, Figures
from tests.campaigns.leaks.carriers import EVEN, InProcess, OverHttp
from tests.redis_server import RedisServer
from tests.service import Service

ORIGIN = "referee.example/log"


def in_process(directory: Path, seed: str, effort: Effort) -> Figures:
    """The application over a real Redis."""
    server = RedisServer(directory).start()
    try:
        world = World(server, log_origin=ORIGIN, log_dir=str(directory / "log"))
        return Campaign(InProcess(world), random.Random(seed)).run(LATEST.values(), effort)
    finally:
        server.stop()


def over_http(directory: Path, seed: str, effort: Effort) -> Figures:
    """The service as `make run` starts it, with streams and long polls."""
    service = Service(directory, **EVEN, LOG_ORIGIN=ORIGIN, LOG_DIR=str(directory / "log")).start()
    try:
        return Campaign(OverHttp(service), random.Random(seed)).run(LATEST.values(), effort)
    finally:
        service.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.leaks", description=__doc__)
    parser.add_argument("--positions", type=int, default=20, help="positions of each title, each for every reader")
    parser.add_argument("--http-positions", type=int, default=3, help="the same over HTTP, with streams")
    parser.add_argument("--seed", default="leaks", help="another word gives other positions")
    asked = parser.parse_args()
    leaks = 0
    for run, positions in ((in_process, asked.positions), (over_http, asked.http_positions)):
        with tempfile.TemporaryDirectory() as directory:
            figures = run(Path(directory), asked.seed, Effort(positions))
        print(f"{run.__name__}: {figures}", flush=True)
        print(*figures.differences, sep="\n")
        leaks += len(figures.differences)
    sys.exit(1 if leaks else 0)


if __name__ == "__main__":
    main()
