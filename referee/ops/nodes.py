"""Clusters, replicas and Sentinels on one machine, for trying out what several machines do."""

import contextlib
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from referee.offline.parent import end_with_parent
from referee.ops.embedded import server_binary
from referee.ops.network import HOST, Network, source_of
from referee.ops.private import UMASK, make_private
from referee.store.cluster import SLOTS

READY_SECONDS_MAX = 60
POLL_SECONDS = 0.02
MEETING_SECONDS = 5.0
PORTS = range(20_000, 32_000)
"""Below the ports that outgoing connections get, so that none of these takes one before a server does."""


_given: set[int] = set()


def free_port() -> int:
    """A port that nobody listens to, and that was not given to anybody before."""
    while True:
        port = secrets.choice(PORTS)
        if port in _given:
            continue
        _given.add(port)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((HOST, port))
            return port


def await_that(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds; a server that cannot be reached yet does not fulfil it. Raises TimeoutError."""
    deadline = time.monotonic() + READY_SECONDS_MAX
    while True:
        with contextlib.suppress(RedisError):
            if condition():
                return
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {READY_SECONDS_MAX} seconds")
        time.sleep(POLL_SECONDS)


class Server:
    """A server on a port, with files in a directory of its own."""

    def __init__(self, directory: Path, options: Sequence[str] = (), binary: str = "", **connection: Any) -> None:
        """`connection`: what clients of the server need besides its address, such as a password."""
        self.directory = directory
        self.port = free_port()
        self._options = tuple(options)
        self._binary = binary
        self._connection = connection
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid_file(self) -> Path:
        """The file with the id of the process."""
        return self.directory / "pid"

    @property
    def config(self) -> Path:
        """The file with further options, which a Sentinel must have."""
        return self.directory / "redis.conf"

    def start(self, mode: Sequence[str] = ()) -> "Server":
        """Start the server, without waiting for it."""
        make_private(self.directory)
        self.config.touch()
        command = [server_binary(self._binary), str(self.config), "--port", str(self.port), "--bind", HOST, *mode]
        command += ["--dir", str(self.directory), "--save", ""]
        command += ["--logfile", "redis.log", *self._options]
        self.process = subprocess.Popen(
            command, cwd=self.directory, start_new_session=True, preexec_fn=end_with_parent, umask=UMASK
        )
        self.pid_file.write_text(str(self.process.pid))
        return self

    def client(self) -> Redis:
        """A client of this server alone."""
        return Redis(host=HOST, port=self.port, socket_timeout=10, **self._connection)

    def is_running(self) -> bool:
        """Whether the process lives."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """End the process as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def send_signal(self, number: int) -> None:
        """Send a signal to the process."""
        assert self.process is not None
        os.kill(self.process.pid, number)


FILES = ("--appendonly", "yes", "--appendfsync")


class LocalCluster:
    """A cluster of servers on loopback addresses: first the masters, then the replicas of each in turn."""

    def __init__(
        self,
        directory: Path,
        masters: int = 3,
        replicas: int = 1,
        node_timeout_ms: int = 1500,
        fsync: str = "no",
        can_be_cut: bool = False,
        options: Sequence[str] = (),
        binary: str = "",
        **connection: Any,
    ) -> None:
        self._masters = masters
        common: tuple[str, ...] = (
            *FILES,
            fsync,
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            str(node_timeout_ms),
        )
        common += ("--cluster-require-full-coverage", "no", "--cluster-allow-replica-migration", "no")
        common += ("--repl-diskless-sync-delay", "0", "--cluster-migration-barrier", "0", *options)
        self.servers: list[Server] = []
        self.addresses: list[int] = []
        """The port under which others reach each server."""
        self._bus: list[int] = []
        self._met_at = -MEETING_SECONDS
        relayed: dict[int, tuple[int, int]] = {}
        for number in range(masters * (1 + replicas)):
            bus = free_port()
            own: tuple[str, ...] = (*common, "--cluster-port", str(bus), "--cluster-announce-ip", HOST)
            outer, outer_bus = (free_port(), free_port()) if can_be_cut else (0, bus)
            if can_be_cut:
                own += ("--bind-source-addr", source_of(number), "--cluster-announce-port", str(outer))
                own += ("--cluster-announce-bus-port", str(outer_bus))
            server = Server(directory / str(number), own, binary, **connection)
            self.servers.append(server)
            self.addresses.append(outer or server.port)
            self._bus.append(outer_bus)
            if can_be_cut:
                relayed |= {outer: (number, server.port), outer_bus: (number, bus)}
        self.network = Network(relayed) if can_be_cut else None

    @property
    def hosts(self) -> str:
        """The addresses of all servers, for a URL."""
        return ",".join(f"{HOST}:{port}" for port in self.addresses)

    @property
    def url(self) -> str:
        """The URL for `REDIS_URL`."""
        return f"redis+cluster://{self.hosts}"

    def start(self) -> "LocalCluster":
        """Start the servers, join them, and wait until all slots are served and all replicas follow."""
        if self.network is not None:
            self.network.start()
        for server in self.servers:
            server.start()
        for server in self.servers:
            await_that(server.client().ping, "a server that answers")
        self._join()
        for server in self.servers:
            await_that(partial(self._is_joined, server), "a cluster")
        return self

    def _join(self) -> None:
        for number, server in enumerate(self.servers[: self._masters]):
            server.client().execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            bounds = (number * SLOTS // self._masters, (number + 1) * SLOTS // self._masters - 1)
            server.client().execute_command("CLUSTER", "ADDSLOTSRANGE", *bounds)
        for number, server in enumerate(self.servers):
            await_that(partial(self._has_met_all, server), "a meeting")
            if number >= self._masters:
                master = self.id_of(number % self._masters)
                server.client().execute_command("CLUSTER", "REPLICATE", master)

    def _has_met_all(self, server: Server) -> bool:
        """Whether a server knows all others. A slow machine may let a meeting fail, so it is repeated now and then."""
        if time.monotonic() > self._met_at + MEETING_SECONDS:
            self._met_at = time.monotonic()
            for port, bus in zip(self.addresses[1:], self._bus[1:], strict=True):
                self.servers[0].client().execute_command("CLUSTER", "MEET", HOST, port, bus)
        return len(self.nodes_seen_by(server)) == len(self.servers)

    def _is_joined(self, server: Server) -> bool:
        client = server.client()
        state: Any = client.execute_command("CLUSTER", "INFO")
        info = dict(line.split(":") for line in _text(state).split())
        replication: Any = client.info("replication")
        follows = replication.get("role") == "master" or replication.get("master_link_status") == "up"
        has_replicas = replication.get("role") != "master" or replication["connected_slaves"] == self.replicas
        return info["cluster_state"] == "ok" and int(info["cluster_slots_ok"]) == SLOTS and follows and has_replicas

    @property
    def replicas(self) -> int:
        """The number of replicas of each master."""
        return len(self.servers) // self._masters - 1

    def nodes_seen_by(self, server: Server) -> list[list[str]]:
        """The lines of `CLUSTER NODES` of servers that have finished their handshake, in words."""
        found: Any = server.client().execute_command("CLUSTER", "NODES")
        lines = [line.split() for line in _text(found).splitlines()]
        return [line for line in lines if "handshake" not in line[2] and "noaddr" not in line[2]]

    def id_of(self, number: int) -> str:
        """The id of a server in the cluster."""
        return _text(self.servers[number].client().execute_command("CLUSTER", "MYID"))

    def masters(self) -> list[int]:
        """The numbers of the servers that are masters and have slots, as most servers see it."""
        votes = [0] * len(self.servers)
        for server in self.servers:
            with contextlib.suppress(RedisError):
                for _, address, flags, *rest in self.nodes_seen_by(server):
                    port = int(address.partition("@")[0].rpartition(":")[2])
                    if "master" in flags and "fail" not in flags.split(",") and len(rest) > 5:
                        votes[self.addresses.index(port)] += 1
        return [number for number, count in enumerate(votes) if 2 * count > sum(map(Server.is_running, self.servers))]

    def is_whole(self) -> bool:
        """Whether every server has joined and every master has its replicas."""
        try:
            return all(self._is_joined(server) for server in self.servers)
        except RedisError:
            return False

    def replica_of(self, number: int) -> int:
        """The number of the first replica of a master."""
        master = self.id_of(number)
        for _, address, _, of, *_ in self.nodes_seen_by(self.servers[number]):
            if of == master:
                return self.addresses.index(int(address.partition("@")[0].rpartition(":")[2]))
        raise LookupError(f"server {number} has no replica")

    def move_slots(self, first: int, last: int, source: int, target: int) -> None:
        """Move slots from one master to another, in one atomic step; needs Valkey 9."""
        client = self.servers[source].client()
        client.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", first, last, "NODE", self.id_of(target))

    def move_share(self) -> None:
        """Move some slots of the first master to the second, and those of the second to the third, and so on."""
        masters = self.masters()
        for source, target in zip(masters, masters[1:] + masters[:1], strict=True):
            for _, _, flags, *rest in self.nodes_seen_by(self.servers[source]):
                if "myself" in flags and len(rest) > 5:
                    first, _, last = rest[5].partition("-")
                    middle = (int(first) + int(last or first) + 1) // 2
                    if last:
                        self.move_slots(middle, int(last), source, target)

    def isolate(self, *numbers: int) -> None:
        """Cut servers off from all others, and from each other; without numbers, nobody is cut off any more."""
        assert self.network is not None
        self.network.split({number: number + 1 for number in numbers})

    def stop(self) -> None:
        """Kill every server."""
        for server in self.servers:
            server.kill()
        if self.network is not None:
            self.network.stop()


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
