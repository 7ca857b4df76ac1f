"""`make cluster`: what several machines do, on one: a cluster for the logs, Sentinels for the queues, two hosts.

`python -m referee.ops.cluster run` starts everything in the terminal. In another one, `status`, `kill N`, `isolate N`,
`heal` and `reshard` show what happens then. All addresses are on loopback, and nothing needs root.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from referee.offline.parent import end_with_parent
from referee.ops.balancer import Balancer
from referee.ops.network import HOST
from referee.ops.nodes import LocalCluster, free_port
from referee.ops.private import UMASK, Unusable, make_private
from referee.ops.run import Child, await_redis, first_admin_key, raise_file_limit
from referee.ops.sentinels import LocalSentinels
from referee.settings import SettingError, read_settings

HOSTS = ("a", "b")
POLL_SECONDS = 0.2
RESTART_SECONDS = 3.0
"""A server that was killed is started again after this time, as an operator or a supervisor would do."""
HOST_SECONDS_MAX = 60
STATE, ORDERS = "cluster.json", "orders"


class Bed:
    """Everything that `make cluster` runs."""

    def __init__(self, directory: Path, replicas: int, port: int) -> None:
        self.directory = directory
        self.cluster = LocalCluster(directory / "logs", replicas=replicas, fsync="everysec", can_be_cut=True)
        self.queues = LocalSentinels(directory / "queues", "queues")
        self.ports = {host: free_port() for host in HOSTS}
        self.balancer = Balancer(port, list(self.ports.values()))
        self._died_at: dict[int, float] = {}

    @contextlib.contextmanager
    def running(self) -> Iterator[tuple[list[Child], str | None]]:
        """Start everything; yields the processes of the service, and the key of the admin if it is new."""
        with contextlib.ExitStack() as stack:
            stack.callback(self.cluster.stop)
            self.cluster.start()
            stack.callback(self.queues.stop)
            self.queues.start()
            os.environ |= {"REDIS_URL": self.cluster.url, "QUEUE_REDIS_URL": self.queues.url}
            os.environ.setdefault("REDIS_REPLICAS", "1")
            os.environ.setdefault("OPEN_REGISTRATION", "true")
            settings = read_settings()
            await_redis(settings.redis_url)
            await_redis(settings.queue_url)
            key = first_admin_key(settings)
            running: list[Child] = []
            for host in HOSTS:
                running.append(self._host(host))
                stack.callback(running[-1].stop)
            self.balancer.start()
            stack.callback(self.balancer.stop)
            yield running, key
            for child in reversed(running):
                child.terminate()

    def _host(self, host: str) -> Child:
        """A web host and a worker host, as `make run` starts them."""
        environment = {"DRAIN_SECONDS": "0", **os.environ, "PORT": str(self.ports[host])}
        command = [sys.executable, "-m", "referee.ops.run"]

        def start() -> "subprocess.Popen[bytes]":
            return subprocess.Popen(
                command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True, preexec_fn=end_with_parent
            )

        return Child(f"host {host}", start, stop_seconds_max=HOST_SECONDS_MAX)

    def tend(self) -> None:
        """Start servers again that were killed a while ago, and carry out orders."""
        for number, server in enumerate(self.cluster.servers):
            if server.is_running():
                self._died_at.pop(number, None)
            elif time.monotonic() > self._died_at.setdefault(number, time.monotonic()) + RESTART_SECONDS:
                server.start()
        orders = self.directory / ORDERS
        if orders.exists():
            text = orders.read_text()
            orders.unlink()
            with contextlib.suppress(RedisError, LookupError, ValueError):
                self.order(*text.split())

    def order(self, command: str, *numbers: str) -> None:
        """Kill a server, cut servers off, connect all again, or move slots."""
        if command == "kill":
            self.cluster.servers[int(numbers[0])].kill()
        elif command == "isolate":
            self.cluster.isolate(*map(int, numbers))
        elif command == "heal":
            self.cluster.isolate()
        elif command == "reshard":
            self.cluster.move_share()

    def state(self) -> dict[str, Any]:
        """What the other commands need to know."""
        return {
            "pid": os.getpid(),
            "redis_url": self.cluster.url,
            "queue_redis_url": self.queues.url,
            "servers": [server.port for server in self.cluster.servers],
            "web": {host: f"http://{HOST}:{port}" for host, port in self.ports.items()},
            "balancer": self.balancer.url,
        }


def run(directory: Path, replicas: int, port: int) -> None:
    """Run everything until Ctrl-C or SIGTERM."""
    stopped = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopped.set())
    raise_file_limit()
    make_private(directory)
    bed = Bed(directory, replicas, port)
    with bed.running() as (running, key):
        (directory / STATE).write_text(json.dumps(bed.state()))
        print(f"\n  balancer  {bed.balancer.url}")
        for host, url in bed.state()["web"].items():
            print(f"  web {host}     {url}")
        print(f"  servers   {len(bed.cluster.servers)}, of which {len(bed.cluster.masters())} are masters")
        print(f"  admin     {key}   (shown only now)\n" if key else "", flush=True)
        while not stopped.wait(POLL_SECONDS):
            for child in running:
                child.keep_running()
            bed.tend()
    (directory / STATE).unlink()


def status(directory: Path) -> None:
    """Print the role and the state of each server."""
    state = json.loads((directory / STATE).read_text())
    for number, port in enumerate(state["servers"]):
        try:
            info: Any = Redis(host=HOST, port=port, socket_timeout=2).info("replication")
            print(f"{number}  {HOST}:{port}  {info['role']:<7}", *_followers(info))
        except RedisError as error:
            print(f"{number}  {HOST}:{port}  away: {error}")
    for host, url in state["web"].items():
        print(f"web {host}  {url}")
    print(f"balancer  {state['balancer']}")


def _followers(info: dict[str, Any]) -> list[str]:
    if info["role"] == "master":
        return [f"{info['connected_slaves']} replicas"]
    return [f"follows its master: {info['master_link_status']}"]


def main(arguments: list[str]) -> None:
    """Run everything, show its state, or harm it."""
    parser = argparse.ArgumentParser(prog="python -m referee.ops.cluster", description=__doc__)
    parser.add_argument("command", choices=("run", "status", "kill", "isolate", "heal", "reshard"))
    parser.add_argument("numbers", nargs="*", type=int, help="servers, as `status` numbers them")
    parser.add_argument("--directory", type=Path, default=Path("var/cluster"))
    parser.add_argument("--replicas", type=int, default=1, help="replicas of each of the three masters")
    parser.add_argument("--port", type=int, default=8000, help="port of the balancer")
    options = parser.parse_args(arguments)
    if options.command == "run":
        return run(options.directory, options.replicas, options.port)
    if not (options.directory / STATE).exists():
        sys.exit(f"No cluster runs in {options.directory}: start one with `make cluster`.")
    if options.command == "status":
        return status(options.directory)
    if options.command in ("kill", "isolate") and len(options.numbers) < 1:
        sys.exit(f"`{options.command}` needs the number of a server: `status` shows them.")
    (options.directory / ORDERS).write_text(" ".join([options.command, *map(str, options.numbers)]))


if __name__ == "__main__":
    os.umask(UMASK)
    try:
        main(sys.argv[1:])
    except (Unusable, SettingError, TimeoutError) as error:
        sys.exit(str(error))
