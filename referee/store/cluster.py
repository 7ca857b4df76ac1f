"""A cluster of servers: who has which slot, and commands to the server that has their key.

This is the client's part of the published protocol. Replication, elections and migrations are the servers' business.
"""

import random
import threading
import time
from binascii import crc_hqx
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import hiredis
from redis import Redis
from redis.exceptions import (
    AskError,
    ConnectionError,
    MovedError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from referee.store.connections import LOST, PATIENCE_S, PAUSE_S, Confirmation, RawConnections, Unconfirmed

SLOTS = 16_384
"""The hash slots of a cluster."""
REDIRECTIONS_MAX = 100
LEARN_PAUSE_S = 0.1
"""The map is learned at most once in this time, however many calls fail."""

Address = tuple[str, int]
_command: tuple[Any, ...] = ("CLUSTER", "SLOTS")
_SLOTS = hiredis.pack_command(_command)


def slot_of(key: str | bytes) -> int:
    """The slot of a key: that of its hash tag, if it has one."""
    name = key.encode() if isinstance(key, str) else key
    begin = name.find(b"{")
    end = name.find(b"}", begin + 1) if begin >= 0 else -1
    return crc_hqx(name[begin + 1 : end] if end > begin + 1 else name, 0) % SLOTS


def key_of(command: Sequence[Any]) -> Any:
    """The key of a command: its first argument, or the first key of a script."""
    return command[3] if command[0] in ("EVALSHA", "EVAL") else command[1]


class Node(RawConnections):
    """The connections to one server of a cluster."""

    def __init__(self, address: Address, redis: Redis) -> None:
        super().__init__(redis, patience_s=PATIENCE_S)
        self.address = address
        self.redis = redis

    @property
    def name(self) -> str:
        """The address of the server."""
        return f"{self.address[0]}:{self.address[1]}"


class Cluster:
    """The servers of a cluster, and which of them has which slot. It is learned from the servers, again and again.

    The last known owner of a slot stays its owner until a server names another one.
    """

    def __init__(self, seeds: Sequence[Address], connect: Callable[[Address], Redis]) -> None:
        self._seeds = tuple(seeds)
        self._connect = connect
        self._nodes: dict[Address, Node] = {}
        self._owners: list[Node | None] = [None] * SLOTS
        self._learning = threading.Lock()
        self._learned_at = -LEARN_PAUSE_S
        self.changes = 0
        """The number of times that slots got another owner."""

    def seeds(self) -> list[Node]:
        """The servers that the URL names."""
        return [self.node(address) for address in self._seeds]

    def owner(self, slot: int) -> Node:
        """The server that has a slot; raises ConnectionError if none is known."""
        node = self._owners[slot]
        if node is None:
            self.learn(None)
            node = self._owners[slot]
        if node is None:
            raise ConnectionError(f"no server of the cluster has slot {slot}")
        return node

    def owners(self) -> dict[Node, list[int]]:
        """The servers that have slots, each with its slots."""
        found: dict[Node, list[int]] = {}
        if not any(self._owners):
            self.learn(None)
        for slot, node in enumerate(self._owners):
            if node is not None:
                found.setdefault(node, []).append(slot)
        return found

    def uncovered(self) -> int:
        """The number of slots that no server has."""
        return self._owners.count(None)

    def node(self, address: Address) -> Node:
        """The connections to a server."""
        if address not in self._nodes:
            self._nodes.setdefault(address, Node(address, self._connect(address)))
        return self._nodes[address]

    def moved(self, asked: Node, error: MovedError) -> None:
        """Note that a slot has another owner, as a server says."""
        node = self.told(asked, error)
        if self._owners[error.slot_id] is not node:
            self._owners[error.slot_id] = node
            self.changes += 1

    def told(self, asked: Node, error: AskError) -> Node:
        """The server that a redirection names. One without a host means the host that was asked."""
        return self.node((error.host or asked.address[0], error.port))

    def learn(self, lost: Node | None) -> RedisError | None:
        """Learn who has which slot: from another server than the one that was lost, which may be cut off.

        Returns the error of the last server that was asked, if none answered.
        """
        failed: RedisError | None = None
        with self._learning:
            if time.monotonic() < self._learned_at + LEARN_PAUSE_S:
                return None
            others = [each for each in {*self._nodes, *self._seeds} if lost is None or each != lost.address]
            random.shuffle(others)
            for address in sorted(others, key=lambda each: self.node(each).patience.is_lost):
                try:
                    self._take(self.node(address).converse(_SLOTS, 1)[0], address)
                    failed = None
                    break
                except RedisError as error:
                    failed = error
            self._learned_at = time.monotonic()
        return failed

    def _take(self, rows: Any, asked: Address) -> None:
        if isinstance(rows, RedisError):
            raise rows
        for first, last, master, *_ in rows:
            node = self.node((_text(master[0]) or asked[0], int(master[1])))
            if any(owner is not node for owner in self._owners[first : last + 1]):
                self._owners[first : last + 1] = [node] * (last + 1 - first)
                self.changes += 1


def _text(host: Any) -> str:
    return host.decode() if isinstance(host, bytes) else str(host or "")


class ClusterStore:
    """Sends commands to the server of a cluster that has their key, and follows keys that move."""

    publishing = b"SPUBLISH"

    def __init__(self, cluster: Cluster, replicas: int = 0, replicas_timeout_ms: int = 1000) -> None:
        self.cluster = cluster
        self.replicas = replicas
        self.confirmed = Confirmation(replicas, replicas_timeout_ms)
        self._plain = Confirmation(0, 0)

    def call(self, *command: Any) -> Any:
        """Return the reply to a command."""
        return self._ask(command, self._plain)

    def write(self, *command: Any) -> Any:
        """Return the reply to a command that writes; raises Unconfirmed unless enough replicas have it."""
        return self._ask(command, self.confirmed)

    def each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the replies to several commands, which are sent to each server at once."""
        replies = self.try_each(commands)
        return [
            self.call(*command) if isinstance(reply, RedisError) else reply
            for command, reply in zip(commands, replies, strict=True)
        ]

    def try_each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Like `each`, but at once, with the RedisError of each server that cannot be reached in place of a reply."""
        replies: list[Any] = [None] * len(commands)
        for node, numbers in self._by_owner(commands):
            packed = b"".join(hiredis.pack_command(commands[number]) for number in numbers)
            try:
                if node is None:
                    raise ConnectionError("no server of the cluster has this slot")
                found = node.converse(packed, len(numbers))
                node.patience.succeeded()
            except LOST as error:
                found = [error] * len(numbers)
                if node is not None:
                    node.patience.lost()
                self.cluster.learn(node)
            for number, reply in zip(numbers, found, strict=True):
                replies[number] = self._redirected(commands[number], reply)
        return replies

    def _by_owner(self, commands: Sequence[tuple[Any, ...]]) -> Iterable[tuple[Node | None, list[int]]]:
        found: dict[Node | None, list[int]] = {}
        for number, command in enumerate(commands):
            try:
                node: Node | None = self.cluster.owner(slot_of(key_of(command)))
            except ConnectionError:
                node = None
            found.setdefault(node, []).append(number)
        return found.items()

    def _redirected(self, command: tuple[Any, ...], reply: Any) -> Any:
        """The reply, or that of the server to which the first one points; an error that is not about servers is raised.

        Scripts that a server does not know are errors as well: the caller sends them as a whole.
        """
        if isinstance(reply, (AskError, TryAgainError)):
            try:
                return self.call(*command)
            except LOST as error:
                return error
        if isinstance(reply, ResponseError) and not isinstance(reply, LOST):
            raise reply
        return reply

    def is_whole(self) -> bool:
        """Whether the last call to each server was answered."""
        return not any(node.patience.is_lost for node in self.cluster.owners())

    def epoch(self, key: str) -> Hashable:
        """A value that changes whenever something that was read of a key may have been lost since."""
        try:
            return self.cluster.changes, self.cluster.owner(slot_of(key)).epoch(key)
        except ConnectionError:
            return self.cluster.changes

    def _ask(self, command: tuple[Any, ...], confirmation: Confirmation) -> Any:
        slot, turns = slot_of(key_of(command)), 0
        while True:
            node, turns = self.cluster.owner(slot), turns + 1
            try:
                answer = confirmation.ask(node, command)
            except MovedError as moved:
                self.cluster.moved(node, moved)
                if turns > REDIRECTIONS_MAX:
                    raise ConnectionError(f"the servers do not agree on who has slot {slot}") from None
                if turns > 2:
                    time.sleep(PAUSE_S)
            except AskError as asked:
                there = self.cluster.told(node, asked)
                try:
                    return confirmation.ask(there, command, before=hiredis.pack_command(("ASKING",)))
                except TryAgainError:
                    time.sleep(PAUSE_S)
            except TryAgainError:
                time.sleep(PAUSE_S)
            except Unconfirmed:
                self.cluster.learn(node)
                raise
            except LOST:
                again = node.patience.failed()
                self.cluster.learn(node)
                if not again and self.cluster.owner(slot) is node:
                    raise
            else:
                node.patience.succeeded()
                return answer


class ClusterClient(Redis):
    """A client that sends each command to the server of a cluster that has its key."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self.topology = cluster
        self._store = ClusterStore(cluster)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command with a key, and return the reply as Redis clients do."""
        options.pop("keys", None)
        reply = self._store.call(*args)
        callback = self.response_callbacks.get(args[0])
        return reply if callback is None else callback(reply, **options)

    def ping(self, **_: Any) -> bool:
        """Ask every server that has slots; raises a RedisError if one does not answer."""
        if failed := self.topology.learn(None):
            raise failed
        return all(node.call("PING") for node in self.topology.owners())
