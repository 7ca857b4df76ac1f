"""A master, its replicas and Sentinels on one machine, for trying out what several machines do."""

from functools import partial
from pathlib import Path
from typing import Any

from referee.ops.network import HOST
from referee.ops.nodes import FILES, Server, await_that
from referee.ops.private import make_private

SENTINELS = 3


class LocalSentinels:
    """Servers of which one is the master, which three Sentinels watch."""

    def __init__(
        self,
        directory: Path,
        name: str,
        replicas: int = 1,
        down_after_ms: int = 1000,
        fsync: str = "no",
        binary: str = "",
    ) -> None:
        self.name = name
        self._down_after_ms = down_after_ms
        options = (*FILES, fsync, "--repl-diskless-sync-delay", "0")
        self.servers = [Server(directory / str(number), options, binary) for number in range(1 + replicas)]
        files = [directory / f"sentinel{number}" for number in range(SENTINELS)]
        self._sentinels = [Server(file, (), binary) for file in files]

    @property
    def url(self) -> str:
        """The URL for `REDIS_URL` or `QUEUE_REDIS_URL`."""
        hosts = ",".join(f"{HOST}:{sentinel.port}" for sentinel in self._sentinels)
        return f"redis+sentinel://{hosts}/{self.name}"

    def start(self) -> "LocalSentinels":
        """Start everything, and wait until the Sentinels know each other and the replicas."""
        master, *replicas = self.servers
        master.start()
        await_that(master.client().ping, "a master")
        for replica in replicas:
            replica.start()
            await_that(replica.client().ping, "a replica")
            replica.client().replicaof(HOST, str(master.port))
            await_that(partial(self._follows, replica), "a replica that follows")
        for sentinel in self._sentinels:
            self._configure(sentinel)
            sentinel.start(mode=("--sentinel",))
        for sentinel in self._sentinels:
            await_that(partial(self._knows_all, sentinel), "a Sentinel")
        return self

    def _configure(self, sentinel: Server) -> None:
        make_private(sentinel.directory)
        lines = [
            f"sentinel monitor {self.name} {HOST} {self.servers[0].port} 2",
            f"sentinel down-after-milliseconds {self.name} {self._down_after_ms}",
            f"sentinel failover-timeout {self.name} 5000",
        ]
        sentinel.config.write_text("\n".join(lines) + "\n")

    def _follows(self, replica: Server) -> bool:
        found: Any = replica.client().info("replication")
        return bool(found.get("master_link_status") == "up")

    def _knows_all(self, sentinel: Server) -> bool:
        found: Any = sentinel.client().sentinel_masters()
        known = found.get(self.name, {})
        counts = int(known.get("num-slaves", 0)), int(known.get("num-other-sentinels", 0))
        return counts == (len(self.servers) - 1, SENTINELS - 1)

    def master(self) -> int:
        """The number of the master, as the Sentinels name it."""
        found: Any = self._sentinels[0].client().sentinel_get_master_addr_by_name(self.name)
        return [server.port for server in self.servers].index(int(found[1]))

    def stop(self) -> None:
        """Kill every process."""
        for server in (*self._sentinels, *self.servers):
            server.kill()
